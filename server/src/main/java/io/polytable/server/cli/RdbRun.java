package io.polytable.server.cli;

import io.polytable.frontend.Progress;
import io.polytable.frontend.setting.Settings;
import io.polytable.server.run.DataDirectory;
import io.polytable.server.run.Parts;
import io.polytable.server.run.RdbTransfer;
import io.polytable.server.run.RefusedException;
import io.polytable.server.run.RunningStore;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;

/** An import or export of an RDB file, by the server that runs on the data directory or, if none does, in here. */
final class RdbRun {
    private static final String DONE = "done ";
    private static final String REFUSED = "refused ";

    private final Parts parts;
    private final PrintWriter out;
    private final ProgressBar bar;

    RdbRun(Parts parts, CommandSpec spec) {
        this.parts = parts;
        this.out = spec.commandLine().getOut();
        this.bar = new ProgressBar(spec.commandLine().getErr());
    }

    /** What is done in here. */
    interface Offline {
        String run(RdbTransfer rdb, Path directory, Progress progress);
    }

    /**
     * Runs it and prints the outcome.
     *
     * @param held the data directory, empty when a server holds it
     */
    int run(
            Optional<DataDirectory> held,
            Settings settings,
            Offline offline,
            String path,
            Map<String, String> parameters) {
        String sentence =
                held.isPresent() ? offline(held.get(), settings, offline) : online(settings.home(), path, parameters);
        return done(sentence);
    }

    /** Runs it on the server of a data directory, and prints the outcome. */
    int run(Path directory, String path, Map<String, String> parameters) {
        return done(online(directory, path, parameters));
    }

    private int done(String sentence) {
        bar.end();
        out.println(sentence);
        return ExitCode.DONE;
    }

    private String offline(DataDirectory directory, Settings settings, Offline work) {
        try (directory;
                RunningStore engine = parts.engine().open(directory.store(), settings);
                RdbTransfer rdb =
                        parts.transfers().rdb(engine.store(), settings).orElseThrow()) {
            return work.run(rdb, directory.path(), bar::at);
        }
    }

    private String online(Path directory, String path, Map<String, String> parameters) {
        String last;
        try {
            last = RunningServer.of(directory)
                    .follow(path, parameters, this::show)
                    .orThrow()
                    .text();
        } finally {
            bar.end();
        }
        if (last.startsWith(DONE)) {
            return last.substring(DONE.length());
        }
        throw new RefusedException(
                last.startsWith(REFUSED) ? last.substring(REFUSED.length()) : "The server ended before it was done");
    }

    private void show(String line) {
        List<String> words = List.of(line.split(" ", -1));
        if (words.size() == 3 && words.get(0).equals("at")) {
            bar.at(Long.parseLong(words.get(1)), Long.parseLong(words.get(2)));
        }
    }
}
