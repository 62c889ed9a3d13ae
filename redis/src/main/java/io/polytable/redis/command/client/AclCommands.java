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
import io.polytable.redis.command.CommandFamily;
import io.polytable.redis.command.Flag;
import io.polytable.redis.command.Group;
import io.polytable.redis.command.Refusals;
import io.polytable.redis.command.Reply;
import io.polytable.redis.command.config.Settings;
import io.polytable.redis.command.help.HelpText;
import io.polytable.redis.command.node.Node;
import io.polytable.redis.model.RedisError;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;

/** The reading subcommands of ACL: there is one user, who may do everything. */
public final class AclCommands implements CommandFamily {
    private static final Flag[] USUAL = {NOSCRIPT, LOADING, STALE};
    private static final Flag[] ADMINS = {ADMIN, NOSCRIPT, LOADING, STALE};
    private static final String USER = "default";

    private final Settings settings;

    public AclCommands(Node node) {
        this.settings = node.settings();
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
                        speaks("getuser", exactly(3), this::getUser).with(ADMINS),
                        speaks("help", exactly(2), this::help).with(LOADING, STALE),
                        speaks("list", exactly(2), this::list).with(ADMINS),
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
            throw Refusals.subcommandSyntax(call);
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
        return Reply.texts(List.of("user default on " + password + " ~* &* +@all"));
    }

    private Reply getUser(Call call) {
        if (!call.text(2).equals(USER)) {
            return Reply.ABSENT;
        }
        boolean needsPassword = settings.needsPassword();
        List<Reply> flags = needsPassword ? List.of(Reply.of("on")) : List.of(Reply.of("on"), Reply.of("nopass"));
        return Reply.mapOf(
                Reply.of("flags"),
                new Reply.SetOf(flags),
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
