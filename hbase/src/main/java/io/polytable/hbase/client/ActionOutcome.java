package io.polytable.hbase.client;

import io.polytable.hbase.convert.Results;
import java.io.IOException;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.shaded.protobuf.ResponseConverter;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos;

/** What becomes of one action of a Multi. Results are made only when all are there, for cells must be in their order. */
@FunctionalInterface
interface ActionOutcome {
    /** A change that answers nothing but that it was made. */
    ActionOutcome DONE = (action, results) -> action.setResult(ClientProtos.Result.getDefaultInstance());

    /** A change that is answered for by the whole it belongs to. */
    ActionOutcome SILENT = (action, results) -> {};

    /** Made once: a call of many puts answers nothing else. */
    List<ClientProtos.ResultOrException> DONE_AT =
            IntStream.range(0, 4096).mapToObj(ActionOutcome::makeDoneAt).toList();

    /** {@link #DONE} of the action with the number. */
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
