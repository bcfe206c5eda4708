package dev.holdfast.tests.architecture;

import java.lang.module.ModuleDescriptor;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** What a module descriptor must not say. Each method tells the offences, in words. */
final class Descriptors {
    private Descriptors() {}

    static List<String> undue(ModuleDescriptor descriptor, List<String> allowed) {
        return descriptor.requires().stream()
                .map(ModuleDescriptor.Requires::name)
                .filter(name -> !name.startsWith("java.") && !name.equals("org.jspecify") && !allowed.contains(name))
                .map(name -> descriptor.name() + " requires " + name)
                .toList();
    }

    static List<String> leaks(ModuleDescriptor descriptor) {
        var leaks = new ArrayList<String>();
        if (descriptor.isOpen()) {
            leaks.add(descriptor.name() + " is open");
        }
        descriptor.exports().stream()
                .filter(exported -> isInternal(exported.source()))
                .forEach(exported -> leaks.add(descriptor.name() + " exports " + exported.source()));
        descriptor.opens().stream()
                .filter(opened -> isInternal(opened.source()))
                .forEach(opened -> leaks.add(descriptor.name() + " opens " + opened.source()));
        return leaks;
    }

    /** The modules whose descriptor the class path does not hold. */
    static Set<String> missing(List<ModuleDescriptor> descriptors) {
        var missing = new TreeSet<String>();
        for (Part part : Part.values()) {
            missing.add(part.moduleName());
        }
        descriptors.forEach(descriptor -> missing.remove(descriptor.name()));
        return missing;
    }

    private static boolean isInternal(String packageName) {
        return (packageName + ".").contains(".internal.");
    }
}
