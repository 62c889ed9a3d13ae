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

/** A call between its request and its answer. */
final class RunningCall {
    /** What happens in the end: an answer, or a failure. */
    interface End extends BiConsumer<@Nullable Answer, @Nullable Throwable> {}

    static final String NO_ROOM = "The calls under way take all memory that calls may take, try again later";

    /** A request that the connection's own thread may read. */
    private static final int BRIEF_BYTES_MAX = 64 << 10;

    /** A usual request decodes into no more than so many times its size, for which the bound on requests leaves room. */
    private static final int DECODED_SHARE = 4;

    private final WireContext context;
    private final RpcService service;
    private final Client client;
    private final RequestHeader header;
    private final UnsentAnswers unsent;
    private final long startNanos = System.nanoTime();

    /** What the cells of the request took of the memory beside its frame. */
    private long cellBytes;

    /** Only names that exist: a client must not make up what is counted. */
    private String counted = "unknown";

    RunningCall(WireContext context, RpcService service, Client client, RequestHeader header, UnsentAnswers unsent) {
        this.context = context;
        this.service = service;
        this.client = client;
        this.header = header;
        this.unsent = unsent;
    }

    void start(CodedInputStream in, byte[] frame, CellBlocks blocks, End end) {
        try {
            Method<?> method = service.method(header.getMethodName());
            counted = method.name();
            // To read a large request, or to unpack one, takes long whatever the method does with it.
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
            if (unsent.areTooMany()) {
                throw new CallQueueTooBigException(UnsentAnswers.NOT_READ);
            }
            CellBlocks.Cells cells = cells(frame, in, blocks);
            cellBytes = cells.bytes();
            takeDecoded(method, frame, in.getTotalBytesRead());
            Call call = new Call(client, cells.cells(), header.getTimeout(), context.workers());
            method.call(in, call).whenComplete((answer, failure) -> finish(end, answer, failure));
        } catch (IOException | RuntimeException | LinkageError | StackOverflowError failed) {
            finish(end, null, failed);
        }
    }

    /** Takes memory for what a large request is decoded into, where that is far more than the request itself. */
    private void takeDecoded(Method<?> method, byte[] frame, int from) throws IOException {
        if (frame.length <= BRIEF_BYTES_MAX) {
            return;
        }
        CodedInputStream message = CodedInputStream.newInstance(frame, from, frame.length - from);
        long bytes = DecodedSize.of(method.type(), message) - (long) DECODED_SHARE * frame.length;
        if (bytes <= 0) {
            return;
        }
        // The frame and its cells are taken already.
        if (frame.length + cellBytes + bytes > context.memory().bytesMax()) {
            throw new RequestTooBigException("A request of " + frame.length + " bytes has too many parts");
        }
        if (!context.memory().tryTake(bytes)) {
            throw new CallQueueTooBigException(NO_ROOM);
        }
        cellBytes += bytes;
    }

    /** They are the last bytes of the frame. */
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
        context.tally().answered(service.name(), counted, System.nanoTime() - startNanos, failure != null);
    }
}
