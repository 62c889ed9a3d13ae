package io.polytable.redis.command.client;

import static io.polytable.redis.command.Arity.atLeast;
import static io.polytable.redis.command.Arity.exactly;
import static io.polytable.redis.command.Command.container;
import static io.polytable.redis.command.Command.speaks;
import static io.polytable.redis.command.Flag.ADMIN;
import static io.polytable.redis.command.Flag.LOADING;
import static io.polytable.redis.command.Flag.NOSCRIPT;
import static io.polytable.redis.command.Flag.STALE;

import io.polytable.frontend.user.Actor;
import io.polytable.frontend.user.User;
import io.polytable.frontend.user.Users.RefusedChange;
import io.polytable.redis.command.Call;
import io.polytable.redis.command.Category;
import io.polytable.redis.command.Command;
import io.polytable.redis.command.CommandErrors;
import io.polytable.redis.command.CommandFamily;
import io.polytable.redis.command.Denial;
import io.polytable.redis.command.Flag;
import io.polytable.redis.command.Group;
import io.polytable.redis.command.Reply;
import io.polytable.redis.command.Session;
import io.polytable.redis.command.acl.Accounts;
import io.polytable.redis.command.acl.AclFile;
import io.polytable.redis.command.acl.AclFile.InvalidAclFile;
import io.polytable.redis.command.acl.UserReply;
import io.polytable.redis.command.help.HelpText;
import io.polytable.redis.command.node.AclLog;
import io.polytable.redis.command.node.Node;
import io.polytable.redis.model.RedisError;
import io.polytable.table.Bytes;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** ACL: the users as Redis shows them, and what they may do. */
public final class AclCommands implements CommandFamily {
    private static final Flag[] USUAL = {NOSCRIPT, LOADING, STALE};
    private static final Flag[] ADMINS = {ADMIN, NOSCRIPT, LOADING, STALE};
    private static final Logger LOG = LoggerFactory.getLogger(AclCommands.class);
    private static final int LOGGED_SHOWN = 10;
    private static final int GENERATED_BITS = 256;
    private static final int GENERATED_BITS_MAX = 4096;

    // A shared error is safe: it has no stack trace.
    @SuppressWarnings("StaticAssignmentOfThrowable")
    private static final RedisError NO_FILE = new RedisError(
            "This Redis instance is not configured to use an ACL file. You may want to specify users via the ACL SETUSER "
                    + "command and then issue a CONFIG REWRITE (assuming you have a Redis configuration file set) in "
                    + "order to store users in the Redis configuration.");

    private final Node node;
    private final SecureRandom random = new SecureRandom();

    public AclCommands(Node node) {
        this.node = node;
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
                        speaks("load", exactly(2), this::load).with(ADMINS).offLoop(),
                        speaks("log", atLeast(2), this::log).with(ADMINS),
                        speaks("save", exactly(2), this::save).with(ADMINS).offLoop(),
                        speaks("setuser", atLeast(3), this::setUser).with(ADMINS),
                        speaks("users", exactly(2), this::users).with(ADMINS),
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
            throw new RedisError("Unknown category '" + call.quoted(2) + "'");
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
        return Reply.bulks(
                accounts().users().all().stream().map(accounts()::line).toList());
    }

    private Reply users(Call call) {
        return Reply.texts(accounts().users().all().stream().map(User::name).toList());
    }

    private Accounts accounts() {
        return node.accounts();
    }

    private Reply setUser(Call call) {
        String name = Accounts.checkedName(call.word(2));
        try {
            accounts().users().change(by(call), name, user -> accounts().applied(user, call.wordsFrom(3)));
        } catch (RefusedChange refused) {
            throw new RedisError(refused.text());
        }
        return Reply.OK;
    }

    private static Actor by(Call call) {
        return Actor.of(call.session().registered());
    }

    private Optional<User> user(Bytes name) {
        return accounts()
                .users()
                .find(name.utf8())
                .filter(user -> Bytes.utf8(user.name()).equals(name));
    }

    private Reply getUser(Call call) {
        return user(call.word(2)).map(found -> UserReply.of(accounts(), found)).orElse(Reply.ABSENT);
    }

    /** A caller that removes itself gets its reply first. */
    private Reply deleteUsers(Call call) {
        List<String> names = call.wordsFrom(2).stream().map(Bytes::utf8).toList();
        int removed;
        try {
            removed = accounts()
                    .users()
                    .remove(
                            by(call),
                            names,
                            session -> session == call.session().registered());
        } catch (RefusedChange refused) {
            throw new RedisError(refused.text());
        }
        if (accounts().find(call.session().user()).isEmpty()) {
            call.session().end();
        }
        return Reply.of(removed);
    }

    /** Whether the user could make a call. */
    private Reply dryRun(Call call) {
        User user = user(call.word(2)).orElseThrow(() -> new RedisError("User '" + call.quoted(2) + "' not found"));
        Call dry = call.tail(3);
        Command command = find(dry);
        if (command == null) {
            throw new RedisError("Command '" + call.quoted(3) + "' not found");
        }
        if (!command.arity().allows(dry.size())) {
            throw RedisError.wrongArity(command.fullName());
        }
        dry.command(command);
        Denial denial = accounts().denial(user, dry);
        return denial == null ? Reply.OK : Reply.of(denial.explained(user.name(), dry));
    }

    private static @Nullable Command find(Call call) {
        Command command = call.table().find(call.word(0));
        if (command == null || !command.isContainer() || call.size() == 1) {
            return command;
        }
        return call.table().findSubcommand(command, call.word(1));
    }

    /** Users of other names are gone, and clients of all users but the default one are disconnected. */
    private Reply load(Call call) {
        try {
            // Clients of this protocol are disconnected below.
            accounts()
                    .users()
                    .replaceAll(
                            by(call),
                            file().read(accounts()),
                            session -> session.protocol().equals("redis"));
        } catch (InvalidAclFile invalid) {
            throw new RedisError(String.valueOf(invalid.getMessage()));
        }
        for (Session session : node.clients().all()) {
            if (session.account() != accounts().defaultAccount()) {
                session.end();
            }
        }
        return Reply.OK;
    }

    private Reply save(Call call) {
        AclFile file = file();
        try {
            file.write(accounts());
            return Reply.OK;
        } catch (IOException failure) {
            LOG.error("The ACL file was not written", failure);
            throw new RedisError(
                    "There was an error trying to save the ACLs. Please check the server logs for more information");
        }
    }

    private AclFile file() {
        String path = node.settings().aclFile();
        if (path.isEmpty()) {
            throw NO_FILE;
        }
        return new AclFile(Path.of(path));
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
            node.aclLog().reset();
            return Reply.OK;
        }
        long count = call.size() == 3 ? call.integer(2) : LOGGED_SHOWN;
        return Reply.many(node.aclLog().newest(count).stream()
                .map(entry -> described(entry, call.nowMillis()))
                .toList());
    }

    private static Reply described(AclLog.Entry entry, long nowMillis) {
        return Reply.mapOf(
                Reply.of("count"),
                Reply.of(entry.count()),
                Reply.of("reason"),
                Reply.of(entry.reason().text()),
                Reply.of("context"),
                Reply.of(entry.context().text()),
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

    private Reply help(Call call) {
        return HelpText.of(call);
    }
}
