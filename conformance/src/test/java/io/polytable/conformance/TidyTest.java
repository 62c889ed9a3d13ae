package io.polytable.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.conformance.source.JavaOutline;
import io.polytable.conformance.source.SourceFile;
import io.polytable.conformance.source.SourceTree;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Style rules that a machine can check, over every text file of the repository. */
class TidyTest {
    private static final int FILE_LINES_MAX = 800;
    private static final int METHOD_LINES_MAX = 60;

    /** Including {@code package-info.java}. */
    private static final List<String> SMALL_PACKAGES = List.of("cells", "hbase", "redis", "store");

    private static final int PACKAGE_FILES_MAX = 31;

    private static final Pattern TYPE = Pattern.compile("\\b(?:class|interface|enum|record) (\\w+)[\\s<({]");
    private static final Pattern VAGUE_NAME =
            Pattern.compile("\\w+(Manager|Helper|Helpers|Util|Utils|Impl|Base|Data|Info)");
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)#\\s]+)(?:#[^)]*)?\\)");

    // Written in halves, so that this file does not violate its own rules.
    private static final Pattern UNFINISHED = Pattern.compile("\\b(TO" + "DO|FIX" + "ME|X" + "XX)\\b");
    private static final Pattern REGISTRY = Pattern.compile("repo1?\\.maven|central\\.sona" + "type|oss\\.sona"
            + "type|maven\\.goo" + "gle|plugins\\.gra" + "dle|jit"
            + "pack\\.io|registry\\.n" + "pmjs|py" + "pi\\.org|crates\\." + "io|docker\\." + "io|gh" + "cr\\.io|qu"
            + "ay\\.io|mvn" + "repository");
    private static final Pattern MACHINE_PATH =
            Pattern.compile("(?<![\\w.])/(home|root|Users|work" + ")/\\w|[A-Z]:\\\\Users");
    private static final Pattern UNTIDY_SPACE = Pattern.compile("\t|[ \u00a0]+$");

    /** Phrases that a database engineer would not write, with the term that replaces each. */
    private static final Map<Pattern, String> PHRASES = Map.ofEntries(
            phrase("\\banew\\b", "again"),
            phrase("\\b(goes|go|went) on\\b", "continues"),
            phrase("\\bare at work\\b", "concurrent"),
            phrase("cannot be had", "cannot be bound"),
            phrase("cannot stand here", "is not allowed here"),
            phrase("mistake of ours", "internal error"),
            phrase("(can no longer|could not) be told", "could not be notified"),
            phrase("lets everybody", "allows everyone"),
            phrase("\\bown word\\b", "a claim that is not verified"),
            phrase("system's own", "reserved"),
            phrase("got lost", "no reply"),
            phrase("fell silent", "unresponsive"),
            phrase("\\bfor ever\\b", "forever"),
            phrase("\\bin vain\\b", "for nothing"),
            phrase("credentials are not known", "authentication failed"),
            phrase("does not answer to", "is not allowed"),
            phrase(
                    "(?<!would |may |might |could |will |not |never )\\bha(s|ve) to (be|say|stop|wait|start)\\b",
                    "must"),
            phrase("\\b(no|without|for|is|with|more|enough|leaves?) room\\b", "space"),
            phrase("\\b(calls|is|are|was) under way\\b", "in progress"),
            phrase("\\bmend(s|ed|ing)?\\b", "repair"),
            phrase("\\bpil(es?|ed) up\\b", "accumulate"),
            phrase("\\b(brings?|brought) back\\b", "restore"),
            phrase("\\bshall\\b", "must, should"),
            phrase("\\bat rest\\b", "offline"),
            phrase("\\btells\\b|\\b(be|is|are|was) told\\b|\\btell (about|the|its|that)\\b", "report, notify, show"),
            phrase("\\bruns? beside\\b", "concurrently with"),
            phrase(
                    "\\bbeside (plain|redis-server|HBase|H2|DuckDB|SQLite|a (flush|scan|client|writer))\\b",
                    "compared with, during"),
            phrase("(\\b(once|twice|times)|[0-9]|[KMG]B) an? (second|minute|hour)\\b", "per"),
            phrase(
                    "\\b(microseconds|milliseconds|nanoseconds|bytes|[0-9] rows|entries) an? "
                            + "(operation|command|request|commit|row|key|node)\\b",
                    "per"),
            phrase("; answers (how|whether|what)\\b|\\bAnswers (how|whether)\\b", "returns"),
            phrase("\\b(the|every|other|all|these) faces?\\b", "endpoint in documents, frontend in code"));

    private static final SourceTree TREE = SourceTree.read(root());

    @Test
    void everyPackageHasItsPage() {
        Set<String> packages = new HashSet<>();
        Set<String> described = new HashSet<>();
        for (SourceFile file : TREE.java()) {
            if (!file.path().contains("/src/")) {
                // A program of one file, which is run from its source.
                continue;
            }
            String name = packageOf(file);
            packages.add(name);
            if (file.path().endsWith("/package-info.java") && file.text().contains("@NullMarked")) {
                described.add(name);
            }
        }
        packages.removeAll(described);
        assertThat(packages)
                .as("packages without a package-info.java that is @NullMarked")
                .isEmpty();
    }

    @Test
    void filesAreShort() {
        List<String> tooLong = TREE.java().stream()
                .filter(file -> file.lines().size() > FILE_LINES_MAX)
                .map(file -> file.path() + ": " + file.lines().size() + " lines")
                .toList();
        assertThat(tooLong).isEmpty();
    }

    @Test
    void packagesAreSmall() {
        Map<String, Integer> files = new TreeMap<>();
        for (SourceFile file : TREE.java()) {
            if (SMALL_PACKAGES.stream().anyMatch(module -> file.path().startsWith(module + "/src/main/"))) {
                files.merge(packageOf(file), 1, Integer::sum);
            }
        }
        assertThat(files).as("otherwise the rule holds for the wrong reason").hasSizeGreaterThan(10);
        files.values().removeIf(count -> count <= PACKAGE_FILES_MAX);
        assertThat(files).isEmpty();
    }

    @Test
    void methodsAreShort() {
        List<String> tooLong = new ArrayList<>();
        for (SourceFile file : TREE.java()) {
            JavaOutline.methods(file).stream()
                    .filter(method -> method.lines() > METHOD_LINES_MAX)
                    .forEach(method -> tooLong.add(file.path() + ":" + method.firstLine() + ": " + method.lines()
                            + " lines, " + method.header()));
        }
        assertThat(tooLong).isEmpty();
    }

    @Test
    void namesSayWhatAThingDoes() {
        List<String> vague = new ArrayList<>();
        for (SourceFile file : TREE.java()) {
            Matcher types = TYPE.matcher(file.text());
            while (types.find()) {
                if (VAGUE_NAME.matcher(types.group(1)).matches()) {
                    vague.add(file.path() + ": " + types.group(1));
                }
            }
        }
        assertThat(vague).isEmpty();
    }

    @Test
    void nothingIsLeftUnfinished() {
        assertNowhere(UNFINISHED);
    }

    @Test
    void spacesAreTidy() {
        assertNowhere(UNTIDY_SPACE);
    }

    @Test
    void noRegistryIsNamed() {
        assertNowhere(REGISTRY);
    }

    @Test
    void noMachineIsNamed() {
        assertNowhere(MACHINE_PATH);
    }

    @Test
    void linksLeadSomewhere() {
        List<String> broken = new ArrayList<>();
        for (SourceFile file : TREE.markdown()) {
            Matcher links = LINK.matcher(file.text());
            while (links.find()) {
                String link = links.group(1);
                if (!link.matches("[a-z]+:.*") && !TREE.leadsSomewhere(file, link)) {
                    broken.add(file.path() + ": " + link);
                }
            }
        }
        assertThat(broken).isEmpty();
    }

    @Test
    void textsUseTheTermsOfTheField() {
        List<String> found = new ArrayList<>();
        for (SourceFile file : TREE.files()) {
            boolean isPage = file.isMarkdown() && !file.path().equals("CHANGELOG.md");
            if (isPage || file.path().contains("/src/main/")) {
                PHRASES.forEach((phrase, instead) ->
                        file.findings(phrase).forEach(place -> found.add(place + " (instead: " + instead + ")")));
            }
        }
        assertThat(found).isEmpty();
    }

    private static Map.Entry<Pattern, String> phrase(String pattern, String instead) {
        return Map.entry(Pattern.compile(pattern), instead);
    }

    private void assertNowhere(Pattern pattern) {
        List<String> found = new ArrayList<>();
        TREE.files().forEach(file -> found.addAll(file.findings(pattern)));
        assertThat(found).isEmpty();
    }

    /** The module and the package: main and test share a package page. */
    private static String packageOf(SourceFile file) {
        String directory = file.path().substring(0, Math.max(0, file.path().lastIndexOf('/')));
        return directory.replaceFirst("src/(main|test)/java/", "");
    }

    private static Path root() {
        return Path.of(System.getProperty("polytable.root", ".."))
                .toAbsolutePath()
                .normalize();
    }
}
