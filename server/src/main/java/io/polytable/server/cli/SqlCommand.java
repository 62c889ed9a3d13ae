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
import java.security.GeneralSecurityException;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
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
    private static final String PASSWORD = "POLYTABLE_PASSWORD";

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
            description = "A server on another machine; the password is read from POLYTABLE_PASSWORD or the terminal.")
    private @Nullable String host;

    @Option(names = "--tls", description = "Encrypts the connection to --host.")
    private boolean encrypted;

    @Option(
            names = "--ca",
            description = "PEM file of the authorities that may have issued the certificate of --host; implies --tls.")
    private @Nullable Path authorities;

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

    private SqlClient client(Settings settings) throws IOException {
        if (host != null) {
            return SqlClient.of(host, port, user, password(), tls());
        }
        CommandLine.ParseResult given = spec.commandLine().getParseResult();
        if (Stream.of("--port", "--user", "--tls", "--ca").anyMatch(given::hasMatchedOption)) {
            throw new RefusedException(
                    "--port, --user, --tls and --ca need --host; without it the server of --data.dir is used");
        }
        return SqlClient.of(settings.home());
    }

    /** Standard input has the statements, so without a terminal only the environment can give the password. */
    private String password() throws IOException {
        String told = System.getenv(PASSWORD);
        if (told != null) {
            return told;
        }
        return PasswordPrompt.isAtTerminal() ? PasswordPrompt.known("Password of " + user + ": ") : "";
    }

    private Optional<SSLContext> tls() throws IOException {
        try {
            if (authorities != null) {
                return Optional.of(Authorities.context(authorities));
            }
            return encrypted ? Optional.of(SSLContext.getDefault()) : Optional.empty();
        } catch (GeneralSecurityException unusable) {
            throw new RefusedException("TLS cannot be used: " + unusable.getMessage(), unusable);
        }
    }

    private static int ended(boolean fine) {
        return fine ? ExitCode.DONE : ExitCode.REFUSED;
    }

    static boolean isError(JsonNode answer) {
        return answer.has("error");
    }
}
