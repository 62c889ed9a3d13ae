package io.polytable.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.frontend.Progress;
import io.polytable.frontend.setting.Settings;
import io.polytable.server.config.StoreSettings.LogPlace;
import io.polytable.server.run.EngineOpener;
import io.polytable.server.run.Parts;
import io.polytable.server.run.RefusedException;
import io.polytable.server.run.RunningStore;
import io.polytable.store.Backup;
import io.polytable.store.LogReplay;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Commands that need no process of their own. */
@ResourceLock(Resources.SYSTEM_ERR)
@ResourceLock(Resources.SYSTEM_OUT)
class PolytableCommandTest {
    @TempDir
    private Path directory;

    private record Outcome(int code, String out, String err) {}

    @Test
    void withoutACommandItHelps() {
        Outcome outcome = run();
        assertThat(outcome.code()).isZero();
        assertThat(outcome.out()).contains("serve", "check", "backup", "config", "version", "help");
    }

    @Test
    void saysItsVersion() {
        assertThat(run("version").out()).matches("polytable \\d+\\.\\d+\\.\\S+ \\(Java \\d+, .*\\)\n");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"--help", "-h", "serve --help", "sql -h", "move --help", "entity --help", "entity scan --help"})
    void everyCommandExplainsItself(String words) {
        Outcome outcome = run(words.split(" "));
        assertThat(outcome.code()).isZero();
        assertThat(outcome.out())
                .startsWith("Usage: polytable" + words.replaceFirst(" ?-.*", "").replaceFirst("^(?=.)", " "));
        assertThat(outcome.err()).isEmpty();
    }

    @Test
    void theVersionIsAnOptionToo() {
        assertThat(run("--version").out()).matches("polytable \\d+\\.\\d+\\.\\S+\n");
    }

    @Test
    void anUnknownCommandIsOneSentence() {
        refuses("There is no command sevre; polytable help lists the commands", "sevre");
    }

    @Test
    void theMemoryPlanIsPrinted() {
        Outcome outcome = run("config", "--memory", "--memory.heap=256mb", "--data.dir=" + directory);
        assertThat(outcome.code()).isZero();
        assertThat(outcome.out().lines())
                .anyMatch(line -> line.matches("store.rows +102 MB +102 MB"))
                .anyMatch(line -> line.matches("redis.reads +1024 kB +42 MB"))
                .anyMatch(line -> line.matches("planned +213 MB +213 MB"))
                .anyMatch(line -> line.matches("sql.memory \\(outside\\) +\\d+ .B"));
        refuses(
                "the memory plan needs 262 MB, and a heap of 256 MB has 213 MB for it;"
                        + " lower memory.rows or raise memory.heap",
                "config",
                "--memory",
                "--memory.heap=256mb",
                "--memory.rows=192mb");
    }

    @Test
    void anUnknownSettingIsOneSentence() {
        refuses("There is no setting --redis.prot; did you mean --redis.port?", "serve", "--redis.prot=1");
        refuses("There is no setting --colour", "config", "--colour", "red");
    }

    @Test
    void argumentsAreCounted() {
        refuses("Missing argument: TARGET", "backup", "--data.dir=" + directory);
        refuses("Unexpected argument: there", "backup", "here", "there");
        refuses("Unexpected argument: now", "serve", "now");
    }

    @Test
    void commandsWantADirectoryThatExists() {
        Path missing = directory.resolve("missing");
        refuses(
                "There is no data directory " + missing + "; --data.dir says which one",
                "check",
                "--data.dir=" + missing);
        assertThat(missing).doesNotExist();
    }

    @Test
    void anAddressNeedsItsHost() {
        refuses(
                "--port, --user, --tls and --ca need --host; without it the server of --data.dir is used",
                "sql",
                "--port",
                "8080",
                "--data.dir=" + directory);
        refuses(
                "No server runs on " + directory
                        + ": start one with polytable serve, or name the data directory of a running one with"
                        + " --data.dir, or its address with --host and --port",
                "sql",
                "--data.dir=" + directory);
    }

    @Test
    void whatTheEngineRefusesIsSaid() {
        refuses("the engine is away", "check", "--data.dir", directory.toString());
    }

    /** A repair holds the directory and opens the engine, in whatever words it was asked for. */
    @Test
    void theIndexOfSortedSetsIsRebuiltByARepair() {
        refuses("the engine is away", "repair", "--data.dir=" + directory);
        refuses("the engine is away", "--rebuild-zset-index", "--data.dir=" + directory);
        refuses("the engine is away", "--data.dir=" + directory, "--migrate-zset-index");
    }

    private static final class AbsentEngine implements EngineOpener {
        @Override
        public RunningStore open(Path directory, Settings settings, Progress progress) {
            throw new RefusedException("the engine is away");
        }

        @Override
        public void move(Path store, LogPlace to, Settings settings, Progress progress) {
            throw new RefusedException("the engine is away");
        }

        @Override
        public Backup.Restored restore(
                Path backup, Path directory, Map<String, Path> bases, Optional<LogReplay.Source> log) {
            throw new RefusedException("the engine is away");
        }
    }

    private static void refuses(String sentence, String... words) {
        assertThat(run(words)).isEqualTo(new Outcome(1, "", "polytable: " + sentence + "\n"));
    }

    private static Outcome run(String... words) {
        Parts parts = new Parts(new AbsentEngine(), List.of());
        PrintStream out = System.out;
        PrintStream err = System.err;
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        ByteArrayOutputStream complained = new ByteArrayOutputStream();
        System.setOut(new PrintStream(said, true, StandardCharsets.UTF_8));
        System.setErr(new PrintStream(complained, true, StandardCharsets.UTF_8));
        try {
            int code = PolytableCommand.run(parts, words);
            return new Outcome(
                    code, said.toString(StandardCharsets.UTF_8), complained.toString(StandardCharsets.UTF_8));
        } finally {
            System.setOut(out);
            System.setErr(err);
        }
    }
}
