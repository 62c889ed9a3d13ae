package io.polytable.server.cli;

import io.polytable.frontend.Findings;
import io.polytable.frontend.FrontendOpener;
import io.polytable.frontend.setting.Settings;
import io.polytable.server.run.DataDirectory;
import io.polytable.server.run.Parts;
import io.polytable.server.run.RefusedException;
import io.polytable.server.run.RunningStore;
import io.polytable.store.Salvage;
import io.polytable.store.state.StateSalvage;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * {@code polytable repair}: repairs what {@code check} finds. The server must be stopped: its clients would see a
 * partial repair.
 */
@Command(name = "repair", description = "Repairs what a check reports, in a directory that no server uses.")
final class RepairCommand implements Callable<Integer> {
    @Mixin
    private final Words words = new Words();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(
            names = "--salvage",
            description = "First replaces tables with damaged files by the rows that can be read or are in the log.")
    private boolean salvage;

    private final Parts parts;

    RepairCommand(Parts parts) {
        this.parts = parts;
    }

    @Override
    public Integer call() {
        Settings settings = words.settings();
        Path path = settings.home();
        DataDirectory directory = DataDirectory.holdExisting(path)
                .orElseThrow(() -> new RefusedException("A server uses " + path + "; stop it before a repair"));
        boolean clean = !salvage || salvaged(directory.store());
        try (directory;
                RunningStore engine = parts.engine().open(directory.store(), settings)) {
            for (FrontendOpener opener : parts.frontends()) {
                clean &= repair(opener, engine, settings);
            }
        }
        return clean ? ExitCode.DONE : ExitCode.DAMAGE_FOUND;
    }

    private boolean repair(FrontendOpener opener, RunningStore engine, Settings settings) {
        ProgressBar bar = new ProgressBar(spec.commandLine().getErr());
        Optional<Findings> left = opener.verify(engine.store(), settings, true, bar::at);
        bar.end();
        left.ifPresent(findings -> print(findings.text()));
        return left.map(Findings::isClean).orElse(true);
    }

    /** Returns whether nothing is lost for certain. */
    private boolean salvaged(Path store) {
        List<Salvage.Report> reports = Salvage.run(store);
        for (Salvage.Report report : reports) {
            for (StateSalvage.Outcome table : report.tables()) {
                print("Salvaged " + table.rows() + " rows of table " + table.table());
                table.lost()
                        .forEach(range ->
                                print("Lost unless they are in the log: rows of table " + table.table() + " " + range));
            }
            print("The log, from position " + report.logFrom() + " on, restored or deleted " + report.redone()
                    + " rows of these ranges");
        }
        print(reports.isEmpty() ? "No file is damaged" : "The damaged files are kept in " + store.resolve("damaged"));
        return reports.isEmpty();
    }

    private void print(String text) {
        PrintWriter out = spec.commandLine().getOut();
        out.println(text);
        out.flush();
    }
}
