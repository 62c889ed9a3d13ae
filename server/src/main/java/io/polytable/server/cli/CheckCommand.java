package io.polytable.server.cli;

import io.polytable.frontend.Findings;
import io.polytable.frontend.setting.Settings;
import io.polytable.server.http.AdminPaths;
import io.polytable.server.run.ConsistencyCheck;
import io.polytable.server.run.DataDirectory;
import io.polytable.server.run.NamedFiles;
import io.polytable.server.run.Parts;
import io.polytable.server.run.RunningStore;
import io.polytable.store.directory.PartitionDirectories;
import io.polytable.store.directory.StoreDirectory;
import io.polytable.store.state.DamagedFile;
import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code polytable check}: verifies that the stored data is consistent. */
@Command(name = "check", description = "Verifies data integrity, online or offline.")
final class CheckCommand implements Callable<Integer> {
    @Mixin
    private final Words words = new Words();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(names = "--deep", description = "Reads all of each file of flushed rows, not only its footer.")
    private boolean deep;

    private final Parts parts;

    CheckCommand(Parts parts) {
        this.parts = parts;
    }

    @Override
    public Integer call() {
        Settings settings = words.settings();
        Path path = settings.home();
        Optional<DataDirectory> held = DataDirectory.holdExisting(path);
        Outcome outcome = held.isPresent() ? atRest(held.get(), settings) : running(path);
        spec.commandLine().getOut().println(outcome.text());
        return outcome.clean() ? ExitCode.DONE : ExitCode.DAMAGE_FOUND;
    }

    private record Outcome(boolean clean, String text) {}

    private Outcome atRest(DataDirectory directory, Settings settings) {
        try (directory;
                RunningStore engine = parts.engine().open(directory.store(), settings)) {
            Optional<NamedFiles> files = parts.transfers().files(engine.store(), directory.path());
            try {
                Findings findings = ConsistencyCheck.run(engine, parts, settings, files, deep);
                return new Outcome(findings.isClean(), findings.text());
            } finally {
                files.ifPresent(NamedFiles::close);
            }
        } catch (StoreException damage) {
            if (damage.error() != StoreError.CORRUPT) {
                throw damage;
            }
            return unopened(directory.store(), damage);
        }
    }

    /** What can be said about a store that cannot be opened, or whose catalog is damaged. */
    private static Outcome unopened(Path store, StoreException damage) {
        List<String> problems = new ArrayList<>();
        problems.add("The store cannot be used: " + damage.getMessage());
        int partitions = Math.max(1, PartitionDirectories.present(store));
        for (int partition = 0; partition < partitions; partition++) {
            Path state = StoreDirectory.stateOf(PartitionDirectories.of(store, partition, partitions));
            DamagedFile.find(state).forEach(file -> problems.add(file.sentence()));
        }
        Findings findings = new Findings("Read the files of the state only; restore a backup", problems);
        return new Outcome(false, findings.text());
    }

    private Outcome running(Path path) {
        RunningServer.Answer answer =
                RunningServer.of(path).post(AdminPaths.CHECK, Map.of(AdminPaths.DEEP, Boolean.toString(deep)));
        return switch (answer.status()) {
            case 200 -> new Outcome(true, answer.text());
            case 422 -> new Outcome(false, answer.text());
            default -> throw answer.refusal();
        };
    }
}
