package io.polytable.hbase.rpc;

import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.Cell;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;

/**
 * What a call answers: a message, and the cells that its counts speak of.
 *
 * @param least what is said at least of a call that changed something, also when there is no memory for more: a client that
 *     is told to try again would change it twice
 */
public record Answer(Message message, List<? extends Cell> cells, Optional<Supplier<Answer>> least) {
    public Answer(Message message, List<? extends Cell> cells) {
        this(message, cells, Optional.empty());
    }

    public static Answer of(Message message) {
        return new Answer(message, List.of());
    }

    public Answer withLeast(Supplier<Answer> answer) {
        return new Answer(message, cells, Optional.of(answer));
    }
}
