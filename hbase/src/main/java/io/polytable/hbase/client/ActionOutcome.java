package io.polytable.hbase.client;

import io.polytable.hbase.convert.Results;
import java.io.IOException;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.shaded.protobuf.ResponseConverter;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos;

/**
 * The outcome of one action of a Multi. Results are built only after all actions are done, since their cells must be
 * in order.
 */
@FunctionalInterface
interface ActionOutcome {
    /** A mutation that returns no cells. */
    ActionOutcome DONE = (action, results) -> action.setResult(ClientProtos.Result.getDefaultInstance());

    /** A mutation whose result is reported by its atomic group. */
    ActionOutcome SILENT = (action, results) -> {};

    /** Prebuilt, since a call with many puts returns nothing else. */
    List<ClientProtos.ResultOrException> DONE_AT =
            IntStream.range(0, 4096).mapToObj(ActionOutcome::makeDoneAt).toList();

    /** {@link #DONE} for the action with this index. */
    static ClientProtos.ResultOrException doneAt(int index) {
        return index >= 0 && index < DONE_AT.size() ? DONE_AT.get(index) : makeDoneAt(index);
    }

    private static ClientProtos.ResultOrException makeDoneAt(int index) {
        return ClientProtos.ResultOrException.newBuilder()
                .setIndex(index)
                .setResult(ClientProtos.Result.getDefaultInstance())
                .build();
    }

    void into(ClientProtos.ResultOrException.Builder action, Results results);

    static ActionOutcome failed(IOException failure) {
        return (action, results) -> action.setException(ResponseConverter.buildException(failure));
    }
}
