package io.polytable.redis.wire;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.polytable.frontend.limit.Budget;
import io.polytable.redis.command.CommandTable;
import io.polytable.redis.command.node.Statistics;
import java.util.List;
import org.junit.jupiter.api.Test;

class OutputTest {
    private static byte[] ascii(String text) {
        return text.getBytes(ISO_8859_1);
    }

    /** The error in place of the reply must not go into a buffer that other clients send too. */
    @Test
    void aRefusedReplyAfterASharedMessageLeavesThatAlone() {
        EmbeddedChannel channel = new EmbeddedChannel();
        ClientShare share = new ClientShare(Budget.of("output", 1 << 20));
        Output output = new Output(channel, new Statistics().newTally(CommandTable.of(List.of())), share);
        ByteBuf shared = Unpooled.directBuffer(64).writeBytes(ascii("message"));
        shared.setZero(7, 57);
        output.take(shared.retainedDuplicate());
        output.cutTo(output.taken());
        output.take(ascii("-OOM"), 0, 4);
        assertThat(shared.getByte(7)).isZero();
        output.send();
        ByteBuf sent = channel.readOutbound();
        assertThat(sent.toString(ISO_8859_1)).isEqualTo("message-OOM");
        sent.release();
        assertThat(shared.release()).isTrue();
        assertThat(channel.finish()).isFalse();
    }
}
