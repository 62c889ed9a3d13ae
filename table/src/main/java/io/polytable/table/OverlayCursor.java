package io.polytable.table;

import java.util.Iterator;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Uncommitted rows laid over a cursor of the store: the own change of a key wins, own deletes hide. */
final class OverlayCursor implements Cursor {
    private final Cursor beneath;
    private final Iterator<Map.Entry<Bytes, Optional<Bytes>>> own;
    private final Direction direction;
    private final Predicate<Bytes> hidden;
    private long left;

    private Map.@Nullable Entry<Bytes, Optional<Bytes>> nextOwn;
    private boolean hasBeneath;
    private Bytes key = Bytes.EMPTY;
    private Bytes value = Bytes.EMPTY;

    /** The own rows come in the cursor's direction; {@code hidden} tells which rows beneath a range delete took. */
    OverlayCursor(
            Cursor beneath, Map<Bytes, Optional<Bytes>> own, Direction direction, Predicate<Bytes> hidden, long limit) {
        this.beneath = beneath;
        this.own = own.entrySet().iterator();
        this.direction = direction;
        this.hidden = hidden;
        this.left = limit;
        stepOwn();
        stepBeneath();
    }

    private void stepOwn() {
        nextOwn = own.hasNext() ? own.next() : null;
    }

    private void stepBeneath() {
        do {
            hasBeneath = beneath.next();
        } while (hasBeneath && hidden.test(beneath.key()));
    }

    @Override
    public boolean next() {
        while (left > 0 && (nextOwn != null || hasBeneath)) {
            Map.Entry<Bytes, Optional<Bytes>> candidate = nextOwn;
            int order = candidate == null ? 1 : hasBeneath ? compare(candidate.getKey(), beneath.key()) : -1;
            if (candidate == null || order > 0) {
                show(beneath.key(), beneath.value());
                stepBeneath();
                return true;
            }
            if (order == 0) {
                stepBeneath();
            }
            stepOwn();
            Optional<Bytes> ownValue = candidate.getValue();
            if (ownValue.isPresent()) {
                show(candidate.getKey(), ownValue.get());
                return true;
            }
        }
        return false;
    }

    private int compare(Bytes a, Bytes b) {
        return direction == Direction.FORWARD ? a.compareTo(b) : b.compareTo(a);
    }

    private void show(Bytes nextKey, Bytes nextValue) {
        key = nextKey;
        value = nextValue;
        left--;
    }

    @Override
    public Bytes key() {
        return key;
    }

    @Override
    public Bytes value() {
        return value;
    }

    @Override
    public void close() {
        beneath.close();
    }
}
