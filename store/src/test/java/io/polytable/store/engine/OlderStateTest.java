package io.polytable.store.engine;

import static io.polytable.store.engine.EngineFixture.eager;
import static io.polytable.store.engine.EngineFixture.get;
import static io.polytable.store.engine.EngineFixture.keys;
import static io.polytable.store.engine.EngineFixture.lazy;
import static io.polytable.store.engine.EngineFixture.put;
import static io.polytable.store.engine.EngineFixture.spec;
import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.table.KeyRange;
import io.polytable.table.StoreException;
import io.polytable.table.Table;
import io.polytable.table.testkit.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A state that is behind the log by more than a crash leaves: a checkpoint, or the disk of a server that was away. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class OlderStateTest {
    @TempDir
    Path directory;

    private static List<Path> filesOf(Path tree) throws IOException {
        try (Stream<Path> files = Files.walk(tree)) {
            return files.toList();
        }
    }

    private static void copy(Path from, Path to) throws IOException {
        for (Path file : filesOf(from)) {
            Files.copy(file, to.resolve(from.relativize(file).toString()));
        }
    }

    private void goBackTo(Path older) throws IOException {
        Path state = directory.resolve("data/state");
        List<Path> files = filesOf(state);
        for (Path file : files.stream().sorted(Comparator.reverseOrder()).toList()) {
            Files.delete(file);
        }
        copy(older, state);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aTableThatWasDroppedAndCreatedAnewHasNoneOfTheFormerRows(boolean applyAtOnce) throws Exception {
        EngineOptions options = applyAtOnce ? eager() : lazy();
        EngineFixture fixture = new EngineFixture(directory.resolve("data"));
        Path older = directory.resolve("older");
        try (Engine engine = fixture.open(options)) {
            put(engine, engine.create(spec("t")), "in the state", "former");
        }
        copy(directory.resolve("data/state"), older);
        try (Engine engine = fixture.open(options)) {
            Table former = engine.find(spec("t").name()).orElseThrow();
            put(engine, former, "in the log", "former");
            engine.drop(former.name());
            put(engine, engine.create(spec("t")), "new", "row");
        }
        goBackTo(older);
        for (int i = 0; i < 2; i++) {
            try (Engine engine = fixture.open(options)) {
                Table table = engine.find(spec("t").name()).orElseThrow();
                assertThat(keys(engine.scan(table, KeyRange.ALL))).containsExactly("new");
                assertThat(get(engine, table, "in the state")).isEmpty();
                assertThat(get(engine, table, "in the log")).isEmpty();
            }
        }
    }

    /** A state that is beyond the drop already, and still has the table's files. */
    @Test
    void aFamilyThatADropLeftIsNotItsSuccessors() throws Exception {
        EngineFixture fixture = new EngineFixture(directory.resolve("data"));
        Path older = directory.resolve("older");
        try (Engine engine = fixture.open(lazy())) {
            put(engine, engine.create(spec("t")), "in the state", "former");
            engine.settle();
            Path state = directory.resolve("data/state");
            Path away = directory.resolve("away");
            Files.move(state, away);
            engine.drop(spec("t").name());
            Files.move(away, state);
            createWhenHealed(engine);
        }
        copy(directory.resolve("data/state"), older);
        try (Engine engine = fixture.open(lazy())) {
            put(engine, engine.create(spec("t")), "new", "row");
        }
        goBackTo(older);
        try (Engine engine = fixture.open(lazy())) {
            Table table = engine.find(spec("t").name()).orElseThrow();
            assertThat(keys(engine.scan(table, KeyRange.ALL))).containsExactly("new");
        }
    }

    /** The state is opened again in the background; until then nothing can be created or settled. */
    private static void createWhenHealed(Engine engine) {
        Await.until("the state is healed", () -> {
            try {
                engine.create(spec("other"));
                engine.settle();
                return true;
            } catch (StoreException notYet) {
                return false;
            }
        });
    }
}
