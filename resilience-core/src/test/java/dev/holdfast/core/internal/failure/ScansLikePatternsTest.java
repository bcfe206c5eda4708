package dev.holdfast.core.internal.failure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;

/** The scans written by hand find what regular expressions find, which say it shorter and take a hundred times as long. */
class ScansLikePatternsTest {
    private static final List<Pattern> LOOKS = List.of(
            Pattern.compile(
                    "()(?<![A-Za-z0-9])(?:(?:sk|pk|rk|xai|pplx|nvapi|csk|sess)-[A-Za-z0-9*_-]{6,}+|key-[A-Za-z0-9*_-]{16,}+"
                            + "|(?:gsk|hf|ghp|gho|ghs|github_pat|r8|fw|sk|xoxb)_[A-Za-z0-9*_-]{10,}+"
                            + "|AIza[A-Za-z0-9*_-]{10,}+|ya29\\.[A-Za-z0-9_-]{10,}+|A[KS]IA[A-Z0-9]{12,}+"
                            + "|eyJ[A-Za-z0-9_-]{8,}+(?:\\.[A-Za-z0-9_-]++){1,2})"),
            Pattern.compile("(?i)(\\b(?:Bearer|Basic)\\s)\\s{0,7}(?=\\S{0,200}[0-9]|\\S{20})[A-Za-z0-9*._~+/=-]{6,}+"),
            Pattern.compile("(?i)([?&;](?:[a-z_-]{0,16}key|sig|signature|code|[a-z_-]{0,16}token|[a-z_-]{0,16}secret"
                    + "|password)=)[^&\\s\"'<>]++"),
            Pattern.compile(
                    "(?i)(\\b(?:(?:x-|x-goog-)?api[-_ ]?key|authorization|access[-_]token|client[-_]secret|password)"
                            + "[\"']?\\s{0,4}[:=]\\s{0,4}[\"']?)[A-Za-z0-9*._~+/=-]{8,}+"),
            Pattern.compile("(://)[^\\s/@:]{1,256}+:[^\\s/@]{1,256}+(?=@)"));
    private static final Pattern LIMIT_AND_REQUESTED =
            Pattern.compile("\\blimit:? ([0-9]{1,15}),.{0,60}?\\brequested:? ([0-9]{1,15})\\b");
    private static final Pattern ZERO_LIMIT = Pattern.compile("(?i)\\blimit: ?0\\b(?!\\.?[0-9])");

    /** Beginnings, middles and ends of keys, signs and numbers: what is near to a match is the hard part. */
    private static final List<String> PIECES = List.of(
            ("sk- pk- rk- xai- pplx- nvapi- csk- sess- key- gsk_ hf_ ghp_ gho_ ghs_ github_pat_ r8_ fw_ sk_ xoxb_ AIza ya29. "
                            + "AKIA ASIA eyJ eyJhbGciOi . .x - _ * : = / @ :// https://u:p@ ? & ; \" ' < > , ~ + a b x Z 0 7 é 😀 "
                            + "abcdef abcdefghij ABCDEFGHIJKL abcdefghijklmnopqrstu 0123456789 key token secret sig signature code "
                            + "password PassWord authorization Authorization: api API x-api-key x-goog-api-key apikey access_token "
                            + "access-token client-secret client_secret Bearer bearer Basic BASIC api_key= ?key= &access_token= "
                            + "limit limit: Limit requested Requested: 0 00 0.5 30000 1234567890123456 request too large")
                    .split(" "));

    @Provide
    Arbitrary<String> lines() {
        Arbitrary<String> piece = Arbitraries.frequencyOf(
                Tuple.of(8, Arbitraries.of(PIECES)),
                Tuple.of(3, Arbitraries.just(" ")),
                Tuple.of(1, Arbitraries.strings().withCharRange(' ', '~').ofMaxLength(3)));
        return piece.list().ofMaxSize(14).map(pieces -> String.join("", pieces));
    }

    @Property(tries = 20_000)
    void keysAreFoundByTheirLooks(@ForAll("lines") String line) {
        String expected = line;
        for (Pattern look : LOOKS) {
            expected = look.matcher(expected).replaceAll("$1***");
        }
        assertThat(KeyLooks.mask(line)).isEqualTo(expected);
    }

