package io.polytable.hbase.client;

import io.polytable.hbase.convert.Results;
import java.io.IOException;
import org.apache.hadoop.hbase.shaded.protobuf.ResponseConverter;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos;

/** What becomes of one action of a Multi. Results are made only when all are there, for cells must be in their order. */
@FunctionalInterface
interface ActionOutcome {
    /** A change that answers nothing but that it was made. */
    ActionOutcome DONE = (action, results) -> action.setResult(ClientProtos.Result.getDefaultInstance());

    /** A change that is answered for by the whole it belongs to. */
    ActionOutcome SILENT = (action, results) -> {};

    void into(ClientProtos.ResultOrException.Builder action, Results results);

    static ActionOutcome failed(IOException failure) {
        return (action, results) -> action.setException(ResponseConverter.buildException(failure));
    }
}
