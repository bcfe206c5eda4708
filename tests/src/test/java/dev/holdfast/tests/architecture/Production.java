package dev.holdfast.tests.architecture;

import com.tngtech.archunit.ArchConfiguration;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.module.ModuleDescriptor;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;

/** What is judged: the compiled classes, the sources and the descriptors of all modules, each read once. */
final class Production {
    private static final JavaClasses CLASSES =
            importer(new ImportOption.DoNotIncludeTests()).importPackages("dev.holdfast");
    private static final JavaClasses TESTS = importer(new ImportOption.OnlyIncludeTests())
            .importPackages(
                    "dev.holdfast.tests.architecture", "dev.holdfast.tests.behaviour", "dev.holdfast.tests.cases");
    private static final List<Source> SOURCES = readSources();

    private Production() {}

    static JavaClasses classes() {
        return CLASSES;
    }

    /** The tests that look at the modules from outside, and the classes that break rules on purpose. */
    static JavaClasses tests() {
        return TESTS;
    }

    /** One of those classes by itself. */
    static JavaClasses only(Class<?> type) {
        return TESTS.that(JavaClass.Predicates.equivalentTo(type));
    }

    static List<Source> sources() {
        return SOURCES;
    }

    static List<Source> sources(Part... parts) {
        var folders = Stream.of(parts).map(Part::folder).toList();
        return SOURCES.stream()
                .filter(source -> folders.contains(source.folder()))
                .toList();
    }

    /** Reads of other classes no more than the rules ask for. */
    private static ClassFileImporter importer(ImportOption option) {
        var configuration = ArchConfiguration.get();
        configuration.setProperty("import.dependencyResolutionProcess.maxIterationsForAnnotationTypes", "0");
        configuration.setProperty("import.dependencyResolutionProcess.maxIterationsForGenericSignatureTypes", "0");
        return new ClassFileImporter().withImportOption(option);
    }

    /** The folder that holds all modules. */
    static Path root() {
        Path here = Path.of(System.getProperty("basedir", "")).toAbsolutePath();
        while (!Files.isDirectory(here.resolve(Part.API.folder()))) {
            here = here.getParent();
        }
        return here;
    }

    /** The compiled descriptors of the published modules, from wherever the class path has them. */
    static List<ModuleDescriptor> descriptors() {
        try {
            return Collections.list(Production.class.getClassLoader().getResources("module-info.class")).stream()
                    .map(Production::descriptor)
                    .filter(descriptor -> descriptor.name().startsWith("dev.holdfast."))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static ModuleDescriptor descriptor(URL place) {
        try (InputStream bytes = place.openStream()) {
            return ModuleDescriptor.read(bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<Source> readSources() {
        try (Stream<Path> folders = Files.list(root());
                Stream<Path> extensions = Files.list(root().resolve("extensions"))) {
            return Stream.concat(folders, extensions)
                    .filter(folder -> Files.isDirectory(folder.resolve("src/main/java")))
                    .sorted()
                    .flatMap(Production::readSources)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Stream<Source> readSources(Path folder) {
        try (Stream<Path> files = Files.walk(folder.resolve("src/main/java"))) {
            return files
                    .filter(file -> file.toString().endsWith(".java"))
                    .sorted()
                    .map(file -> Source.read(root().relativize(folder).toString(), file))
                    .toList()
                    .stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
