package dev.holdfast.tests.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.List;
import java.util.stream.Stream;

/** Who may depend on whom, as rules over classes. */
final class ModuleEdges {
    private static final List<String> EVERYWHERE = List.of("java..", "javax..", "org.jspecify..");

    /** What is measured is often inside. */
    private static final String MEASURES = "dev.holdfast.benchmarks.jmh";

    private ModuleEdges() {}

    static ArchRule reach(String name, List<String> packages, List<String> reach) {
        return classes()
                .that()
                .resideInAnyPackage(packages.toArray(String[]::new))
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(
                        Stream.concat(EVERYWHERE.stream(), reach.stream()).toArray(String[]::new))
                .as(name + " depends only on " + reach);
    }

    static ArchRule live(List<String> packages) {
        return classes()
                .should()
                .resideInAnyPackage(packages.toArray(String[]::new))
                .as("every class lives in a module's packages");
    }

    static ArchRule internalStaysInside() {
        return classes().should(onlyUseTheirOwnInternals());
    }

    private static ArchCondition<JavaClass> onlyUseTheirOwnInternals() {
        return new ArchCondition<>("use no internal class of another module") {
            @Override
            public void check(JavaClass user, ConditionEvents events) {
                user.getDirectDependenciesFromSelf().stream()
                        .filter(dependency -> !maySee(user.getPackageName(), dependency.getTargetClass()))
                        .map(Dependency::getDescription)
                        .forEach(words -> events.add(SimpleConditionEvent.violated(user, words)));
            }
        };
    }

    private static boolean maySee(String from, JavaClass target) {
        String to = target.getBaseComponentType().getPackageName();
        int end = (to + ".").indexOf(".internal.");
        if (!to.startsWith("dev.holdfast") || end < 0) {
            return true;
        }
        if (from.startsWith(MEASURES)) {
            return true;
        }
        String owner = to.substring(0, end);
        return from.equals(owner) || from.startsWith(owner + ".");
    }
}
