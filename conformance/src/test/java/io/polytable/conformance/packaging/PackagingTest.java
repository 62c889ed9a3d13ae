package io.polytable.conformance.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.conformance.process.Tool;
import io.polytable.frontend.setting.Origin;
import io.polytable.frontend.setting.Settings;
import io.polytable.server.config.ServerCatalog;
import io.polytable.table.testkit.Program;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

class PackagingTest {
    private static final Path ROOT = Path.of(System.getProperty("polytable.root", ".."));
    private static final Path FILES = ROOT.resolve("packaging");
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)#\\s]+)(?:#[^)]*)?\\)");
    private static final String GROUPS = "sbom.json lists each library with its version:\n\n";
    private static final Pattern ENVIRONMENT = Pattern.compile("([A-Z_]+)=(\\S+)");

    @TempDir
    private Path directory;

    @Test
    void theUnitIsValid() throws IOException {
        Tool systemd = Tool.need("systemd-analyze");
        // The program must exist where the unit names it.
        Path program = Files.createFile(directory.resolve("polytable"));
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
        String unit = Files.readString(FILES.resolve("polytable.service"));
        assertThat(unit).contains("ExecStart=/opt/polytable/polytable serve");
        Path copy = Files.writeString(
                directory.resolve("polytable.service"), unit.replace("/opt/polytable/polytable", program.toString()));
        assertThat(systemd.run(directory, 60, "verify", "--man=no", copy.toString()))
                .doesNotContain("polytable.service:");
        accepted(ENVIRONMENT
                .matcher(unit)
                .results()
                .filter(variable -> variable.group(1).equals("DATA_DIR"))
                .collect(Collectors.toMap(v -> v.group(1), v -> v.group(2))));
    }

    @Test
    void theImageRunsWithoutRootAndReportsItsHealth() throws IOException {
        List<String> instructions = instructions(Files.readString(FILES.resolve("Containerfile")));
        assertThat(instructions.stream().filter(line -> line.startsWith("FROM ")))
                .as("stages")
                .hasSize(2);
        List<String> runtime =
                instructions.subList(instructions.lastIndexOf("FROM ${RUNTIME_IMAGE}"), instructions.size());
        assertThat(runtime).contains("USER 10001:10001", "VOLUME /data", "STOPSIGNAL SIGTERM");
        assertThat(runtime).anyMatch(line -> line.startsWith("HEALTHCHECK ") && line.endsWith("\"status\"]"));
        assertThat(runtime.indexOf("USER 10001:10001"))
                .as("the user is set before the program starts")
                .isLessThan(runtime.indexOf("ENTRYPOINT [\"/opt/polytable/polytable\"]"));
        Map<String, String> environment = new HashMap<>();
        runtime.stream()
                .filter(line -> line.startsWith("ENV "))
                .forEach(line -> ENVIRONMENT
                        .matcher(line)
                        .results()
                        .forEach(variable -> environment.put(variable.group(1), variable.group(2))));
        assertThat(environment).containsKey("DATA_DIR");
        accepted(environment);
    }

    /** The directory that the archive is made of. {@code mvn verify} has built it by now. */
    @Test
    void theNoticeNamesEveryGroupOfLibrariesWithItsLicences() throws IOException {
        Map<String, Set<String>> licences = new TreeMap<>();
        String bill = bill();
        for (Object component :
                (List<?>) at(new Yaml(new SafeConstructor(new LoaderOptions())).load(bill), "components")) {
            Map<?, ?> library = (Map<?, ?>) component;
            String group = String.valueOf(library.get("group"));
            if (!group.equals("io.polytable")) {
                licences.computeIfAbsent(group, first -> new TreeSet<>()).addAll(licences(library));
            }
        }
        StringBuilder lines = new StringBuilder();
        licences.forEach((group, stated) -> lines.append(group)
                .append(": ")
                .append(String.join(", ", stated))
                .append('\n'));
        Path notice = ROOT.resolve("NOTICE");
        String text = Files.readString(notice);
        int start = text.indexOf(GROUPS) + GROUPS.length();
        if (Boolean.getBoolean("polytable.rewrite")) {
            Files.writeString(notice, text.substring(0, start) + lines);
        }
        assertThat(Files.readString(notice).substring(start))
                .as("after the groups in NOTICE; -Dpolytable.rewrite=true writes them")
                .isEqualTo(lines.toString());
    }

    private static List<String> licences(Map<?, ?> library) {
        List<String> stated = new ArrayList<>();
        for (Object choice : (List<?>) at(library, "licenses")) {
            Map<?, ?> one = (Map<?, ?>) choice;
            Map<?, ?> named = one.containsKey("license") ? (Map<?, ?>) at(one, "license") : one;
            Stream.of("id", "name", "expression")
                    .map(named::get)
                    .filter(Objects::nonNull)
                    .findFirst()
                    .ifPresent(licence -> stated.add(String.valueOf(licence)));
        }
        assertThat(stated).as("licences of %s", library.get("name")).isNotEmpty();
        return stated;
    }

    @Test
    void theReleaseHoldsDocumentsSettingsAndTheListOfItsLibraries() throws IOException {
        Path release = release();
        for (String file : List.of("LICENSE", "NOTICE", "docs/operations.md", "polytable.properties.sample")) {
            assertThat(release.resolve(file)).exists();
        }
        for (String page : List.of("README.md", "packaging/README.md")) {
            Path directory = Objects.requireNonNull(release.resolve(page).getParent());
            LINK.matcher(Files.readString(release.resolve(page)))
                    .results()
                    .map(link -> link.group(1))
                    .filter(link -> !link.contains(":"))
                    .forEach(link -> assertThat(directory.resolve(link))
                            .as("link in %s of the release", page)
                            .exists());
        }
        assertThat(bill()).contains("CycloneDX", "\"rocksdbjni\"", "\"duckdb_jdbc\"", "\"netty-handler\"");
        try (JarFile jar = new JarFile(release.resolve("lib/rocksdbjni.jar").toFile())) {
            assertThat(jar.stream().map(JarEntry::getName).filter(name -> name.startsWith("librocksdbjni")))
                    .containsExactlyInAnyOrder(
                            "librocksdbjni-linux64.so",
                            "librocksdbjni-linux64-musl.so",
                            "librocksdbjni-linux-aarch64.so",
                            "librocksdbjni-linux-aarch64-musl.so");
        }
        try (JarFile jar = new JarFile(release.resolve("lib/duckdb_jdbc.jar").toFile())) {
            assertThat(jar.stream().map(JarEntry::getName).filter(name -> name.startsWith("libduckdb")))
                    .containsExactlyInAnyOrder("libduckdb_java.so_linux_amd64", "libduckdb_java.so_linux_arm64");
        }
    }

    /** The list of libraries. */
    private static String bill() throws IOException {
        Path bill = release().resolve("sbom.json");
        if (!Files.exists(bill)) {
            throw Program.absent("the release was built offline, without sbom.json");
        }
        return Files.readString(bill);
    }

    private static Path release() throws IOException {
        try (DirectoryStream<Path> found =
                Files.newDirectoryStream(Files.createDirectories(ROOT.resolve("server/target")), "polytable-*[!z]")) {
            Iterator<Path> built = found.iterator();
            if (!built.hasNext()) {
                throw Program.absent("no release is built; mvn package builds it");
            }
            Path release = built.next();
            return release.resolve(release.getFileName());
        }
    }

    @Test
    void theKubernetesObjectsFitTogether() throws IOException {
        Map<String, Object> objects = new HashMap<>();
        Yaml yaml = new Yaml(new SafeConstructor(new LoaderOptions()));
        for (Object object : yaml.loadAll(Files.readString(FILES.resolve("kubernetes.yaml")))) {
            objects.put(String.valueOf(at(object, "kind")), object);
            assertThat(at(object, "apiVersion")).isNotNull();
            assertThat(at(object, "metadata", "name")).isEqualTo("polytable");
        }
        assertThat(objects).containsOnlyKeys("Secret", "Service", "StatefulSet");
        Object service = at(objects, "Service");
        Object set = at(objects, "StatefulSet");
        Object pod = at(set, "spec", "template", "spec");
        assertThat(at(set, "spec", "serviceName")).isEqualTo(at(service, "metadata", "name"));
        assertThat(at(set, "spec", "replicas"))
                .as("one server for a data directory")
                .isEqualTo(1);
        assertThat(at(set, "spec", "selector", "matchLabels")).isEqualTo(at(service, "spec", "selector"));
        assertThat(at(set, "spec", "template", "metadata", "labels")).isEqualTo(at(service, "spec", "selector"));
        assertThat(at(pod, "securityContext", "runAsNonRoot")).isEqualTo(true);
        assertThat(at(pod, "securityContext", "runAsUser")).isEqualTo(10001);
        Object container = at(pod, "containers", 0);
        assertThat(at(container, "ports"))
                .asInstanceOf(InstanceOfAssertFactories.LIST)
                .extracting(port -> at(port, "name"))
                .containsExactly("redis", "http");
        assertThat(at(service, "spec", "ports"))
                .asInstanceOf(InstanceOfAssertFactories.LIST)
                .extracting(port -> at(port, "targetPort"))
                .containsExactly("redis", "http");
        assertThat(at(container, "livenessProbe", "httpGet", "path")).isEqualTo("/health");
        assertThat(at(container, "readinessProbe", "httpGet", "path")).isEqualTo("/ready");
        assertThat(at(container, "volumeMounts", 0, "name"))
                .isEqualTo(at(set, "spec", "volumeClaimTemplates", 0, "metadata", "name"));
        Object secret = at(container, "env", 0, "valueFrom", "secretKeyRef");
        assertThat(at(secret, "name")).isEqualTo(at(at(objects, "Secret"), "metadata", "name"));
        assertThat(at(at(objects, "Secret"), "stringData", String.valueOf(at(secret, "key"))))
                .isNotNull();
        accepted(Map.of(
                String.valueOf(at(container, "env", 0, "name")),
                "secret",
                String.valueOf(at(container, "env", 1, "name")),
                String.valueOf(at(container, "env", 1, "value"))));
    }

    /** Every variable is a setting with a valid value. */
    private static void accepted(Map<String, String> environment) {
        Settings settings = ServerCatalog.load(List.of(), environment);
        long used = settings.all().stream()
                .filter(setting -> setting.origin() instanceof Origin.Environment)
                .count();
        assertThat(used).isEqualTo(environment.size());
    }

    /** Without comments, continued lines joined. */
    private static List<String> instructions(String containerfile) {
        List<String> instructions = new ArrayList<>();
        for (String line : containerfile
                .replaceAll("(?m)^#.*\n", "")
                .replaceAll("\\\\\n\\s*", "")
                .split("\n", -1)) {
            if (!line.isBlank()) {
                instructions.add(line.strip());
            }
        }
        return instructions;
    }

    private static Object at(Object value, Object... path) {
        Object found = value;
        for (Object step : path) {
            Object next = step instanceof Integer index ? ((List<?>) found).get(index) : ((Map<?, ?>) found).get(step);
            found = Objects.requireNonNull(next, () -> step + " of " + List.of(path));
        }
        return found;
    }
}
