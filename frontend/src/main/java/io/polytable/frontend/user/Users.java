package io.polytable.frontend.user;

import io.polytable.frontend.answer.AnswerGate;
import io.polytable.frontend.session.ClientAddress;
import io.polytable.frontend.session.Principal;
import io.polytable.frontend.session.Session;
import io.polytable.frontend.session.Sessions;
import io.polytable.frontend.user.AuditEntry.Event;
import io.polytable.table.TableStore;
import io.polytable.table.write.Batch;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.List;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/**
 * The directory of the users of all protocols, over a system table. Reads take no lock and see the latest change. A
 * change is visible, and has reached open sessions and the listeners, when the call returns; it is durable when {@link
 * TableStore#latest()} is. Thread safe.
 */
public final class Users {
    /** More are refused: every change copies the directory. */
    public static final int USERS_MAX = 100_000;

    /** In characters. */
    public static final int NAME_LENGTH_MAX = 1024;

    /** Every user, and the default user as it is called in SQL. */
    private static final Set<String> RESERVED = Set.of(Grant.PUBLIC, Principal.ROOT.name());

    private final TableStore store;
    private final Sessions sessions;
    private final InstantSource clock;
    private final UserRows rows;
    private final Grants grants;
    private final LoopbackTrust loopback;
    private final AuditLog audit;
    private final PasswordLogins logins;
    private final List<Listener> listeners = new CopyOnWriteArrayList<>();
    private final AtomicLong version = new AtomicLong();
    private volatile NavigableMap<String, User> byName;

    /** Kept, because clients without a password ask with each request. */
    private volatile boolean hasPasswords;

    /** Follows changes. Called one change at a time, by the thread that makes it, which must not wait. */
    @FunctionalInterface
    public interface Listener {
        /** The user was changed; added if {@code before} is empty, removed if {@code now} is. */
        void changed(String name, Optional<User> before, Optional<User> now);
    }

    /** The directory refuses a change. */
    public static final class RefusedChange extends RuntimeException {
        private static final long serialVersionUID = 1L;

        RefusedChange(String text) {
            super(text, null, false, false);
        }

        public String text() {
            return String.valueOf(getMessage());
        }
    }

    private Users(
            TableStore store, Sessions sessions, InstantSource clock, LoopbackTrust loopback, AuditLog.Limits limits) {
        this.loopback = loopback;
        audit = new AuditLog(store, clock, limits);
        this.store = store;
        this.sessions = sessions;
        this.clock = clock;
        this.rows = new UserRows(store);
        NavigableMap<String, User> stored = new TreeMap<>();
        stored.put(User.DEFAULT, User.initialDefault());
        rows.all().forEach(user -> stored.put(user.name(), user));
        this.byName = stored;
        hasPasswords = hasPasswords(stored.values());
        grants = new Grants(store, name -> find(name).isPresent(), clock, audit);
        logins = new PasswordLogins(this, clock);
    }

    /**
     * Reads the users of the store. A store has one directory at a time.
     *
     * @param sessions whose principals follow changes of their users
     */
    public static Users open(TableStore store, Sessions sessions, InstantSource clock) {
        return open(store, sessions, clock, LoopbackTrust.TRUST, AuditLog.Limits.DEFAULT);
    }

    /**
     * As above.
     *
     * @param loopback the rule for clients of this machine
     * @param limits of the audit log
     */
    public static Users open(
            TableStore store, Sessions sessions, InstantSource clock, LoopbackTrust loopback, AuditLog.Limits limits) {
        return new Users(store, sessions, clock, loopback, limits);
    }

    /** Changes with every change of a user. */
    public long version() {
        return version.get();
    }

    /** What these users may do with tables. */
    public Grants grants() {
        return grants;
    }

    /** The log of logins and of changes of users. */
    public AuditLog audit() {
        return audit;
    }

    /** Logins with a password. */
    public PasswordLogins logins() {
        return logins;
    }

    /** Waits until all changes so far are durable. */
    public void settle() {
        AnswerGate.settle(store.latest());
    }

    public Optional<User> find(String name) {
        return Optional.ofNullable(byName.get(name));
    }

    /** Whether a user who gave a password may still log in with it. */
    public boolean isStill(User proved) {
        return find(proved.name())
                .filter(User::enabled)
                .filter(now -> now.open() == proved.open() && now.secrets().equals(proved.secrets()))
                .isPresent();
    }

    /** The user of clients that have not named one. */
    public User defaultUser() {
        // It cannot be removed.
        return Objects.requireNonNull(byName.get(User.DEFAULT));
    }

    /** By name, in the order of UTF-16. */
    public List<User> all() {
        return List.copyOf(byName.values());
    }

    /** Whether a client that names no user must give a password. */
    public boolean isPasswordRequired(ClientAddress client) {
        return !defaultUser().needsNoPassword() || !trusts(client);
    }

    /** Whether the client may act as a user that needs no password. */
    public boolean trusts(ClientAddress client) {
        return client.isLoopback() && trustsThisMachine();
    }

    /** Whether clients of this machine may act as a user that needs no password. */
    public boolean trustsThisMachine() {
        return switch (loopback) {
            case AUTO -> !hasPasswords();
            case TRUST -> true;
            case PASSWORD -> false;
        };
    }

    /** Whether any user has a password. */
    public boolean hasPasswords() {
        return hasPasswords;
    }

    private static boolean hasPasswords(Collection<User> users) {
        return users.stream().anyMatch(user -> !user.secrets().isEmpty());
    }

