package io.polytable.redis.model.dump;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.redis.model.stream.Consumer;
import io.polytable.redis.model.stream.Pending;
import io.polytable.redis.model.stream.StreamContents;
import io.polytable.redis.model.stream.entry.StreamId;
import io.polytable.table.Bytes;
import java.util.AbstractList;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class StreamWriterTest {
    private static final int CONSUMERS = 100;
    private static final int PENDING = 1_000;

    /** Counts how often its elements are read. */
    private static final class CountingList extends AbstractList<Pending> {
        private int reads;

        @Override
        public Pending get(int index) {
            reads++;
            return new Pending(new StreamId(1, index + 1), consumer(index % CONSUMERS), 5, 1);
        }

        @Override
        public int size() {
            return PENDING;
        }
    }

    private static Bytes consumer(int number) {
        return Bytes.utf8("consumer" + number);
    }

    /** The key's stripe is held meanwhile: the work must not be consumers times entries. */
    @Test
    void walksOverThePendingEntriesOnceHoweverManyConsumersThereAre() {
        CountingList pending = new CountingList();
        List<Consumer> consumers = IntStream.range(0, CONSUMERS)
                .mapToObj(number -> new Consumer(consumer(number), 5, 5, PENDING / CONSUMERS))
                .toList();
        StreamContents stream = new StreamContents(
                List.of(),
                new StreamId(1, PENDING),
                StreamId.MIN,
                PENDING,
                List.of(new StreamContents.GroupContents(
                        Bytes.utf8("g"), new StreamId(1, PENDING), OptionalLong.of(PENDING), pending, consumers)));

        new StreamWriter(new ValueOutput(false), ValueType.STREAM_3).write(stream);

        assertThat(pending.reads).isLessThanOrEqualTo(2 * PENDING);
    }
}
