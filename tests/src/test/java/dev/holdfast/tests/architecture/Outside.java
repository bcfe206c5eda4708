package dev.holdfast.tests.architecture;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;

/** Leaves out the classes that break rules on purpose. */
final class Outside extends DescribedPredicate<JavaClass> {
    private final DescribedPredicate<JavaClass> inside;

    Outside(String packages) {
        super("outside " + packages);
        this.inside = JavaClass.Predicates.resideInAPackage(packages);
    }

    @Override
    public boolean test(JavaClass candidate) {
        return !inside.test(candidate);
    }
}
