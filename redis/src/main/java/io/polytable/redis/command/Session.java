package io.polytable.redis.command;

import io.polytable.frontend.session.ClientAddress;
import io.polytable.frontend.session.Principal;
import io.polytable.frontend.session.Session.Activity;
import io.polytable.frontend.session.Sessions;
import io.polytable.redis.model.change.Origin;
import io.polytable.redis.model.change.PrimaryPosition;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The state of a connection that commands see: its database, protocol, name and user. Only its own event loop changes
 * it; CLIENT LIST on another loop may read slightly stale values.
 */
public final class Session implements Origin {
    /** The modes of CLIENT REPLY. */
    public enum Replies {
        ON,
        OFF,
        /** Suppresses the reply of the CLIENT REPLY SKIP itself and the next one. */
        SKIP_NEXT,
        SKIP
    }

    private final io.polytable.frontend.session.Session registered;
    private final Peer peer;
    private final long sinceMillis;
    private volatile Account account;
    private volatile int database;
    private volatile int protocol = 2;
    private volatile boolean authenticated;
    private volatile String name = "";
    private volatile String libraryName = "";
    private volatile String libraryVersion = "";
    private volatile boolean noEvict;
    private volatile boolean noTouch;
    private volatile @Nullable Waiter waiter;
    private volatile boolean ending;
    private volatile boolean paused;
    private volatile boolean replica;
    private volatile Optional<PrimaryPosition> primary = Optional.empty();
    private final PushState pushState = new PushState();
    private final Transaction transaction = new Transaction();
    private Replies replies = Replies.ON;
    private int changes;
    private boolean wrote;
    private boolean outOfSync;

    // Written with every command, so not volatile: another thread may read a stale value.
    private @Nullable Command last;
    private long lastMillis;

    /** @param registered the connection's entry in the registry of all protocols; its principal says who has logged in */
    public Session(io.polytable.frontend.session.Session registered, Peer peer, long nowMillis, Account account) {
        this.registered = registered;
        this.peer = peer;
        this.sinceMillis = nowMillis;
        this.lastMillis = nowMillis;
        this.account = account;
        this.authenticated = !registered.principal().isAnonymous();
    }

    /** A session without a connection: for tests and for the server's own commands. */
    public static Session detached() {
        return new Session(Sessions.detached(Principal.ROOT), Peer.NOBODY, 0, Account.UNRESTRICTED);
    }

    public long id() {
        return registered.id();
    }

    /** Where the client comes from. */
    public ClientAddress origin() {
        return ClientAddress.of(registered.address());
    }

    /** Its entry in the registry of all protocols. */
    public io.polytable.frontend.session.Session registered() {
        return registered;
    }

    public Peer peer() {
        return peer;
    }

    public long sinceMillis() {
        return sinceMillis;
    }

    public int database() {
        return database;
    }

    public void select(int index) {
        database = index;
        changes++;
    }

    public int protocol() {
        return protocol;
    }

    public void speak(int version) {
        protocol = version;
        changes++;
    }

    public boolean authenticated() {
        return authenticated;
    }

    /** Acts as this user from now on. */
    public void authenticate(Account user, Principal principal) {
        account = user;
        authenticated = true;
        registered.login(principal);
        changes++;
    }

    /** Acts as this user, without a login: for calls that a script makes. */
    public void actAs(Account user) {
        account = user;
    }

    public Account account() {
        return account;
    }

    public String user() {
        return account.name();
    }

    public String name() {
        return name;
    }

    public void name(String text) {
        name = text;
        changes++;
    }

    public String libraryName() {
        return libraryName;
    }

    public void libraryName(String text) {
        libraryName = text;
        changes++;
    }

    public String libraryVersion() {
        return libraryVersion;
    }

    public void libraryVersion(String text) {
        libraryVersion = text;
        changes++;
    }

    public boolean noEvict() {
        return noEvict;
    }

