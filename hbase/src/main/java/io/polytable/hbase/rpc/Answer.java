package io.polytable.hbase.rpc;

import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.Cell;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;

/**
 * The response to a call: a message, and the cells that the message counts.
 *
 * @param fallback a minimal response to a call that wrote something, sent if there is no memory for the full one: an
 *     error would make the client write it twice
 */
public record Answer(Message message, List<? extends Cell> cells, Optional<Supplier<Answer>> fallback) {
    public Answer(Message message, List<? extends Cell> cells) {
        this(message, cells, Optional.empty());
    }

    public Answer withMessage(Message shown) {
        return new Answer(shown, cells, fallback);
    }

    public static Answer of(Message message) {
        return new Answer(message, List.of());
    }

    public Answer withFallback(Supplier<Answer> answer) {
        return new Answer(message, cells, Optional.of(answer));
    }
}
