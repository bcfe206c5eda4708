package dev.holdfast.tests.architecture;

import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/** One source file, parsed by the compiler itself: what is gone from class files, such as lines and lambdas, is judged here. */
record Source(String folder, String name, String text, CompilationUnitTree tree, SourcePositions positions) {

    static Source read(String folder, Path file) {
        try {
            return parse(folder, file.getFileName().toString(), Files.readString(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A source that is nowhere but here. */
    static Source of(String text) {
        return parse("nowhere", "Offender.java", text);
    }

    int lines() {
        return (int) text.lines().count();
    }

    long line(long position) {
        return tree.getLineMap().getLineNumber(position);
    }

    private static Source parse(String folder, String name, String text) {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        var task = (JavacTask)
                compiler.getTask(null, null, null, List.of("-proc:none"), null, List.of(new InMemory(name, text)));
        try {
            CompilationUnitTree unit = task.parse().iterator().next();
            return new Source(folder, name, text, unit, Trees.instance(task).getSourcePositions());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static final class InMemory extends SimpleJavaFileObject {
        private final String text;

        InMemory(String name, String text) {
            super(URI.create("string:///" + name), JavaFileObject.Kind.SOURCE);
            this.text = text;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }
}
