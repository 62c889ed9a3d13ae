package io.polytable.server.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.polytable.frontend.setting.Settings;
import io.polytable.server.run.RefusedException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * {@code polytable sql}: runs statements on a running server, from a prompt, the command line, a file or standard
 * input.
 */
@Command(
        name = "sql",
        description = "Queries a running server with SQL: a prompt, -c TEXT, -f FILE, or standard input.")
final class SqlCommand implements Callable<Integer> {
    @Option(
            names = {"-c", "--command"},
            description = "Runs the text and ends.")
    private @Nullable String command;

    @Option(
            names = {"-f", "--file"},
            description = "Runs the file's statements and ends.")
    private @Nullable Path file;

    @Option(names = "--format", description = "table, csv or json.")
    private String format = "table";

    @Option(names = "--import", description = "Reads rows from FILE.csv, .json or .parquet.")
    private @Nullable Path imported;

    @Option(names = "--into", description = "The table that imported rows go into.")
    private @Nullable String into;

    @Option(
            names = "--host",
            description = "A server on another machine; the password is read from POLYTABLE_PASSWORD.")
    private @Nullable String host;

    @Option(names = "--port", description = "The HTTP port of --host; 8080 by default.")
    private int port = 8080;

    @Option(names = "--user", description = "The user at --host; root by default.")
    private String user = "root";

    @Mixin
    private final Words words = new Words();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws IOException {
        SqlClient client = client(words.settings());
        PrintWriter out = spec.commandLine().getOut();
        PrintWriter err = spec.commandLine().getErr();
        ResultPrinter printer = new ResultPrinter(out);
        printer.form(ResultPrinter.Form.valueOf(format.toUpperCase(Locale.ROOT)));
        if (imported != null) {
            return new FileImport(client, out, err).run(imported, into == null ? "" : into);
        }
        if (command != null) {
            return ended(printer.print(client.ask(command), err));
        }
        if (file != null) {
            try (Reader reader = Files.newBufferedReader(file)) {
                return ended(new SqlScript(client, printer, err).run(reader));
            }
        }
        if (!PasswordPrompt.isAtTerminal()) {
            try (Reader reader = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
                return ended(new SqlScript(client, printer, err).run(reader));
            }
        }
        new SqlShell(client, printer, err).run();
        return ExitCode.DONE;
    }

    private SqlClient client(Settings settings) {
        if (host != null) {
            return SqlClient.of(host, port, user, System.getenv().getOrDefault("POLYTABLE_PASSWORD", ""));
        }
        boolean remote = spec.commandLine().getParseResult().hasMatchedOption("--port")
                || spec.commandLine().getParseResult().hasMatchedOption("--user");
        if (remote) {
            throw new RefusedException("--port and --user need --host; without it the server of --data.dir is used");
        }
        return SqlClient.of(settings.home());
    }

    private static int ended(boolean fine) {
        return fine ? ExitCode.DONE : ExitCode.REFUSED;
    }

    static boolean isError(JsonNode answer) {
        return answer.has("error");
    }
}
