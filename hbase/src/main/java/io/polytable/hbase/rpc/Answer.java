package io.polytable.hbase.rpc;

import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;

/** What a call answers: a message, and the cells that its counts speak of. */
public record Answer(Message message, List<? extends Cell> cells) {
    public static Answer of(Message message) {
        return new Answer(message, List.of());
    }
}
