package io.polytable.redis.command.client;

import static io.polytable.redis.command.Arity.atLeast;
import static io.polytable.redis.command.Arity.exactly;
import static io.polytable.redis.command.Command.container;
import static io.polytable.redis.command.Command.speaks;
import static io.polytable.redis.command.Flag.ADMIN;
import static io.polytable.redis.command.Flag.LOADING;
import static io.polytable.redis.command.Flag.NOSCRIPT;
import static io.polytable.redis.command.Flag.STALE;
import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.polytable.redis.command.Call;
import io.polytable.redis.command.Category;
import io.polytable.redis.command.Command;
import io.polytable.redis.command.CommandErrors;
import io.polytable.redis.command.CommandFamily;
import io.polytable.redis.command.Flag;
import io.polytable.redis.command.Group;
import io.polytable.redis.command.Reply;
import io.polytable.redis.command.config.RedisConfig;
import io.polytable.redis.command.help.HelpText;
import io.polytable.redis.command.node.AclLog;
import io.polytable.redis.command.node.Node;
import io.polytable.redis.model.RedisError;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;

/** ACL without SETUSER: there is one user, who may run everything. */
public final class AclCommands implements CommandFamily {
    private static final Flag[] USUAL = {NOSCRIPT, LOADING, STALE};
    private static final Flag[] ADMINS = {ADMIN, NOSCRIPT, LOADING, STALE};
    private static final String USER = "default";
    private static final int LOGGED_SHOWN = 10;
    private static final int GENERATED_BITS = 256;
    private static final int GENERATED_BITS_MAX = 4096;

    private final RedisConfig settings;
    private final AclLog log;
    private final SecureRandom random = new SecureRandom();

    public AclCommands(Node node) {
        this.settings = node.settings();
        this.log = node.aclLog();
    }

    @Override
    public Group group() {
        return Group.SERVER;
    }

    @Override
    public List<Command> commands() {
        return List.of(container(
                "acl",
                List.of(
                        speaks("cat", atLeast(2), this::categories).with(USUAL),
                        speaks("deluser", atLeast(3), this::deleteUsers).with(ADMINS),
                        speaks("dryrun", atLeast(4), this::dryRun).with(ADMINS),
                        speaks("genpass", atLeast(2), this::generatePassword).with(USUAL),
                        speaks("getuser", exactly(3), this::getUser).with(ADMINS),
                        speaks("help", exactly(2), this::help).with(LOADING, STALE),
                        speaks("list", exactly(2), this::list).with(ADMINS),
                        speaks("load", exactly(2), this::noFile).with(ADMINS),
                        speaks("log", atLeast(2), this::log).with(ADMINS),
                        speaks("save", exactly(2), this::noFile).with(ADMINS),
                        speaks("users", exactly(2), call -> Reply.texts(List.of(USER)))
                                .with(ADMINS),
                        speaks(
                                        "whoami",
                                        exactly(2),
                                        call -> Reply.of(call.session().user()))
                                .with(USUAL))));
    }

    private Reply categories(Call call) {
        if (call.size() > 3) {
            throw CommandErrors.subcommandSyntax(call);
        }
        if (call.size() == 2) {
            return Reply.texts(
                    Arrays.stream(Category.values()).map(Category::text).toList());
        }
        Category category = Category.named(call.word(2));
        if (category == null) {
            throw new RedisError("Unknown category '" + call.text(2) + "'");
        }
        List<String> names = new ArrayList<>();
        addNames(call.table().commands(), category, names);
        return Reply.texts(names);
    }

    private static void addNames(List<Command> commands, Category category, List<String> names) {
        for (Command command : commands) {
            if (command.categories().contains(category)) {
                names.add(command.fullName());
            }
            addNames(command.subcommands(), category, names);
        }
    }

    private Reply list(Call call) {
        String password = settings.needsPassword() ? "#" + passwordHash() : "nopass";
        return Reply.texts(List.of("user default on " + password + " sanitize-payload ~* &* +@all"));
    }

