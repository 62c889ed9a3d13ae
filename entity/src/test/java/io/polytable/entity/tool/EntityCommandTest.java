package io.polytable.entity.tool;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The commands as a shell calls them, on the embedded store. */
class EntityCommandTest {
    private static final String LAYOUT = """
            { "name": "users", "keys_format": {"encoding": "RAW"}, "locality_groups": [
              {"name": "main", "max_versions": 3, "families": [
                {"name": "info", "columns": [
                  {"name": "name", "column_schema": {"type": "AVRO", "value": "string"}},
                  {"name": "at", "column_schema": {"type": "AVRO", "value": {"type": "record", "name": "At",
                    "fields": [{"name": "x", "type": "int"}]}}},
                  {"name": "visits", "column_schema": {"type": "COUNTER"}}]},
                {"name": "tags", "map_schema": {"type": "RAW_BYTES"}}]}]}""";

    /** A file that is always on a full disk. */
    private static final Path FULL = Path.of("/dev/full");

    @TempDir
    Path directory;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private String run(String... words) {
        out.getBuffer().setLength(0);
        err.getBuffer().setLength(0);
        int code = new CommandLine(new EntityCommand())
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .execute(words);
        assertThat(code).as(err.toString()).isZero();
        return out.toString();
    }

    private String refused(String... words) {
        err.getBuffer().setLength(0);
        int code = new CommandLine(new EntityCommand())
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .execute(words);
        assertThat(code).isEqualTo(1);
        return err.toString();
    }

    @Test
    void fromInstallToUninstall() throws IOException {
        String store = "polytable://" + directory.resolve("data") + "/";
        String instance = store + "demo";
        String users = store + "/demo/users";
        Path layout = directory.resolve("users.json");
        Files.writeString(layout, LAYOUT);
        run("install", instance, "--property", "owner=me");
        assertThat(run("ls", store)).isEqualTo("demo\n");
        assertThat(run("system", instance)).contains("owner = me");
        run("create-table", instance, "--layout", layout.toString());
        assertThat(run("ls", instance)).isEqualTo("users\n");
        assertThat(run("ls", users)).isEqualTo("info\ninfo:name\ninfo:at\ninfo:visits\ntags:*\n");

        run("put", users + "/info:name", "--id", "ada", "--value", "Ada", "--time", "5");
        run("put", users + "/info:at", "--id", "ada", "--value", "{\"x\": 3}", "--time", "6");
        run("put", users + "/tags:t", "--id", "bob", "--value", "00ff", "--time", "7");
        assertThat(run("increment", users + "/info:visits", "--id", "bob", "--by", "4"))
                .isEqualTo("4\n");
        assertThat(run("get", users + "/info", "--id", "ada"))
                .isEqualTo("ada\n  info:at\t6\t{\"x\": 3}\n  info:name\t5\tAda\n");
        assertThat(run("scan", users + "/info:name,tags"))
                .isEqualTo("ada\n  info:name\t5\tAda\nbob\n  tags:t\t7\t00ff\n");
        assertThat(run("scan", users + "/tags", "--from", "b", "--limit", "1")).startsWith("bob\n");
        assertThat(run("scan", users, "--filter", "{\"has\":\"info:name\"}"))
                .startsWith("ada\n")
                .doesNotContain("bob");
        deletesOfOneCell(users);
        run("delete", users + "/info:name", "--id", "ada", "--newest");
        run("delete", users, "--id", "bob");
        assertThat(run("scan", users)).isEqualTo("ada\n  info:at\t6\t{\"x\": 3}\n");
        layouts(users, layout);
        assertThat(run("schema", instance)).contains("\"name\":\"At\"");
        run("drop-table", users);
        assertThat(run("ls", instance)).isEmpty();
        run("uninstall", instance);
        assertThat(run("ls", store)).isEmpty();
    }

    private void deletesOfOneCell(String users) {
        for (String[] cell : new String[][] {{"--at", "5"}, {"--newest"}}) {
            for (String place : new String[] {users, users + "/info"}) {
                String[] words = {"delete", place, "--id", "ada", cell[0]};
                String[] all = cell.length == 1
                        ? words
                        : new String[] {words[0], words[1], words[2], words[3], cell[0], cell[1]};
                assertThat(refused(all)).contains("must name a column");
            }
        }
        assertThat(refused("delete", users + "/info:name", "--id", "ada", "--at", "5", "--up-to", "9"))
                .contains("one of --up-to, --at and --newest");
        assertThat(run("get", users + "/info", "--id", "ada")).contains("info:at\t6", "info:name\t5");
    }

