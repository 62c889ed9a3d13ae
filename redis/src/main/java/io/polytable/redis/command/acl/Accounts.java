package io.polytable.redis.command.acl;

import io.polytable.frontend.user.Secret;
import io.polytable.frontend.user.User;
import io.polytable.frontend.user.Users;
import io.polytable.redis.command.Account;
import io.polytable.redis.command.Call;
import io.polytable.redis.command.CommandTable;
import io.polytable.redis.command.Denial;
import io.polytable.redis.command.Permissions;
import io.polytable.redis.command.PushState.Kind;
import io.polytable.redis.command.Session;
import io.polytable.redis.command.pubsub.PubSub;
import io.polytable.redis.model.RedisError;
import io.polytable.table.Bytes;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The accounts of all users: follows the directory and compiles the rules of each user. Thread safe. */
public final class Accounts {
    private static final Logger LOG = LoggerFactory.getLogger(Accounts.class);

    private final Users users;
    private final CommandBits bits;
    private final BooleanSupplier everyChannelByDefault;
    private final PubSub pubSub;
    private final ConcurrentHashMap<String, Account> accounts = new ConcurrentHashMap<>();
    private final Account defaultAccount;

    /** @param everyChannelByDefault whether new users and selectors may use every channel */
    public Accounts(Users users, CommandTable table, BooleanSupplier everyChannelByDefault, PubSub pubSub) {
        this.users = users;
        this.bits = new CommandBits(table);
        this.everyChannelByDefault = everyChannelByDefault;
        this.pubSub = pubSub;
        users.onChange(this::changed);
        users.all().forEach(user -> account(user).permit(permissions(user)));
        this.defaultAccount = account(users.defaultUser());
    }

    public Users users() {
        return users;
    }

    /** Of clients that have not named a user. */
    public Account defaultAccount() {
        return defaultAccount;
    }

    public Optional<Account> find(String name) {
        return Optional.ofNullable(accounts.get(name));
    }

    /** What an enabled user may do. */
    Rules rules(User user) {
        try {
            return edited(user, user.rules().orElse(user.isDefault() ? "~* &* +@all" : ""))
                    .rules();
        } catch (RuleError unknown) {
            LOG.error(
                    "The rules of user {} are not valid in this version, so it may do nothing: {}",
                    user.name(),
                    unknown.text());
            return nothing(user).rules();
        }
    }

    private Permissions permissions(User user) {
        return rules(user);
    }

    private RuleEditor nothing(User user) {
        Selector empty = new SelectorEditor(bits, false).selector();
        return new RuleEditor(bits, everyChannelByDefault, user, new Rules(true, List.of(empty)));
    }

    private RuleEditor edited(User user, String rules) {
        RuleEditor editor = nothing(user);
        List<String> words = rules.isEmpty() ? defaults() : List.of(rules.split(" ", -1));
        RuleEditor.joined(words).forEach(editor::apply);
        return editor;
    }

    private List<String> defaults() {
        return everyChannelByDefault.getAsBoolean() ? List.of("allchannels") : List.of();
    }

    /** Why the user may not make the call, or null. */
    public @Nullable Denial denial(User user, Call call) {
        return rules(user).denial(call);
    }

    /**
     * The name that a client gives a user.
     *
     * @throws RedisError when no user can have it
     */
    public static String checkedName(Bytes word) {
        if (Words.hasSpaces(Words.text(word))) {
            throw new RedisError("Usernames can't contain spaces or null characters");
        }
        String name = word.utf8();
        if (!Bytes.utf8(name).equals(word)) {
            throw new RedisError("Usernames must be valid UTF-8");
        }
        return name;
    }

    /** Starts to edit the user; nothing changes before the directory has the result. */
    RuleEditor edit(User user) {
        return new RuleEditor(bits, everyChannelByDefault, user, rules(user));
    }

    /** The user with these rules applied to what it was. */
    public User applied(User user, List<Bytes> words) {
        List<String> rules;
        try {
            rules = RuleEditor.joined(words.stream().map(Words::text).toList());
        } catch (RuleError open) {
            throw new RedisError(open.text() + " starting at '" + open.rule() + "'.");
        }
        RuleEditor editor = edit(user);
        for (String rule : rules) {
            try {
                editor.apply(rule);
            } catch (RuleError bad) {
                throw new RedisError("Error in ACL SETUSER modifier '" + rule + "': " + bad.text());
            }
        }
        return editor.user();
    }

    /** The line of ACL LIST and of ACL files, in bytes as clients sent them. */
    public Bytes line(User user) {
        Rules rules = rules(user);
        StringBuilder line = new StringBuilder("user ");
        line.append(Words.text(Bytes.utf8(user.name())));
        flags(user, rules).forEach(flag -> line.append(' ').append(flag));
        hashes(user).forEach(hash -> line.append(" #").append(hash));
        return Words.bytes(line.append(' ').append(rules.selectorText()).toString());
    }

    static List<String> flags(User user, Rules rules) {
        String enabled = user.enabled() ? "on" : "off";
        return user.open() ? List.of(enabled, "nopass", rules.flag()) : List.of(enabled, rules.flag());
    }

    /** The secrets in Redis' form; secrets of other forms are not shown to anybody. */
    static List<String> hashes(User user) {
        return user.secrets().stream()
                .filter(Secret.Sha256.class::isInstance)
                .map(secret -> ((Secret.Sha256) secret).hex())
                .toList();
    }

    private Account account(User user) {
        return accounts.computeIfAbsent(
                user.name(), name -> new Account(name, nothing(user).rules()));
    }

    private void changed(String name, Optional<User> before, Optional<User> now) {
        if (now.isEmpty()) {
            Account gone = accounts.remove(name);
            if (gone != null) {
                gone.permit(nothing(User.named(name)).rules());
            }
            return;
        }
        Rules rules = rules(now.get());
        Account account = account(now.get());
        account.permit(rules);
        if (!rules.allowsEveryChannel()) {
            endSubscribers(account, rules);
        }
    }

    /** As in Redis, clients that are subscribed to what their user may no longer hear are disconnected. */
    private void endSubscribers(Account account, Rules rules) {
        for (Kind kind : Kind.values()) {
            pubSub.subscribersOf(kind, name -> !rules.allowsChannel(name, kind == Kind.PATTERN)).stream()
                    .filter(session -> session.account() == account)
                    .forEach(Session::end);
        }
    }
}
