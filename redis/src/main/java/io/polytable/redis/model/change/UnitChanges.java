package io.polytable.redis.model.change;

import io.polytable.redis.model.Type;
import io.polytable.table.Bytes;
import io.polytable.table.Commit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The changes of one unit of work so far, collected only while there are listeners. */
public final class UnitChanges {
    private static final Logger LOG = LoggerFactory.getLogger(UnitChanges.class);

    private final KeyChanges listeners;
    private List<Change> changes = new ArrayList<>();
    private Origin origin = Origin.BACKGROUND;
    private boolean recording;

    /** Changes before this one are final: a later event is not merged into them. */
    private int floor;

    public UnitChanges(KeyChanges listeners) {
        this.listeners = listeners;
    }

    /** Begins a unit whose stripes are held. */
    public void begin(Origin who) {
        origin = who;
        recording = listeners.wantsChanges();
    }

    public KeyChanges listeners() {
        return listeners;
    }

    public Origin origin() {
        return origin;
    }

    /** Whether there are listeners; without any, nothing is recorded. */
    public boolean isRecording() {
        return recording;
    }

    /** The changes recorded so far, for callers that act on them before the commit. */
    public List<Change> soFar() {
        return Collections.unmodifiableList(changes);
    }

    /** Records an event. It replaces an unnamed change of the same key directly before it. */
    public void key(int database, Bytes key, KeyEvent event, @Nullable Type holds) {
        if (!recording) {
            return;
        }
        Change.Key before = justBefore(database, key);
        if (before != null && !before.event().isNamed()) {
            changes.remove(changes.size() - 1);
        }
        changes.add(new Change.Key(database, key, event, holds));
    }

    /** Records that the key's rows changed, unless the change directly before says so already. */
    public void touch(int database, Bytes key, @Nullable Type holds) {
        if (!recording) {
            return;
        }
        Change.Key before = justBefore(database, key);
        if (before == null || before.holds() != holds) {
            changes.add(new Change.Key(database, key, KeyEvent.UNNAMED, holds));
        }
    }

    /** The last change, if it is one of this key and may still be replaced. */
    private Change.@Nullable Key justBefore(int database, Bytes key) {
        int last = changes.size() - 1;
        return last >= floor
                        && changes.get(last) instanceof Change.Key change
                        && change.database() == database
                        && change.key().equals(key)
                ? change
                : null;
    }

    /** Records a change of a whole database. */
    public void add(Change change) {
        if (recording) {
            changes.add(change);
        }
    }

    /** A savepoint, for {@link #rollBackTo}. */
    public int mark() {
        floor = changes.size();
        return floor;
    }

    /**
     * Drops what was recorded since the savepoint, except what survives a rollback: reads have happened even if writes
     * are undone.
     */
    public void rollBackTo(int mark) {
        changes.subList(mark, changes.size())
                .removeIf(change -> !(change instanceof Change.Callback callback && callback.survivesRollback()));
        floor = changes.size();
    }

    /** Calls the listeners, once, after the commit. */
    public void publish(Commit commit) {
        if (!changes.isEmpty()) {
            List<Change> committed = Collections.unmodifiableList(changes);
            changes = new ArrayList<>();
            int from = 0;
            Origin who = origin;
            for (int i = 0; i < committed.size(); i++) {
                if (committed.get(i) instanceof Change.Callback callback) {
                    publish(committed.subList(from, i), who, commit);
                    run(callback);
                    from = i + 1;
                } else if (committed.get(i) instanceof Change.ActingAs other) {
                    publish(committed.subList(from, i), who, commit);
                    who = other.origin();
                    from = i + 1;
                }
            }
            publish(committed.subList(from, committed.size()), who, commit);
        }
    }

    // The commit has happened: a failing action must not turn it into an error for the client, nor keep the changes
    // after it from the listeners.
    private static void run(Change.Callback callback) {
        try {
            callback.action().run();
        } catch (RuntimeException mistake) {
            LOG.error("An action after a commit failed", mistake);
        }
    }

    private void publish(List<Change> some, Origin who, Commit commit) {
        if (!some.isEmpty()) {
            listeners.publish(new ChangeListener.Unit(some, who, commit));
        }
    }

    /** What is recorded from here on is done for this origin: for a blocked client, or again for the unit's own. */
    public void actAs(Origin who) {
        add(new Change.ActingAs(who));
    }

    /** Runs the action after the commit, in order with the changes recorded so far; not if the unit is rolled back. */
    public void runAfterCommit(Runnable action) {
        changes.add(new Change.Callback(action, false));
    }

    /**
     * Runs the action of a read: at once when nothing was recorded yet, else in order after that, even after a
     * rollback.
     */
    public void runInOrder(Runnable action) {
        if (changes.isEmpty()) {
            action.run();
        } else {
            changes.add(new Change.Callback(action, true));
        }
    }

    /** Ends the unit, committed or not. */
    public void clear() {
        changes.clear();
        floor = 0;
        origin = Origin.BACKGROUND;
    }

    /** A reading command missed the key. */
    public void missed(int database, Bytes key) {
        if (listeners.wantsMisses()) {
            Origin who = origin;
            runInOrder(() -> listeners.missed(database, key, who));
        }
    }
}
