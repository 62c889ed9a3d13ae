package io.polytable.redis.command;

import io.polytable.redis.model.change.Origin;
import org.jspecify.annotations.Nullable;

/**
 * The state of a connection that commands can see: its database, protocol, name and user. Only its own event loop
 * changes it; CLIENT LIST on another loop may read slightly older values.
 */
public final class Session implements Origin {
    /** Whether a command's reply is sent (CLIENT REPLY). */
    public enum Replies {
        ON,
        OFF,
        /** Not the one that asked for it, nor the next. */
        SKIP_NEXT,
        SKIP
    }

    private final long id;
    private final Peer peer;
    private final long sinceMillis;
    private final boolean bornAuthenticated;
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
    private final PushState pushState = new PushState();
    private final Transaction transaction = new Transaction();
    private Replies replies = Replies.ON;
    private int changes;
    private boolean wrote;
    private boolean misled;

    // Written with every command: plain, for a reader may see an older one.
    private @Nullable Command last;
    private long lastMillis;

    public Session(long id, boolean authenticated, Peer peer, long nowMillis) {
        this.id = id;
        this.peer = peer;
        this.sinceMillis = nowMillis;
        this.lastMillis = nowMillis;
        this.bornAuthenticated = authenticated;
        this.authenticated = authenticated;
    }

    /** One that no connection stands behind: for tests and for the server's own commands. */
    public static Session detached() {
        return new Session(0, true, Peer.NOBODY, 0);
    }

    public long id() {
        return id;
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

    public void authenticate() {
        authenticated = true;
        changes++;
    }

    public String user() {
        return "default";
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

    /** Whether its last call waits for keys, for a time to be over or for a pause of all clients. */
    public boolean waiting() {
        return waiter != null || paused;
    }

    /** Whether CLIENT PAUSE holds its next call. */
    public void paused(boolean held) {
        // Asked before every command: most find it as it shall be.
        if (paused != held) {
            paused = held;
        }
    }

    @Nullable
    public Waiter waiter() {
        return waiter;
    }

    public void waiter(@Nullable Waiter next) {
        waiter = next;
    }

    /** What its names and tracked prefixes take, which clients choose. On its own loop. */
    public long heldBytes() {
        return pushState.prefixBytes() + name.length() + libraryName.length() + libraryVersion.length();
    }

    /** Its watched keys and what it queued since MULTI. */
    public Transaction transaction() {
        return transaction;
    }

    /** Whether the connection ends once its replies are out. */
    public boolean ending() {
        return ending;
    }

    /** Ends the connection once its replies are out. */
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

    /** What it is told unasked. */
    public PushState pushState() {
        return pushState;
    }

    /** As a fresh connection, but for its id and library (RESET). */
    public void reset(boolean needsPassword) {
        database = 0;
        changes++;
        protocol = 2;
        name = "";
        noEvict = false;
        noTouch = false;
        replies = Replies.ON;
        transaction.close();
        authenticated = !needsPassword && bornAuthenticated;
    }

    /** How often its own state was changed: whoever refuses a reply sees from it whether that would have told of a change. */
    public int changes() {
        return changes + pushState.changes() + transaction.changes();
    }

    /** Whether its last call, or the transaction that this ran, may have changed rows. */
    public boolean wrote() {
        return wrote;
    }

    public void wrote(boolean rows) {
        wrote = rows;
    }

    /** Its client gets an error for what happened all the same: only a new connection can bring them in step again. */
    public void mislead() {
        misled = true;
    }

    public boolean isMisled() {
        return misled;
    }

    public void ran(Command command, long nowMillis) {
        last = command;
        lastMillis = nowMillis;
    }

    /** A request that waited was answered: only from now on is the client idle. */
    public void answered(long nowMillis) {
        lastMillis = nowMillis;
    }

    /** The full name of the command it ran last. */
    public String lastCommand() {
        Command command = last;
        return command == null ? "NULL" : command.fullName();
    }

    public long lastMillis() {
        return lastMillis;
    }
}
