package dev.holdfast.benchmarks.lab;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.core.config.Configuration;
import dev.holdfast.core.config.Variables;
import dev.holdfast.simulation.Profile;
import dev.holdfast.simulation.lab.Experiment;
import dev.holdfast.simulation.lab.LabPolicy;
import dev.holdfast.simulation.lab.Sweep;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

class ReportPageTest {
    private static final Pattern SVG = Pattern.compile("<svg .*?</svg>", Pattern.DOTALL);
    private static String swept = "";
    private static String compared = "";

    @BeforeAll
    static void runBoth() {
        Experiment experiment = Experiment.of(Profile.named("outages")).withRequests(500);
        compared = experiment.run((done, all) -> {}).html();
        LabPolicy hostile = LabPolicy.of(
                "<b>&\"one\"", Configuration.ofJson("p", "{\"retry\": \"adaptive\"}", Variables.ofProcess()));
        swept = experiment
                .withPolicies(hostile, LabPolicy.named("fixed"))
                .withSweep(Sweep.of("retry.max-attempts=1,2,3", "retry.backoff=fixed(100ms),exponential(1s, x2)"))
                .withSeeds(1, 2)
                .run((done, all) -> {})
                .html();
    }

    private static List<Document> drawings(String page) throws Exception {
        var factory = DocumentBuilderFactory.newInstance();
        var drawings = new ArrayList<Document>();
        var matcher = SVG.matcher(page);
        while (matcher.find()) {
            drawings.add(factory.newDocumentBuilder().parse(new InputSource(new StringReader(matcher.group()))));
        }
        return drawings;
    }

    private static List<Element> all(Document drawing, String name) {
        NodeList found = drawing.getElementsByTagName(name);
        var elements = new ArrayList<Element>();
        for (int i = 0; i < found.getLength(); i++) {
            elements.add((Element) found.item(i));
        }
        return elements;
    }

    @Test
    void thePageAsksForNothingElse() {
        for (String page : List.of(swept, compared)) {
            assertThat(page.replace("http://www.w3.org/2000/svg", ""))
                    .doesNotContainPattern("(?i)(src|href)\\s*=|url\\((?!#)|@import|https?://");
            assertThat(page).contains("prefers-color-scheme: dark", "name=\"viewport\"", "lang=\"en\"");
        }
    }

    @Test
    void whatIsNamedByTheUserIsText() {
        assertThat(swept).contains("&lt;b&gt;&amp;&quot;one&quot;").doesNotContain("<b>");
    }

    @Test
    void everyDrawingIsToldToThoseWhoDoNotSeeIt() throws Exception {
        for (String page : List.of(swept, compared)) {
            List<Document> drawings = drawings(page);
            assertThat(drawings).hasSizeGreaterThanOrEqualTo(8);
            for (Document drawing : drawings) {
                Element root = drawing.getDocumentElement();
                String title = root.getElementsByTagName("title").item(0).getTextContent();
                assertThat(root.getAttribute("role")).isEqualTo("img");
                assertThat(root.getAttribute("aria-labelledby").split(" ")).hasSize(2);
                assertThat(title).isNotBlank();
                assertThat(all(drawing, "desc"))
                        .singleElement()
                        .satisfies(desc -> assertThat(desc.getTextContent()).hasSizeGreaterThan(40));
            }
            assertThat(page.split("<figure ", -1)).hasSameSizeAs(page.split("As a table", -1));
        }
    }

    @Test
    void idsAreThereOnce() {
        for (String page : List.of(swept, compared)) {
            var ids = Pattern.compile(" id=\"([^\"]+)\"")
                    .matcher(page)
                    .results()
                    .map(found -> found.group(1))
                    .toList();
            assertThat(ids).doesNotHaveDuplicates();
        }
    }

    /** Widths as the page's letters have them, about. */
    @Test
    void labelsLieWithinTheDrawingAndNotOnEachOther() throws Exception {
        for (String page : List.of(swept, compared)) {
            for (Document drawing : drawings(page)) {
                double width = Double.parseDouble(drawing.getDocumentElement().getAttribute("width"));
                double height = Double.parseDouble(drawing.getDocumentElement().getAttribute("height"));
                var boxes = new LinkedHashMap<String, double[]>();
                for (Element text : all(drawing, "text")) {
                    double[] box = box(text);
                    String where = drawing.getDocumentElement()
                                    .getElementsByTagName("title")
                                    .item(0)
                                    .getTextContent() + " " + width + ": " + text.getTextContent();
                    assertThat(box[0]).as(where).isGreaterThanOrEqualTo(-2);
                    assertThat(box[2]).as(where).isLessThanOrEqualTo(width + 2);
                    assertThat(box[1]).as(where).isGreaterThanOrEqualTo(-1);
                    assertThat(box[3]).as(where).isLessThanOrEqualTo(height);
                    for (Map.Entry<String, double[]> each : boxes.entrySet()) {
                        double[] other = each.getValue();
                        boolean meet = box[0] < other[2] && other[0] < box[2] && box[1] < other[3] && other[1] < box[3];
                        assertThat(meet).as(where + " on " + each.getKey()).isFalse();
                    }
                    boxes.put(text.getTextContent() + " " + boxes.size(), box);
                }
            }
        }
    }

    private static double[] box(Element text) {
        double width = text.getTextContent().length() * 6.0;
        double x = Double.parseDouble(text.getAttribute("x"));
        double y = Double.parseDouble(text.getAttribute("y"));
        double left =
                switch (text.getAttribute("text-anchor")) {
                    case "end" -> x - width;
                    case "middle" -> x - width / 2;
                    default -> x;
                };
        return new double[] {left, y - 9, left + width, y + 2};
    }

    @Test
    void noPlaceIsUnknown() {
        assertThat(swept + compared).doesNotContain("NaN", "Infinity");
    }
}
