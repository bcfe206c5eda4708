package dev.holdfast.routing.internal.route;

/** Linear equations of a positive definite matrix. */
public final class Equations {
    private Equations() {}

    /** Solves rows of coefficients with their right side last, by Gauss and Jordan; changes the rows. */
    public static double[] solve(double[][] rows) {
        int size = rows.length;
        for (int pivot = 0; pivot < size; pivot++) {
            for (int other = 0; other < size; other++) {
                double factor = other == pivot ? 0 : rows[other][pivot] / rows[pivot][pivot];
                for (int column = pivot; column <= size && factor != 0; column++) {
                    rows[other][column] -= factor * rows[pivot][column];
                }
            }
        }
        double[] solution = new double[size];
        for (int i = 0; i < size; i++) {
            solution[i] = rows[i][size] / rows[i][i];
        }
        return solution;
    }
}
