package io.polytable.store.fluss.ownership;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * What {@link LogRows} promises, as plainly as it can be said: one list of writes, of which readers see a prefix. Each call
 * is a {@link Step}, so that a test decides whose step comes next.
 */
final class LogModel {
    private final Rules rules;
    private final List<Landed> landed;
    private final List<Step.Announce> announced;
    private int visible;
    private Fingerprint landedPrint;
    private Fingerprint announcedPrint;

    /**
     * @param lagging whether readers may see less than what has landed
     * @param forgetful whether an epoch names its last claimant only, as in version 1 of the format
     */
    record Rules(boolean lagging, boolean forgetful) {}

    /** A write, or a removal when it has no row. */
    private record Landed(LogKey key, Optional<LogRow> row) {
        @Override
        public String toString() {
            return key + row.map(LogModel::text).orElse("=gone");
        }
    }

    /** One call of a server, which happens at one moment. */
    sealed interface Step {
        record LatestOffset() implements Step {}

        record Read(List<LogKey> keys) implements Step {}

        record Write(LogRow row) implements Step {}

        record Remove(LogKey key) implements Step {}

        record Announce(long epoch, long owner) implements Step {}

        record Candidates(long epoch) implements Step {}

        /** As long as it takes until everything that has landed can be seen. */
        record Pause() implements Step {}
    }

    LogModel(Rules rules) {
        this(rules, new ArrayList<>(), new ArrayList<>(), 0, Fingerprint.NONE, Fingerprint.NONE);
    }

    private LogModel(
            Rules rules,
            List<Landed> landed,
            List<Step.Announce> announced,
            int visible,
            Fingerprint landedPrint,
            Fingerprint announcedPrint) {
        this.rules = rules;
        this.landed = landed;
        this.announced = announced;
        this.visible = visible;
        this.landedPrint = landedPrint;
        this.announcedPrint = announcedPrint;
    }

    LogModel copy() {
        return new LogModel(
                rules, new ArrayList<>(landed), new ArrayList<>(announced), visible, landedPrint, announcedPrint);
    }

    boolean isPresent(LogKey key) {
        return find(key).isPresent();
    }

    boolean canCatchUp() {
        return visible < landed.size();
    }

    /** Readers see one write more. */
    void catchUp() {
        visible++;
    }

    void catchUpAll() {
        visible = landed.size();
    }

    Object perform(Step step) {
        if (step instanceof Step.LatestOffset) {
            return (long) landed.size();
        } else if (step instanceof Step.Read read) {
            return read.keys().stream().map(this::find).toList();
        } else if (step instanceof Step.Write write) {
            return land(new Landed(write.row().key(), Optional.of(write.row())));
        } else if (step instanceof Step.Remove remove) {
            return land(new Landed(remove.key(), Optional.empty()));
        } else if (step instanceof Step.Announce announce) {
            return announce(announce);
        } else if (step instanceof Step.Candidates candidates) {
            return candidates(candidates.epoch());
        }
        catchUpAll();
        return 0L;
    }

    private Optional<LogRow> find(LogKey key) {
        for (int at = visible - 1; at >= 0; at--) {
            if (landed.get(at).key().equals(key)) {
                return landed.get(at).row();
            }
        }
        return Optional.empty();
    }

    private Object land(Landed write) {
        landed.add(write);
        landedPrint = landedPrint.with(write.toString());
        if (!rules.lagging()) {
            catchUpAll();
        }
        return (long) landed.size();
    }

    private Object announce(Step.Announce announce) {
        announced.add(announce);
        String event = announce.toString();
        announcedPrint = rules.forgetful() ? announcedPrint.with(event) : announcedPrint.plus(event);
        return 0L;
    }

    private List<Long> candidates(long epoch) {
        List<Long> all = announced.stream()
                .filter(announce -> announce.epoch() == epoch)
                .map(Step.Announce::owner)
                .toList();
        return rules.forgetful() && !all.isEmpty()
                ? all.subList(all.size() - 1, all.size())
                : all.stream().sorted().toList();
    }

    /** Of what has landed, was announced and can be seen. */
    Fingerprint fingerprint() {
        return landedPrint.with(announcedPrint).with(Integer.toString(visible));
    }

    /** An answer in a form that can be compared. */
    static String text(Object answer) {
        if (answer instanceof List<?> list) {
            StringBuilder text = new StringBuilder();
            for (int i = 0; i < list.size(); i++) {
                String item = text(list.get(i));
                text.append(item.isEmpty() ? "" : i + ":" + item + " ");
            }
            return text.toString();
        } else if (answer instanceof Optional<?> found) {
            return found.map(LogModel::text).orElse("");
        } else if (answer instanceof LogRow row) {
            return row.key() + "@" + row.offset() + "#" + Arrays.hashCode(row.body());
        }
        return Objects.toString(answer);
    }

    @Override
    public String toString() {
        return visible + " of " + landed + " " + announced;
    }
}
