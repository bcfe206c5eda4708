package dev.holdfast.tests.architecture;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.LambdaExpressionTree;
import com.sun.source.tree.MemberSelectTree;
import com.sun.source.tree.MethodInvocationTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.SynchronizedTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.TreeScanner;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import javax.lang.model.element.Modifier;

/** What a source file must not look like. Each method tells the offences, in words. */
final class Shape {
    private static final int MOST_LINES_OF_A_FILE = 500;
    private static final int MOST_LINES_OF_A_METHOD = 60;
    private static final Pattern VAGUE = Pattern.compile(".*(Util|Utils|Helper|Manager|Handler|Impl)");
    private static final Pattern NUMBERED = Pattern.compile(".*\\d.*");
    private static final Pattern SHOUTED = Pattern.compile(".*\\p{Upper}{3}.*");

    private Shape() {}

    static List<String> tooLong(Source source) {
        var offences = new ArrayList<String>();
        if (source.lines() > MOST_LINES_OF_A_FILE) {
            offences.add(source.name() + " has " + source.lines() + " lines");
        }
        new TreeScanner<Void, Void>() {
            @Override
            public Void visitMethod(MethodTree method, Void nothing) {
                long first = source.line(source.positions().getStartPosition(source.tree(), method));
                long last = source.line(source.positions().getEndPosition(source.tree(), method));
                if (last - first + 1 > MOST_LINES_OF_A_METHOD) {
                    offences.add(source.name() + ": " + method.getName() + " has " + (last - first + 1) + " lines");
                }
                return super.visitMethod(method, nothing);
            }
        }.scan(source.tree(), null);
        return offences;
    }

    static List<String> badNames(Source source) {
        var offences = new ArrayList<String>();
        new TreeScanner<Void, Void>() {
            @Override
            public Void visitClass(ClassTree type, Void nothing) {
                String name = type.getSimpleName().toString();
                if (List.of(VAGUE, NUMBERED, SHOUTED).stream()
                        .anyMatch(bad -> bad.matcher(name).matches())) {
                    offences.add(source.name() + ": " + name);
                }
                return super.visitClass(type, nothing);
            }
        }.scan(source.tree(), null);
        return offences;
    }

    static List<String> monitors(Source source) {
        var offences = new ArrayList<String>();
        new TreeScanner<Void, Void>() {
            @Override
            public Void visitSynchronized(SynchronizedTree block, Void nothing) {
                offences.add(source.name() + ": synchronized block");
                return super.visitSynchronized(block, nothing);
            }

            @Override
            public Void visitMethod(MethodTree method, Void nothing) {
                if (method.getModifiers().getFlags().contains(Modifier.SYNCHRONIZED)) {
                    offences.add(source.name() + ": synchronized " + method.getName());
                }
                return super.visitMethod(method, nothing);
            }
        }.scan(source.tree(), null);
        return offences;
    }

    /** Waiting and input or output in a function that runs while a map or a cache holds a lock. */
    static List<String> blockedMaps(Source source) {
        var offences = new ArrayList<String>();
        new TreeScanner<Void, Boolean>() {
            private final Set<String> locking = Set.of("computeIfAbsent", "computeIfPresent", "compute", "merge");
            private final Set<String> blocking = Set.of(
                    "sleep", "await", "join", "send", "take", "call", "acquire", "load", "compareAndSet", "read");

            @Override
            public Void visitMethodInvocation(MethodInvocationTree call, Boolean held) {
                if (held && blocking.contains(nameOf(call))) {
                    offences.add(source.name() + ": " + nameOf(call) + " while a map is locked");
                }
                scan(call.getMethodSelect(), held);
                for (Tree argument : call.getArguments()) {
                    boolean locks = argument instanceof LambdaExpressionTree && locking.contains(nameOf(call));
                    scan(argument, held || locks);
                }
                return null;
            }
        }.scan(source.tree(), false);
        return offences;
    }

    private static String nameOf(MethodInvocationTree call) {
        return call.getMethodSelect() instanceof MemberSelectTree select
                ? select.getIdentifier().toString()
                : call.getMethodSelect().toString();
    }
}