    private void layouts(String users, Path layout) throws IOException {
        String wanted = run("layout", users).replace("\"max_versions\" : 3", "\"max_versions\" : 9");
        Files.writeString(layout, wanted.replace("\"layout_id\" : \"1\"", "\"reference_layout\" : \"1\""));
        assertThat(run("layout", users, "--set", layout.toString(), "--dry-run"))
                .isEqualTo("~ locality group main: max versions 3 -> 9\nwould be layout 2\n");
        assertThat(run("layout", users, "--set", layout.toString())).endsWith("now layout 2\n");
        assertThat(run("layout", users, "--history", "5").lines()).hasSize(2);
        assertThat(refused("layout", users, "--set", layout.toString())).contains("another layout");
        assertThat(refused("layout", users.replace("users", "orders"), "--set", layout.toString()))
                .contains("of another table");
        assertThat(run("notes", users + "/info:name", "--set", "about=people")).isEqualTo("info:name about = people\n");
    }

    @Test
    void whatAnInstanceRemembers() throws IOException {
        String store = "polytable://" + directory.resolve("data") + "/";
        String users = store + "/demo/users";
        Path layout = directory.resolve("users.json");
        Files.writeString(layout, LAYOUT);
        run("install", store + "demo");
        run("install", store + "copy");
        run("create-table", store + "demo", "--layout", layout.toString());
        assertThat(run("version", store + "demo"))
                .contains("polytable-entity-1")
                .contains("ORDERED_SCANS");
        assertThat(run("flush", users)).startsWith("flushed");
        run("system", store + "demo", "--put", "a=b");
        assertThat(run("system", store + "demo", "--get", "a")).isEqualTo("b\n");
        assertThat(run("system", store + "demo", "--remove", "a")).doesNotContain("a = b");
        assertThat(refused("system", store + "demo", "--remove", "data-version"))
                .contains("it stays");
        run("schema", store + "demo", "--register", "double");
        String id = run("schema", store + "demo")
                .lines()
                .filter(line -> line.endsWith("\"double\""))
                .findFirst()
                .orElseThrow()
                .split("\t", -1)[0];
        assertThat(run("schema", store + "demo", "--id", id)).isEqualTo("\"double\"\n");
        assertThat(refused("schema", store + "demo", "--hash", "00")).contains("No schema");
        run("notes", users, "--set", "one=1", "--set", "two=2");
        assertThat(run("notes", users, "--key", "t.*")).isEqualTo("two = 2\n");
        assertThat(run("notes", users, "--remove", "one")).isEqualTo("two = 2\n");
        assertThat(run("permissions", users, "--grant", "READ,WRITE", "--to", "ann"))
                .isEqualTo("ann\t[READ, WRITE]\n");
        assertThat(run("permissions", users, "--revoke", "WRITE", "--to", "ann"))
                .isEqualTo("ann\t[READ]\n");
        assertThat(refused("put", users + "/info:name?user=ann", "--id", "x", "--value", "y"))
                .contains("lacks a permission");
        Path backup = directory.resolve("backup.json");
        run("metadata", store + "demo", "--backup", backup.toString());
        assertThat(refused("metadata", store + "demo", "--backup", backup.toString()))
                .contains("exists");
        assertThat(run("metadata", store + "copy", "--restore", backup.toString()))
                .contains("restored table users");
        assertThat(run("ls", store + "copy")).isEqualTo("users\n");
    }

    @Test
    void aFileIsImportedAndRejectsAreReported() throws IOException {
        String store = "polytable://" + directory.resolve("data") + "/";
        String users = store + "/demo/users";
        Path layout = directory.resolve("users.json");
        Files.writeString(layout, LAYOUT);
        run("install", store + "demo");
        run("create-table", store + "demo", "--layout", layout.toString());
        Path file = directory.resolve("users.csv");
        Path rejects = directory.resolve("rejects.jsonl");
        Files.writeString(file, "id,who,info:visits\nada,Ada,1\nbob,Bob,many\n");
        assertThat(refused(
                        "import",
                        users,
                        file.toString(),
                        "--id",
                        "id",
                        "--column",
                        "who=info:name",
                        "--rejected",
                        rejects.toString()))
                .contains("rejected 3:")
                .contains("read 2, written 1, rejected 1");
        assertThat(out.toString()).contains("1 records imported, 1 rejected\n");
        assertThat(Files.readString(rejects)).contains("\"record\":\"bob,Bob,many\"");
        assertThat(run("scan", users + "/info:name")).startsWith("ada\n").doesNotContain("bob");
        if (Files.exists(FULL)) {
            assertThat(refused("import", users, file.toString(), "--id", "id", "--rejected", FULL.toString()))
                    .as("a report that cannot be written")
                    .contains("No space left");
        }
    }

    @Test
    void mistakesAreSaidInALine() {
        assertThat(refused("ls", "nonsense")).contains("scheme");
        assertThat(refused("get", "polytable://" + directory + "/nobody", "--id", "x"))
                .contains("no instance");
        assertThat(refused("create-table", "polytable://" + directory + "/demo", "--layout", "nowhere.json"))
                .contains("nowhere.json");
    }
}
