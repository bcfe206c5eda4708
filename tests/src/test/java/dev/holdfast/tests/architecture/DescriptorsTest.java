package dev.holdfast.tests.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.module.ModuleDescriptor;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class DescriptorsTest {
    private static final ModuleDescriptor OFFENDER = ModuleDescriptor.newModule("offender")
            .requires("java.base")
            .requires("kotlin.stdlib")
            .exports("offender")
            .exports("offender.internal.call")
            .opens("offender.internal", Set.of("friend"))
            .build();

    @Test
    void everyPublishedModuleHasADescriptor() {
        assertThat(Descriptors.missing(Production.descriptors())).isEmpty();
    }

    @Test
    void aMissingDescriptorIsCaught() {
        assertThat(Descriptors.missing(List.of(OFFENDER))).hasSize(Part.values().length);
    }

    @ParameterizedTest
    @EnumSource(Part.class)
    void aDescriptorRequiresOnlyWhatItIsAllowed(Part part) {
        assertThat(Descriptors.undue(descriptor(part), part.requires())).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(Part.class)
    void aDescriptorKeepsItsInternalsToItself(Part part) {
        assertThat(Descriptors.leaks(descriptor(part))).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(Part.class)
    void aProviderIsDeclaredForModulePathAndClassPathAlike(Part part) throws IOException {
        assertThat(onModulePath(descriptor(part))).isEqualTo(onClassPath(part));
    }

    @Test
    void anUndueRequirementIsCaught() {
        assertThat(Descriptors.undue(OFFENDER, List.of())).containsExactly("offender requires kotlin.stdlib");
    }

    @Test
    void aLeakIsCaught() {
        assertThat(Descriptors.leaks(OFFENDER))
                .containsExactly("offender exports offender.internal.call", "offender opens offender.internal");
    }

    private static ModuleDescriptor descriptor(Part part) {
        return Production.descriptors().stream()
                .filter(descriptor -> descriptor.name().equals(part.moduleName()))
                .findFirst()
                .orElseThrow();
    }

    private static Set<String> onModulePath(ModuleDescriptor descriptor) {
        var provided = new TreeSet<String>();
        descriptor.provides().forEach(one -> one.providers().forEach(by -> provided.add(one.service() + " by " + by)));
        return provided;
    }

    private static Set<String> onClassPath(Part part) throws IOException {
        Path folder = Production.root().resolve(part.folder()).resolve("src/main/resources/META-INF/services");
        var provided = new TreeSet<String>();
        if (Files.isDirectory(folder)) {
            try (Stream<Path> services = Files.list(folder)) {
                for (Path service : services.toList()) {
                    Files.readAllLines(service).stream()
                            .filter(line -> !line.isBlank() && !line.startsWith("#"))
                            .forEach(by -> provided.add(service.getFileName() + " by " + by.strip()));
                }
            }
        }
        return provided;
    }
}
