package io.polytable.redis.model.change;

import io.polytable.redis.model.Type;
import io.polytable.table.Bytes;
import io.polytable.table.Commit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The changes that one unit of work has made so far, collected only while somebody wants to hear of them. */
public final class UnitChanges {
    private final KeyChanges listeners;
    private List<Change> changes = new ArrayList<>();
    private Origin origin = Origin.BACKGROUND;
    private boolean heard;

    /** Changes before this one are final: a later event is not merged into them. */
    private int floor;

    public UnitChanges(KeyChanges listeners) {
        this.listeners = listeners;
    }

    /** A unit starts; the stripes of its keys are held. */
    public void begin(Origin who) {
        origin = who;
        heard = listeners.wantsChanges();
    }

    /** Who is told. */
    public KeyChanges listeners() {
        return listeners;
    }

    /** Whose changes these are. */
    public Origin origin() {
        return origin;
    }

    /** Whether anybody listens: without, nothing is to be noted. */
    public boolean isHeard() {
        return heard;
    }

    /** What was noted so far, for who acts on it before the commit. */
    public List<Change> soFar() {
        return Collections.unmodifiableList(changes);
    }

    /** Notes an event. It takes the place of an unnamed change of the same key just before. */
    public void key(int database, Bytes key, KeyEvent event, @Nullable Type holds) {
        if (!heard) {
            return;
        }
        Change.Key before = justBefore(database, key);
        if (before != null && !before.event().isNamed()) {
            changes.remove(changes.size() - 1);
        }
        changes.add(new Change.Key(database, key, event, holds));
    }

    /** Notes that the key's rows changed, unless the change just before says so already. */
    public void touch(int database, Bytes key, @Nullable Type holds) {
        if (!heard) {
            return;
        }
        Change.Key before = justBefore(database, key);
        if (before == null || before.holds() != holds) {
            changes.add(new Change.Key(database, key, KeyEvent.UNNAMED, holds));
        }
    }

    /** The change noted last, if it is one of this key that may still be replaced. */
    private Change.@Nullable Key justBefore(int database, Bytes key) {
        int last = changes.size() - 1;
        return last >= floor
                        && changes.get(last) instanceof Change.Key change
                        && change.database() == database
                        && change.key().equals(key)
                ? change
                : null;
    }

    /** Notes what happened to a whole database. */
    public void add(Change change) {
        if (heard) {
            changes.add(change);
        }
    }

    /** A savepoint, for {@link #rollBackTo}. */
    public int mark() {
        floor = changes.size();
        return floor;
    }

    /** Forgets what was noted since the savepoint, but for misses: the reads have happened, whatever is undone. */
    public void rollBackTo(int mark) {
        changes.subList(mark, changes.size())
                .removeIf(change -> !(change instanceof Change.Said said && said.lasting()));
        floor = changes.size();
    }

    /** Tells the listeners, once, after the commit. */
    public void publish(Commit commit) {
        if (!changes.isEmpty()) {
            List<Change> committed = Collections.unmodifiableList(changes);
            changes = new ArrayList<>();
            int from = 0;
            for (int i = 0; i < committed.size(); i++) {
                if (committed.get(i) instanceof Change.Said said) {
                    publish(committed.subList(from, i), commit);
                    said.aloud().run();
                    from = i + 1;
                }
            }
            publish(committed.subList(from, committed.size()), commit);
        }
    }

    private void publish(List<Change> some, Commit commit) {
        if (!some.isEmpty()) {
            listeners.publish(new ChangeListener.Unit(some, origin, commit));
        }
    }

    /** Says something after the commit, behind what was noted so far; nothing when that is rolled back. */
    public void say(Runnable aloud) {
        changes.add(new Change.Said(aloud, false));
    }

    /** Says what a read has to say: at once when nothing was noted yet, else behind that, also when that is rolled back. */
    public void inTurn(Runnable aloud) {
        if (changes.isEmpty()) {
            aloud.run();
        } else {
            changes.add(new Change.Said(aloud, true));
        }
    }

    /** The unit is over, whatever came of it. */
    public void clear() {
        changes.clear();
        floor = 0;
        origin = Origin.BACKGROUND;
    }

    /** A reading command missed the key. */
    public void missed(int database, Bytes key) {
        if (listeners.wantsMisses()) {
            Origin who = origin;
            inTurn(() -> listeners.missed(database, key, who));
        }
    }
}
