package io.polytable.server.cli;

import io.polytable.entity.tool.EntityCommand;
import io.polytable.frontend.setting.SettingException;
import io.polytable.server.run.Parts;
import io.polytable.server.run.RefusedException;
import io.polytable.table.StoreException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Model.OptionSpec;

/** The root command. */
@Command(
        name = "polytable",
        description = "Everything is a row in a primary-key table.",
        synopsisSubcommandLabel = "COMMAND",
        commandListHeading = "%nCommands:%n",
        versionProvider = Version.class,
        subcommands = HelpCommand.class)
public final class PolytableCommand {
    private PolytableCommand() {}

    /** Runs the command and returns its exit code. */
    public static int run(Parts parts, String... words) {
        CommandLine line = new CommandLine(new PolytableCommand())
                .addSubcommand(new ServeCommand(parts))
                .addSubcommand(new StatusCommand())
                .addSubcommand(new StopCommand())
                .addSubcommand(new LogLevelCommand())
                .addSubcommand(new UserCommand())
                .addSubcommand(new TlsCommand())
                .addSubcommand(new CheckCommand(parts))
                .addSubcommand(new RepairCommand(parts))
                .addSubcommand(new ReshardCommand(parts))
                .addSubcommand(new CommandLine(new BackupCommand(parts)).addSubcommand(new BackupVerifyCommand()))
                .addSubcommand(new RestoreCommand(parts))
                .addSubcommand(new MoveCommand(parts))
                .addSubcommand(new ImportRdbCommand(parts))
                .addSubcommand(new ImportRedisCommand(parts))
                .addSubcommand(new ExportRdbCommand(parts))
                .addSubcommand(new SqlCommand())
                .addSubcommand(new EntityCommand())
                .addSubcommand(new ProjectionCommand())
                .addSubcommand(new ConfigCommand())
                .addSubcommand(new VersionCommand());
        line.getCommandSpec()
                .addOption(flag("Prints the version.", "-V", "--version")
                        .versionHelp(true)
                        .build());
        explainItself(line);
        // Settings have dots in their names and are many; they reach the commands as plain arguments. An argument that
        // starts with @ is a password or a path, never a file of further arguments.
        line.setUnmatchedOptionsArePositionalParams(true);
        line.setExpandAtFiles(false);
        line.setExecutionExceptionHandler(PolytableCommand::explain);
        line.setParameterExceptionHandler((problem, all) -> misunderstood(problem));
        return line.execute(words.length == 0 ? new String[] {"help"} : inOurWords(words));
    }

    /** Every command answers {@code --help}; picocli's own {@code help} command already does. */
    private static void explainItself(CommandLine line) {
        if (line.getCommandSpec().findOption("--help") == null) {
            line.getCommandSpec()
                    .addOption(flag("Prints this text.", "-h", "--help")
                            .usageHelp(true)
                            .build());
        }
        line.getSubcommands().values().forEach(PolytableCommand::explainItself);
    }

    private static OptionSpec.Builder flag(String description, String name, String... others) {
        return OptionSpec.builder(name, others).type(boolean.class).arity("0").description(description);
    }

    /** Aliases of repair for operators of sorted-set indexes; a repair rebuilds the index. */
    private static String[] inOurWords(String... words) {
        List<String> translated = new ArrayList<>(List.of(words));
        if (translated.removeAll(List.of("--rebuild-zset-index", "--migrate-zset-index"))) {
            translated.add(0, "repair");
        }
        return translated.toArray(String[]::new);
    }

    private static int explain(Exception problem, CommandLine line, CommandLine.ParseResult result) throws Exception {
        if (problem instanceof SettingException
                || problem instanceof RefusedException
                || problem instanceof StoreException) {
            say(line, String.valueOf(problem.getMessage()));
            return ExitCode.REFUSED;
        }
        throw problem;
    }

    private static int misunderstood(CommandLine.ParameterException problem) {
        CommandLine line = problem.getCommandLine();
        String sentence = problem instanceof CommandLine.UnmatchedArgumentException unknown
                ? "There is no command " + unknown.getUnmatched().get(0)
                : String.valueOf(problem.getMessage());
        say(line, sentence + "; polytable help lists the commands");
        return ExitCode.REFUSED;
    }

    private static void say(CommandLine line, String sentence) {
        PrintWriter err = line.getErr();
        err.println("polytable: " + sentence);
        err.flush();
    }
}
