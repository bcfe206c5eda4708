package dev.holdfast.comparisons;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class CompareTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--faster            | --faster",
                "many                | many",
                "0                   | rounds: 0 (expected: 1 to 10000)",
                "--calls 10001       | rounds: 10001 (expected: 1 to 10000)",
                "--calls --gateway   | mutually exclusive",
                "--calls 3 4         | 4",
                "--policies 3        | rounds: 3 (expected: none beside --policies)",
            })
    void whatItCannotDoItSaysInOneLineAndDoesNothing(String arguments, String told) {
        var said = new StringWriter();
        CommandLine line = Compare.commandLine().setErr(new PrintWriter(said));

        assertThat(line.execute(arguments.strip().split(" "))).isEqualTo(2);
        assertThat(said.toString())
                .startsWith("holdfast: ")
                .contains(told)
                .endsWith(": ./holdfast compare --help shows what there is" + System.lineSeparator())
                .containsOnlyOnce(System.lineSeparator());
    }
}