    @Property(tries = 5_000)
    void numbersOfLimitsAreFound(@ForAll("lines") String line) {
        String lower = line.toLowerCase(Locale.ROOT);
        Matcher numbers = LIMIT_AND_REQUESTED.matcher(lower);
        boolean never = numbers.find()
                ? Long.parseLong(numbers.group(2)) > Long.parseLong(numbers.group(1))
                : Pattern.compile("\\brequest too large\\b").matcher(lower).find();
        assertThat(ErrorWords.neverFits(line)).isEqualTo(never);
        assertThat(ErrorWords.nothingAllowed(line))
                .isEqualTo(ZERO_LIMIT.matcher(line).find());
    }

    @Provide
    Arbitrary<String> limits() {
        return Arbitraries.of(
                        "limit 300,",
                        "limit: 12,",
                        " requested 12 ",
                        "requested: 400 ",
                        "requested 400.",
                        "limit",
                        "Limit",
                        "limit:",
                        "x",
                        " ",
                        " ",
                        "0",
                        "0.",
                        "05",
                        "12",
                        "300",
                        ",",
                        ", used 5, ",
                        "requested",
                        "Requested",
                        "requested:",
                        "_",
                        ".",
                        "x".repeat(55),
                        "1234567890123456")
                .list()
                .ofMaxSize(12)
                .map(pieces -> String.join("", pieces));
    }

    @Property(tries = 20_000)
    void numbersOfLimitsAreFoundWhereTheyAreNear(@ForAll("limits") String line) {
        numbersOfLimitsAreFound(line);
    }

    @Property(tries = 3_000)
    void wordsOfWaitingAreFoundWhereverTheyStand(@ForAll("waits") String line) {
        String lower = line.toLowerCase(Locale.ROOT);
        for (Matcher lead = Prose.LEAD.matcher(lower); lead.find(); ) {
            assertThat(Prose.LEADS.mayBe(lower, lead.start())).isTrue();
        }
        for (Matcher lead = Prose.OTHER_LEAD.matcher(lower); lead.find(); ) {
            assertThat(Prose.OTHER_LEADS.mayBe(lower, lead.start())).isTrue();
        }
    }

    @Provide
    Arbitrary<String> waits() {
        return Arbitraries.of(
                        "try",
                        "try again in ",
                        "retry",
                        "retry after ",
                        "retry-after: ",
                        "wait ",
                        "reset",
                        "resets in ",
                        "available in ",
                        "come back in ",
                        "back off ",
                        "versuchen Sie es in ",
                        "réessayez dans ",
                        "espere ",
                        "intente en ",
                        "tente novamente em ",
                        "attendere ",
                        "riprova tra ",
                        "patientez ",
                        "30",
                        "5s",
                        "1m",
                        " ",
                        "an hour",
                        "x",
                        "r",
                        "t",
                        "ret",
                        ".",
                        "30秒後",
                        "等待")
                .list()
                .ofMaxSize(10)
                .map(pieces -> String.join("", pieces));
    }

    @Property(tries = 5_000)
    void secretsAreFoundInAnyCase(@ForAll("mixed") String line) {
        List<String> secrets = List.of("abba-xyz", "wBCd", "\u00E9tat", "b+.q", "ab");
        String expected = line;
        for (String secret : secrets) {
            String border = secret.length() < 4 ? "[A-Za-z0-9]" : "(?!)";
            expected = Pattern.compile(
                            "(?<!" + border + ")" + Pattern.quote(secret) + "(?!" + border + ")",
                            Pattern.CASE_INSENSITIVE)
                    .matcher(expected)
                    .replaceAll("***");
        }
        assertThat(KnownSecrets.of(secrets).mask(line)).isEqualTo(expected);
    }

    @Provide
    Arbitrary<String> mixed() {
        return Arbitraries.of(
                        "abba-xyz",
                        "ABBA-",
                        "wbcd",
                        "WBCD",
                        "\u00E9tat",
                        "b+.q",
                        "ab",
                        "AB",
                        " ",
                        "x",
                        "-",
                        "\uD83D\uDE00")
                .list()
                .ofMaxSize(8)
                .map(pieces -> String.join("", pieces));
    }
}
