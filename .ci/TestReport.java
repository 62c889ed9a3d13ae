import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.xml.parsers.DocumentBuilder;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/**
 * Reads the reports that Surefire left below a directory and prints what a reader wants to know at the end of a run: the
 * failures with their logs, the flakes with their first failure, what was skipped and how to get it, the slowest classes
 * and the totals.
 *
 * <p>Started from source: {@code java .ci/TestReport.java DIRECTORY [--brief]}. With {@code --brief} it leaves out the
 * slowest classes.
 */
public final class TestReport {
    private static final int SLOWEST = 30;

    private record Incident(String test, String message, String trace) {}

    private record TestClass(String name, double seconds) {}

    private final DocumentBuilder parser;
    private final List<TestClass> classes = new ArrayList<>();
    private final List<Incident> failures = new ArrayList<>();
    private final List<Incident> flakes = new ArrayList<>();
    private final Map<String, Integer> skips = new TreeMap<>();
    private final List<Path> failedLogs = new ArrayList<>();
    private int tests;
    private int skipped;

    private TestReport() throws ParserConfigurationException {
        DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
        factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
        parser = factory.newDocumentBuilder();
    }

    public static void main(String[] arguments) throws Exception {
        TestReport report = new TestReport();
        for (Path file : reportsBelow(Path.of(arguments[0]))) {
            report.read(file);
        }
        report.print(arguments.length > 1 && arguments[1].equals("--brief"));
    }

    private static List<Path> reportsBelow(Path root) throws IOException {
        List<Path> reports = new ArrayList<>();
        Files.walkFileTree(root, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
                String name = directory.getFileName() == null ? "" : directory.getFileName().toString();
                return name.equals("src") || name.equals(".git") || name.equals("node_modules")
                        ? FileVisitResult.SKIP_SUBTREE
                        : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                String name = file.getFileName().toString();
                if (name.startsWith("TEST-") && name.endsWith(".xml") && file.getParent().endsWith("surefire-reports")) {
                    reports.add(file);
                }
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException failure) {
                return FileVisitResult.CONTINUE;
            }
        });
        return reports;
    }

    private void read(Path file) throws IOException, SAXException {
        Element suite = parser.parse(file.toFile()).getDocumentElement();
        String name = suite.getAttribute("name");
        classes.add(new TestClass(name, Double.parseDouble(suite.getAttribute("time").replace(",", ""))));
        boolean failed = false;
        NodeList cases = suite.getElementsByTagName("testcase");
        for (int i = 0; i < cases.getLength(); i++) {
            failed |= readCase((Element) cases.item(i));
        }
        if (failed) {
            failedLogs.add(file.resolveSibling(name + "-output.txt"));
        }
    }

    /** Returns whether the test failed, also when it ran again. */
    private boolean readCase(Element test) {
        String name = test.getAttribute("classname") + "." + test.getAttribute("name");
        tests++;
        boolean failed = false;
        boolean flaky = false;
        for (Node node = test.getFirstChild(); node != null; node = node.getNextSibling()) {
            if (node instanceof Element outcome) {
                switch (outcome.getTagName()) {
                    case "failure", "error" -> {
                        failures.add(incident(name, outcome));
                        failed = true;
                    }
                    case "flakyFailure", "flakyError" -> {
                        if (!flaky) {
                            flakes.add(incident(name, outcome));
                        }
                        flaky = true;
                    }
                    case "skipped" -> {
                        skipped++;
                        skips.merge(outcome.getAttribute("message"), 1, Integer::sum);
                    }
                    default -> {}
                }
            }
        }
        return failed;
    }

    private static Incident incident(String test, Element outcome) {
        NodeList traces = outcome.getElementsByTagName("stackTrace");
        String trace = traces.getLength() > 0 ? traces.item(0).getTextContent() : outcome.getTextContent();
        return new Incident(test, outcome.getAttribute("message"), trace.strip());
    }

    private void print(boolean brief) throws IOException {
        for (Path log : failedLogs) {
            if (Files.isRegularFile(log)) {
                System.out.println("---- log of " + log.getFileName());
                System.out.println(new String(Files.readAllBytes(log), StandardCharsets.UTF_8));
            }
        }
        failures.forEach(failure -> print("FAILED", failure));
        if (!brief) {
            printSlowest();
        }
        if (!skips.isEmpty()) {
            System.out.println("Skipped:");
            skips.forEach((reason, count) -> System.out.printf("  %4d  %s%n", count, reason));
        }
        flakes.forEach(flake -> print("FLAKE (failed once, passed when it ran again)", flake));
        System.out.printf("Test classes: %d, flakes: %d%n", classes.size(), flakes.size());
        int passed = tests - failures.size() - skipped;
        System.out.printf("%d passed, %d failed, %d skipped%n", passed, failures.size(), skipped);
    }

    private void printSlowest() {
        System.out.println("Slowest classes, in seconds:");
        classes.stream()
                .sorted(Comparator.comparingDouble(TestClass::seconds).reversed())
                .limit(SLOWEST)
                .forEach(slow -> System.out.printf("  %6.1f  %s%n", slow.seconds(), slow.name()));
    }

    private static void print(String what, Incident incident) {
        System.out.println(what + ": " + incident.test());
        System.out.println("  " + incident.trace().replace("\n", "\n  "));
    }
}
