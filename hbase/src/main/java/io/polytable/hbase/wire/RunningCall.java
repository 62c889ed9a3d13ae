package io.polytable.hbase.wire;

import io.polytable.hbase.rpc.Answer;
import io.polytable.hbase.rpc.Call;
import io.polytable.hbase.rpc.Client;
import io.polytable.hbase.rpc.Method;
import io.polytable.hbase.rpc.RpcService;
import java.io.IOException;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.BiConsumer;
import org.apache.hadoop.hbase.CallQueueTooBigException;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.exceptions.RequestTooBigException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.RequestHeader;
import org.apache.hbase.thirdparty.com.google.protobuf.CodedInputStream;
import org.jspecify.annotations.Nullable;

/** A call from request to response. */
final class RunningCall {
    /** Called once, with an answer or a failure. */
    interface End extends BiConsumer<@Nullable Answer, @Nullable Throwable> {}

    static final String NO_ROOM = "Calls in progress use all memory for calls; try again later";

    /** The largest request that the event loop decodes itself. */
    private static final int BRIEF_BYTES_MAX = 64 << 10;

    /** A usual request decodes into at most this many times its size; the budget for requests leaves space for that. */
    private static final int DECODED_SHARE = 4;

    private final WireContext context;
    private final RpcService service;
    private final Client client;
    private final RequestHeader header;
    private final OutputBudget output;
    private final long startNanos = System.nanoTime();

    /** The bytes taken from the budget beyond the frame, for cells and decoded messages. */
    private long cellBytes;

    /** The method's name for metrics. Only existing names, so that clients cannot create metrics. */
    private String counted = "unknown";

    RunningCall(WireContext context, RpcService service, Client client, RequestHeader header, OutputBudget output) {
        this.context = context;
        this.service = service;
        this.client = client;
        this.header = header;
        this.output = output;
    }

    void start(CodedInputStream in, byte[] frame, CellBlocks blocks, End end) {
        try {
            Method<?> method = service.method(header.getMethodName());
            counted = method.name();
            // Decoding a large or compressed request takes long, whatever the method does.
            if (method.brief() && frame.length <= BRIEF_BYTES_MAX && !blocks.areCompressed()) {
                run(method, in, frame, blocks, end);
            } else {
                context.workers().execute(() -> run(method, in, frame, blocks, end));
            }
        } catch (RejectedExecutionException full) {
            finish(end, null, new CallQueueTooBigException("Too many calls are waiting, try again later"));
        } catch (IOException unknown) {
            finish(end, null, unknown);
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // Its end is what finishes the call.
    private void run(Method<?> method, CodedInputStream in, byte[] frame, CellBlocks blocks, End end) {
        try {
            if (context.memory().isFull()) {
                throw new CallQueueTooBigException(NO_ROOM);
            }
            if (output.isFull()) {
                throw new CallQueueTooBigException(OutputBudget.NOT_READ);
            }
            CellBlocks.Cells cells = cells(frame, in, blocks);
            cellBytes = cells.bytes();
            takeDecoded(method, frame, in.getTotalBytesRead());
            Call call = new Call(client, cells.cells(), header.getTimeout(), context.workers());
            method.call(in, call).whenComplete((answer, failure) -> finish(end, answer, failure));
        } catch (IOException | RuntimeException | Error failed) {
            // Whatever it is: a call without an end would keep its memory and its place forever.
            finish(end, null, failed);
        }
    }

    /** Takes memory for a large request that decodes into far more than its own size. */
    private void takeDecoded(Method<?> method, byte[] frame, int from) throws IOException {
        if (frame.length <= BRIEF_BYTES_MAX) {
            return;
        }
        CodedInputStream message = CodedInputStream.newInstance(frame, from, frame.length - from);
        long bytes = DecodedSize.of(method.type(), message) - (long) DECODED_SHARE * frame.length;
        if (bytes <= 0) {
            return;
        }
        // The frame and its cells are counted already.
        if (frame.length + cellBytes + bytes > context.memory().limitBytes()) {
            throw new RequestTooBigException("A request of " + frame.length + " bytes has too many parts");
        }
        if (!context.memory().tryTake(bytes)) {
            throw new CallQueueTooBigException(NO_ROOM);
        }
        cellBytes += bytes;
    }

    /** Decodes the cell block, which is at the end of the frame. */
    private CellBlocks.Cells cells(byte[] frame, CodedInputStream in, CellBlocks blocks) throws IOException {
        int length = header.hasCellBlockMeta() ? header.getCellBlockMeta().getLength() : 0;
        if (length < 0 || length > frame.length - in.getTotalBytesRead()) {
            throw new DoNotRetryIOException("A cell block of " + length + " bytes in a frame of " + frame.length);
        }
        return blocks.read(frame, frame.length - length, length);
    }

    private void finish(End end, @Nullable Answer answer, @Nullable Throwable failure) {
        context.memory().release(cellBytes);
        end.accept(answer, failure);
        long nanos = System.nanoTime() - startNanos;
        context.tally().answered(service.name(), counted, nanos, failure != null);
        client.session().ran(client.name(), nanos, () -> service.name() + "." + counted);
    }
}
