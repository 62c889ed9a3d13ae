package io.polytable.server.cli;

import io.polytable.server.run.BackupText;
import io.polytable.server.run.DataDirectory;
import io.polytable.server.run.Parts;
import io.polytable.server.run.RefusedException;
import io.polytable.server.run.ReplayedFiles;
import io.polytable.store.Backup;
import io.polytable.store.LogReplay;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code polytable restore BACKUP}: restores a backup into an empty data directory. */
@Command(
        name = "restore",
        description = {
            "Restores a backup into an empty data directory: polytable restore BACKUP.",
            "With --replay, also restores what was committed after the backup."
        })
final class RestoreCommand implements Callable<Integer> {
    @Mixin
    private final Words words = new Words();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(
            names = "--replay",
            paramLabel = "DATA_DIR",
            description = "The data directory that was backed up, which no server uses: its log is replayed.")
    private @Nullable Path original;

    @Option(
            names = "--until",
            paramLabel = "TIME",
            description = "Replays what was committed up to a time, such as 2026-11-18T19:30:00Z.")
    private @Nullable String until;

    @Option(names = "--until-position", paramLabel = "N", description = "Replays up to a position of the log.")
    private @Nullable Long position;

    private final Parts parts;

    RestoreCommand(Parts parts) {
        this.parts = parts;
    }

    @Override
    public Integer call() {
        Words.Split split = words.split(List.of("BACKUP"));
        Path backup = Path.of(split.arguments().get(0)).toAbsolutePath().normalize();
        Path path = split.settings().home();
        Optional<Path> replayed =
                Optional.ofNullable(original).map(each -> each.toAbsolutePath().normalize());
        LogReplay.Until end = end();
        if (replayed.isEmpty() && !end.equals(LogReplay.Until.END)) {
            throw new RefusedException("--until needs --replay=DATA_DIR, the data directory whose log is replayed");
        }
        try (DataDirectory directory = DataDirectory.createAndHold(path)
                .orElseThrow(() -> new RefusedException(
                        "A process uses the data directory " + path + "; a restore needs an empty one"))) {
            Optional<DataDirectory> source = replayed.map(RestoreCommand::held);
            try {
                Backup.Restored restored = parts.engine()
                        .restore(
                                backup,
                                directory.store(),
                                parts.transfers().fileBases(directory.path()),
                                source.map(each -> new LogReplay.Source(each.store(), end)));
                print(BackupText.restored(backup, path, restored));
                if (source.isEmpty()) {
                    return ExitCode.DONE;
                }
                ReplayedFiles.Outcome files =
                        ReplayedFiles.copy(parts, directory, source.get().path(), split.settings());
                print(BackupText.replayed(restored.reached(), files));
                return files.missing().isEmpty() ? ExitCode.DONE : ExitCode.DAMAGE_FOUND;
            } finally {
                source.ifPresent(DataDirectory::close);
            }
        }
    }

    private static DataDirectory held(Path path) {
        return DataDirectory.holdExisting(path)
                .orElseThrow(
                        () -> new RefusedException("A server uses " + path + "; stop it before its log is replayed"));
    }

    private LogReplay.Until end() {
        if (until != null && position != null) {
            throw new RefusedException("--until and --until-position exclude each other");
        }
        if (position != null) {
            return LogReplay.Until.position(position);
        }
        return until == null ? LogReplay.Until.END : LogReplay.Until.time(time(until));
    }

    private static Instant time(String text) {
        try {
            return OffsetDateTime.parse(text).toInstant();
        } catch (DateTimeParseException other) {
            throw new RefusedException(
                    "--until takes a time with its offset, such as 2026-11-18T19:30:00Z or 2026-11-18T20:30:00+01:00,"
                            + " not " + text,
                    other);
        }
    }

    private void print(String text) {
        PrintWriter out = spec.commandLine().getOut();
        out.println(text);
        out.flush();
    }
}
