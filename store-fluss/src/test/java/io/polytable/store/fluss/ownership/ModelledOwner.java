package io.polytable.store.fluss.ownership;

import io.polytable.table.StoreException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A server that takes the log over and does some work. It is the real code that decides, on a modelled table. */
final class ModelledOwner {
    private static final Duration FOR_EVER = Duration.ofDays(10_000);
    private static final Takeover.Terms TERMS = new Takeover.Terms(Duration.ofSeconds(10), FOR_EVER, Optional.empty());

    private final ReplayedServer server;
    private final List<RowSpan> acknowledged = new ArrayList<>();

    /** What an owner does once it owns the log. */
    enum Work {
        /** A record in a row. */
        APPEND,
        /** A record in two rows. */
        APPEND_LARGE,
        /** Removes all rows but the last. */
        TRIM
    }

    ModelledOwner(ReplayedServer server) {
        this.server = server;
    }

    /** What was acknowledged, a span of rows for each record. */
    List<RowSpan> acknowledged() {
        return acknowledged;
    }

    static Chain chainOf(LogModel model, int number) {
        LogModel copy = model.copy();
        copy.catchUpAll();
        ReplayedServer server = ReplayedServer.undisturbed(number, copy);
        return Takeover.win(server, TERMS, server).chain();
    }

    /** Ends when the work is done, the log was lost to another, or the server is suspended. */
    Optional<LogModel.Step> run(List<Work> work) {
        try {
            Ownership ownership = Takeover.win(server, TERMS, server);
            FencedWriter writer = new FencedWriter(server, ownership, server, FOR_EVER);
            RowSpan own = ownership.own();
            for (Work next : work) {
                own = switch (next) {
                    case APPEND -> append(writer, own, 1);
                    case APPEND_LARGE -> append(writer, own, 2);
                    case TRIM -> trim(writer, own);
                };
            }
            return Optional.empty();
        } catch (ReplayedServer.Suspended suspended) {
            return Optional.of(suspended.step());
        } catch (StoreException | ReplayedServer.GaveUp over) {
            return Optional.empty();
        }
    }

    private RowSpan append(FencedWriter writer, RowSpan own, int parts) {
        List<LogRow> rows = new ArrayList<>();
        long position = own.lastPosition() + 1;
        for (int part = 0; part < parts; part++) {
            rows.add(new LogRow(
                    own.key(own.lastSeq() + 1 + part),
                    writer.expected() + part,
                    part == 0 ? position : position + 1,
                    position,
                    0,
                    own.bytesBehind() + (long) part * Long.BYTES,
                    parts - 1 - part,
                    ByteBuffer.allocate(Long.BYTES).putLong(own.owner()).array()));
        }
        writer.write(rows);
        LogRow last = rows.get(parts - 1);
        acknowledged.add(new RowSpan(
                own.epoch(), own.owner(), own.lastSeq() + 1, last.key().seq(), position, position, 0, 0, 0));
        return own.upTo(last);
    }

    private static RowSpan trim(FencedWriter writer, RowSpan own) {
        long checkpoint = own.owner();
        Floor floor = new Floor(own.key(own.lastSeq()), own.lastPosition(), own.bytesBehind(), checkpoint);
        LogKey key = LogKey.floor(own.epoch(), own.owner());
        writer.write(List.of(LogRow.control(key, writer.expected(), floor.encode())));
        List<LogKey> below = new ArrayList<>();
        for (long seq = own.firstSeq(); seq < own.lastSeq(); seq++) {
            below.add(own.key(seq));
        }
        if (!below.isEmpty()) {
            writer.remove(below);
        }
        return own.from(floor);
    }
}
