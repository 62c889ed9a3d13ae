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
 * An RPC method of a service.
 *
 * @param name its name in HBase's protocol files
 * @param brief whether it never takes long, so that it may run on the event loop
 */
public record Method<Q extends Message>(String name, Parser<Q> parser, Body<Q> body, boolean brief) {
    /** The implementation of a method. An {@link IOException} of HBase reaches the client with its class. */
    @FunctionalInterface
    public interface Body<Q extends Message> {
        CompletableFuture<Answer> answer(Q request, Call call) throws IOException;
    }

    /** A synchronous implementation. */
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

    /** The method with another body. */
    public Method<Q> with(Body<Q> other) {
        return new Method<>(name, parser, other, brief);
    }

    public Method<Q> asBrief() {
        return new Method<>(name, parser, body, true);
    }

    /** The type of its request messages. */
    public Descriptor type() throws IOException {
        return parser.parsePartialFrom(ByteString.EMPTY).getDescriptorForType();
    }

    /** Parses the length-prefixed request and runs the body. */
    public CompletableFuture<Answer> call(CodedInputStream in, Call call) throws IOException {
        Q request = in.readMessage(parser, ExtensionRegistryLite.getEmptyRegistry());
        return body.answer(request, call);
    }
}
