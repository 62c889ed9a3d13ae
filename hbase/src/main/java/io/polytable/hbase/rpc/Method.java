package io.polytable.hbase.rpc;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.apache.hbase.thirdparty.com.google.protobuf.CodedInputStream;
import org.apache.hbase.thirdparty.com.google.protobuf.Descriptors.Descriptor;
import org.apache.hbase.thirdparty.com.google.protobuf.ExtensionRegistryLite;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;
import org.apache.hbase.thirdparty.com.google.protobuf.Parser;

/**
 * A method of a service.
 *
 * @param name as it is spelled in HBase's protocol files
 * @param brief whether it never takes long, so that it need not leave the connection's own thread
 */
public record Method<Q extends Message>(String name, Parser<Q> parser, Body<Q> body, boolean brief) {
    /** What a method does. An {@link IOException} of one of HBase's classes reaches the client as that class. */
    @FunctionalInterface
    public interface Body<Q extends Message> {
        CompletableFuture<Answer> answer(Q request, Call call) throws IOException;
    }

    /** A body that has its answer at once. */
    @FunctionalInterface
    public interface Direct<Q extends Message> {
        Message answer(Q request, Call call) throws IOException;
    }

    public static <Q extends Message> Method<Q> of(String name, Parser<Q> parser, Direct<Q> body) {
        return new Method<>(
                name,
                parser,
                (request, call) -> CompletableFuture.completedFuture(Answer.of(body.answer(request, call))),
                false);
    }

    public static <Q extends Message> Method<Q> async(String name, Parser<Q> parser, Body<Q> body) {
        return new Method<>(name, parser, body, false);
    }

    public Method<Q> asBrief() {
        return new Method<>(name, parser, body, true);
    }

    /** The type of its requests. */
    public Descriptor type() throws IOException {
        return parser.parsePartialFrom(ByteString.EMPTY).getDescriptorForType();
    }

    /** Reads the request, which stands behind its length, and runs the body. */
    public CompletableFuture<Answer> call(CodedInputStream in, Call call) throws IOException {
        Q request = in.readMessage(parser, ExtensionRegistryLite.getEmptyRegistry());
        return body.answer(request, call);
    }
}