    public void noEvict(boolean on) {
        noEvict = on;
        changes++;
    }

    public boolean noTouch() {
        return noTouch;
    }

    public void noTouch(boolean on) {
        noTouch = on;
        changes++;
    }

    @Override
    public boolean marksUse() {
        return !noTouch;
    }

    /** Whether its last call is blocked or held by CLIENT PAUSE. */
    public boolean waiting() {
        return waiter != null || paused;
    }

    /** Whether CLIENT PAUSE holds its next call. */
    public void paused(boolean held) {
        // Called before every command and mostly unchanged: avoids a volatile write.
        if (paused != held) {
            paused = held;
        }
    }

    /** Present when its calls are a primary's. */
    @Override
    public Optional<PrimaryPosition> primary() {
        return primary;
    }

    /** Its next call is a primary's, at this position. */
    public void follow(Optional<PrimaryPosition> position) {
        primary = position;
    }

    /** Whether it receives the stream of a primary instead of replies. */
    public boolean isReplica() {
        return replica;
    }

    public void becomeReplica() {
        replica = true;
        changes++;
    }

    @Nullable
    public Waiter waiter() {
        return waiter;
    }

    public void waiter(@Nullable Waiter next) {
        waiter = next;
    }

    /** The memory of its names and tracked prefixes, whose size the client chooses. Called on its own loop. */
    public long heldBytes() {
        return pushState.prefixBytes() + name.length() + libraryName.length() + libraryVersion.length();
    }

    /** Its watched keys and its queue since MULTI. */
    public Transaction transaction() {
        return transaction;
    }

    /** Whether the connection closes after its replies are sent. */
    public boolean ending() {
        return ending;
    }

    /** Closes the connection after its replies are sent. */
    public void end() {
        ending = true;
        peer.closeAfterReplies();
    }

    public Replies replies() {
        return replies;
    }

    public void replies(Replies mode) {
        replies = mode;
        changes++;
    }

    /** Its sources of push messages. */
    public PushState pushState() {
        return pushState;
    }

    /**
     * Back to the state of a new connection, except for its id and library (RESET).
     *
     * @param user of clients that have not named one
     */
    public void reset(Account user, boolean needsPassword) {
        database = 0;
        changes++;
        protocol = 2;
        name = "";
        noEvict = false;
        noTouch = false;
        replies = Replies.ON;
        transaction.close();
        account = user;
        authenticated = !needsPassword;
        registered.login(authenticated ? Principal.ROOT : Principal.ANONYMOUS);
    }

    /**
     * A change counter of the session's state. When a reply cannot be sent, a higher count shows that it would have
     * reported a change.
     */
    public int changes() {
        return changes + pushState.changes() + transaction.changes();
    }

    /** Whether its last call, or the transaction it executed, may have changed rows. */
    public boolean wrote() {
        return wrote;
    }

    public void wrote(boolean rows) {
        wrote = rows;
    }

    /**
     * Marks that the client received an error although the command took effect. The connection must be closed: client
     * and server no longer agree on the session's state.
     */
    public void markOutOfSync() {
        outOfSync = true;
    }

    public boolean isOutOfSync() {
        return outOfSync;
    }

    public void ran(Command command, long nowMillis) {
        last = command;
        lastMillis = nowMillis;
    }

    /** Ends the wait of a request: the idle time starts now, and CLIENT CACHING applies to it no longer. */
    public void answered(long nowMillis) {
        lastMillis = nowMillis;
        pushState.caching(false);
    }

    /** The full name of the last command. */
    public String lastCommand() {
        Command command = last;
        return command == null ? "NULL" : command.fullName();
    }

    /** What operators see of it: the last command, which runs if it is blocked or held. */
    public Activity activity() {
        Command command = last;
        return command == null ? Activity.NONE : new Activity(command.fullName(), waiting());
    }

    public long lastMillis() {
        return lastMillis;
    }
}