    private Reply getUser(Call call) {
        if (!call.text(2).equals(USER)) {
            return Reply.ABSENT;
        }
        boolean needsPassword = settings.needsPassword();
        Stream<String> flags =
                needsPassword ? Stream.of("on", "sanitize-payload") : Stream.of("on", "nopass", "sanitize-payload");
        return Reply.mapOf(
                Reply.of("flags"),
                new Reply.SetOf(flags.map(Reply::of).toList()),
                Reply.of("passwords"),
                Reply.texts(needsPassword ? List.of(passwordHash()) : List.of()),
                Reply.of("commands"),
                Reply.of("+@all"),
                Reply.of("keys"),
                Reply.of("~*"),
                Reply.of("channels"),
                Reply.of("&*"),
                Reply.of("selectors"),
                Reply.EMPTY);
    }

    private Reply deleteUsers(Call call) {
        for (int i = 2; i < call.size(); i++) {
            if (call.text(i).equals(USER)) {
                throw new RedisError("The 'default' user cannot be removed");
            }
        }
        return Reply.ZERO;
    }

    /** The only user may run every command. */
    private Reply dryRun(Call call) {
        if (!call.text(2).equals(USER)) {
            throw new RedisError("User '" + call.text(2) + "' not found");
        }
        Command command = call.table().find(call.word(3));
        if (command == null) {
            throw new RedisError("Command '" + call.text(3) + "' not found");
        }
        Command sub =
                command.isContainer() && call.size() > 4 ? call.table().findSubcommand(command, call.word(4)) : null;
        Command meant = sub == null ? command : sub;
        if (!meant.arity().allows(call.size() - 3)) {
            throw RedisError.wrongArity(meant.fullName());
        }
        return Reply.OK;
    }

    /** Random bits as hexadecimal digits. */
    private Reply generatePassword(Call call) {
        if (call.size() > 3) {
            throw CommandErrors.subcommandSyntax(call);
        }
        long bits = call.size() == 3 ? call.integer(2) : GENERATED_BITS;
        if (bits <= 0 || bits > GENERATED_BITS_MAX) {
            throw new RedisError("ACL GENPASS argument must be the number of bits for the output password, a positive "
                    + "number up to " + GENERATED_BITS_MAX);
        }
        int digits = (int) (bits + 3) / 4;
        byte[] secret = new byte[(digits + 1) / 2];
        random.nextBytes(secret);
        return Reply.of(HexFormat.of().formatHex(secret).substring(0, digits));
    }

    private Reply log(Call call) {
        if (call.size() > 3) {
            throw CommandErrors.subcommandSyntax(call);
        }
        if (call.size() == 3 && call.is(2, "reset")) {
            log.reset();
            return Reply.OK;
        }
        long count = call.size() == 3 ? call.integer(2) : LOGGED_SHOWN;
        return Reply.many(log.newest(count).stream()
                .map(entry -> described(entry, call.nowMillis()))
                .toList());
    }

    private static Reply described(AclLog.Entry entry, long nowMillis) {
        return Reply.mapOf(
                Reply.of("count"),
                Reply.of(entry.count()),
                Reply.of("reason"),
                Reply.of("auth"),
                Reply.of("context"),
                Reply.of(entry.context()),
                Reply.of("object"),
                Reply.of(entry.object()),
                Reply.of("username"),
                Reply.of(entry.user()),
                Reply.of("age-seconds"),
                new Reply.DoubleOf((nowMillis - entry.updatedMillis()) / 1000.0),
                Reply.of("client-info"),
                Reply.of(entry.client()),
                Reply.of("entry-id"),
                Reply.of(entry.id()),
                Reply.of("timestamp-created"),
                Reply.of(entry.createdMillis()),
                Reply.of("timestamp-last-updated"),
                Reply.of(entry.updatedMillis()));
    }

    private Reply noFile(Call call) {
        throw new RedisError(
                "This Redis instance is not configured to use an ACL file. You may want to specify users via "
                        + "the ACL SETUSER command and then issue a CONFIG REWRITE (assuming you have a Redis configuration file "
                        + "set) in order to store users in the Redis configuration.");
    }

    private String passwordHash() {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            return HexFormat.of().formatHex(digest.digest(settings.requirePass().getBytes(ISO_8859_1)));
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private Reply help(Call call) {
        return HelpText.of(call);
    }
}
