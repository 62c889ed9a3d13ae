package io.polytable.server.cli;

import io.polytable.server.http.AdminPaths;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code polytable user}: the users of a running server, reached by the token of its data directory. */
@Command(
        name = "user",
        description = "Adds, changes and lists the users of the running server.",
        synopsisSubcommandLabel = "COMMAND")
final class UserCommand implements Runnable {
    private static final List<String> NAME = List.of("NAME");

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public void run() {
        spec.commandLine().usage(spec.commandLine().getOut());
    }

    @Command(description = "Adds a user; its password is read from the terminal or standard input.")
    int add(
            @Mixin Words words,
            @Option(names = "--role", description = "user, service, dba or system; user by default.") @Nullable
                    String role,
            @Option(names = "--email", description = "An address of the user.") @Nullable String email,
            @Option(names = "--no-password", description = "The user cannot log in until it has one.")
                    boolean withoutPassword)
            throws IOException {
        Words.Split split = words.split(NAME);
        Map<String, String> parameters = named(split);
        if (role != null) {
            parameters.put(AdminPaths.ROLE, role);
        }
        if (email != null) {
            parameters.put(AdminPaths.EMAIL, email);
        }
        return say(split, "add", parameters, withoutPassword ? "" : password(split));
    }

    @Command(description = "Sets a user's password, read from the terminal or standard input.")
    int passwd(@Mixin Words words) throws IOException {
        Words.Split split = words.split(NAME);
        return say(split, "passwd", named(split), password(split));
    }

    @Command(description = "Changes a user's role to user, service, dba or system.")
    int role(@Mixin Words words) {
        Words.Split split = words.split(List.of("NAME", "ROLE"));
        Map<String, String> parameters = named(split);
        parameters.put(AdminPaths.ROLE, split.arguments().get(1));
        return say(split, "role", parameters, "");
    }

    @Command(description = "Refuses a user's logins, and ends its sessions.")
    int lock(@Mixin Words words) {
        return change(words, "lock");
    }

    @Command(description = "Accepts a user's logins again.")
    int unlock(@Mixin Words words) {
        return change(words, "unlock");
    }

    @Command(description = "Removes a user with what it was granted, and ends its sessions.")
    int drop(@Mixin Words words) {
        return change(words, "drop");
    }

    @Command(description = "Lists all users.")
    int list(@Mixin Words words) {
        return say(words.split(List.of()), "list", Map.of(), "");
    }

    private int change(Words words, String change) {
        Words.Split split = words.split(NAME);
        return say(split, change, named(split), "");
    }

    private static Map<String, String> named(Words.Split split) {
        return new HashMap<>(Map.of(AdminPaths.NAME, split.arguments().get(0)));
    }

    private static String password(Words.Split split) throws IOException {
        return PasswordPrompt.fresh(split.arguments().get(0));
    }

    private int say(Words.Split split, String change, Map<String, String> parameters, String password) {
        RunningServer server = RunningServer.require(split.settings().home());
        RunningServer.Answer answer =
                server.post(AdminPaths.USER + "/" + change, parameters, password.getBytes(StandardCharsets.UTF_8));
        spec.commandLine().getOut().println(answer.orThrow().text());
        return ExitCode.DONE;
    }
}
