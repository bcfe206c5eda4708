package dev.holdfast.tests.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import dev.holdfast.tests.architecture.offenders.Intruder;
import dev.holdfast.tests.architecture.offenders.reach.Sprawling;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ModuleEdgesTest {
    private static final String OFFENDERS = "dev.holdfast.tests.architecture.offenders..";

    @ParameterizedTest
    @EnumSource(Part.class)
    void aModuleReachesOnlyWhatItIsAllowed(Part part) {
        ModuleEdges.reach(part.moduleName(), part.packages(), part.reach()).check(Production.classes());
    }

    /** Another server can take its place without a change elsewhere. */
    @Test
    void onePackageOfTheGatewayKnowsItsServer() {
        noClasses()
                .that()
                .resideOutsideOfPackage("dev.holdfast.gateway.internal.server..")
                .and()
                .resideInAPackage("dev.holdfast.gateway..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.helidon..")
                .check(Production.classes());
    }

    @Test
    void aModuleThatReachesFurtherIsCaught() {
        JavaClasses offender = Production.only(Sprawling.class);
        var packages = List.of("dev.holdfast.tests.architecture.offenders.reach..");
        var tooNarrow = ModuleEdges.reach("the offender", packages, packages);
        var wideEnough = ModuleEdges.reach("the offender", packages, List.of(packages.getFirst(), "org.assertj.."));

        assertThat(tooNarrow.evaluate(offender).hasViolation()).isTrue();
        assertThat(wideEnough.evaluate(offender).hasViolation()).isFalse();
    }

    @Test
    void everyClassLivesInAModule() {
        ModuleEdges.live(allPackages()).check(Production.classes());
    }

    @Test
    void aClassOutsideAllModulesIsCaught() {
        JavaClasses offender = Production.only(Sprawling.class);

        assertThat(ModuleEdges.live(allPackages()).evaluate(offender).hasViolation())
                .isTrue();
    }

    @Test
    void noModuleUsesAnothersInternals() {
        ModuleEdges.internalStaysInside().check(Production.classes());
    }

    @Test
    void noTestOfBehaviourUsesInternals() {
        var judged = Production.tests().that(new Outside(OFFENDERS));

        ModuleEdges.internalStaysInside().check(judged);
    }

    @Test
    void aUserOfAnothersInternalsIsCaught() {
        var rule = ModuleEdges.internalStaysInside();

        JavaClasses intruder = Production.only(Intruder.class);
        JavaClasses insiders =
                Production.tests().that(JavaClass.Predicates.resideInAPackage(OFFENDERS.replace("..", ".vault..")));

        assertThat(rule.evaluate(intruder).hasViolation()).isTrue();
        assertThat(rule.evaluate(insiders).hasViolation()).isFalse();
    }

    private static List<String> allPackages() {
        var all = new ArrayList<>(Stream.of(Part.values())
                .flatMap(part -> part.packages().stream())
                .toList());
        all.add("dev.holdfast.benchmarks..");
        return all;
    }
}