    /** Makes this the only password of the default user; an empty one lets clients in without any. */
    public synchronized void setDefaultPassword(byte[] password) {
        List<Secret> secrets = password.length == 0 ? List.of() : List.of(Secret.Sha256.of(password));
        User current = defaultUser();
        if (current.open() != secrets.isEmpty() || !current.secrets().equals(secrets)) {
            change(User.DEFAULT, user -> user.withSecrets(secrets, secrets.isEmpty()));
        }
    }

    public void onChange(Listener listener) {
        listeners.add(listener);
    }

    /** As {@link #change(Actor, String, UnaryOperator)}, by the server itself. */
    public User change(String name, UnaryOperator<User> change) {
        return change(Actor.SERVER, name, change);
    }

    /**
     * Changes a user, or adds it: the change then gets {@link User#named}. Nothing happens if the change throws.
     *
     * @throws RefusedChange when there would be too many users, or the name is too long
     */
    public synchronized User change(Actor by, String name, UnaryOperator<User> change) {
        User before = byName.get(name);
        User asked = change.apply(before == null ? User.named(name) : before);
        if (!asked.name().equals(name)) {
            throw new IllegalArgumentException("a change keeps the name");
        }
        Instant now = clock.instant().truncatedTo(ChronoUnit.MICROS);
        User after = asked.at(before == null ? now : before.created(), now);
        commit(by, List.of(after), List.of());
        return after;
    }

    /** Refuses logins of a user, and ends its sessions. */
    public synchronized User lock(Actor by, String name) {
        User locked = change(by, name, user -> user.withEnabled(false));
        int unusedCount = sessions.end(locked.principal().name());
        return locked;
    }

    /**
     * Removes users, ends their sessions, and returns how many there were.
     *
     * @param spared sessions that are not ended, although their user is gone: that of a caller who removes itself
     * @throws RefusedChange when the default user is among them; then none is removed
     */
    public synchronized int remove(Actor by, List<String> names, Predicate<Session> spared) {
        if (names.contains(User.DEFAULT)) {
            throw new RefusedChange("The 'default' user cannot be removed");
        }
        List<String> known =
                names.stream().distinct().filter(byName::containsKey).toList();
        if (!known.isEmpty()) {
            commit(by, List.of(), known);
            sessions.all().stream()
                    .filter(session -> known.contains(session.principal().name()) && !spared.test(session))
                    .forEach(Session::end);
        }
        return known.size();
    }

    /** Makes these all users, in one step. The default user is reset if it is not among them. */
    public synchronized void replaceAll(Actor by, List<User> next, Predicate<Session> spared) {
        Instant now = clock.instant().truncatedTo(ChronoUnit.MICROS);
        SortedMap<String, User> wanted = new TreeMap<>();
        wanted.put(User.DEFAULT, User.initialDefault());
        next.forEach(user -> wanted.put(user.name(), user));
        List<User> kept = wanted.values().stream()
                .map(user -> user.at(
                        find(user.name())
                                .map(User::created)
                                .filter(t -> t.isAfter(Instant.EPOCH))
                                .orElse(now),
                        now))
                .toList();
        List<String> gone = byName.keySet().stream()
                .filter(name -> !wanted.containsKey(name))
                .toList();
        commit(by, kept, gone);
        sessions.all().stream()
                .filter(session -> gone.contains(session.principal().name()) && !spared.test(session))
                .forEach(Session::end);
    }

    private void commit(Actor by, List<User> changed, List<String> removed) {
        NavigableMap<String, User> before = byName;
        synchronized (grants) {
            // Before their users: a crash in between must not leave grants for a later user of the same name.
            grants.removeAll(removed);
            commitRows(by, changed, removed);
        }
        changed.forEach(user -> follow(Optional.ofNullable(before.get(user.name())), user));
        removed.forEach(name -> tell(name, Optional.ofNullable(before.get(name)), Optional.empty()));
    }

    private void commitRows(Actor by, List<User> changed, List<String> removed) {
        NavigableMap<String, User> next = new TreeMap<>(byName);
        Batch batch = new Batch();
        for (User user : changed) {
            if (user.name().length() > NAME_LENGTH_MAX) {
                throw new RefusedChange("a user's name has at most " + NAME_LENGTH_MAX + " characters");
            }
            if (RESERVED.contains(user.name())) {
                throw new RefusedChange("the name \"" + user.name() + "\" is reserved");
            }
            Optional<User> before = Optional.ofNullable(next.put(user.name(), user));
            rows.put(batch, user);
            String difference = user.difference(before);
            if (!difference.isEmpty()) {
                Event event = before.isPresent() ? Event.USER_CHANGED : Event.USER_ADDED;
                audit.add(batch, by, event, user.name(), true, difference);
            }
        }
        for (String name : removed) {
            next.remove(name);
            rows.delete(batch, name);
            audit.add(batch, by, Event.USER_REMOVED, name, true, "");
        }
        if (next.size() > USERS_MAX) {
            throw new RefusedChange("there are " + USERS_MAX + " users already");
        }
        store.commit(batch);
        byName = next;
        hasPasswords = hasPasswords(next.values());
        version.incrementAndGet();
    }

    private void follow(Optional<User> before, User user) {
        for (Session session : sessions.all()) {
            if (session.principal().name().equals(user.principal().name())
                    && !session.principal().equals(user.principal())) {
                session.login(user.principal());
            }
        }
        tell(user.name(), before, Optional.of(user));
    }

    private void tell(String name, Optional<User> before, Optional<User> now) {
        listeners.forEach(listener -> listener.changed(name, before, now));
    }
}
