package io.polytable.frontend.net;

import io.netty.channel.ChannelPipeline;

/** What lies between a connection's socket and its protocol: nothing, or TLS. */
@FunctionalInterface
public interface Transport {
    Transport PLAIN = pipeline -> {};

    /** Adds the handlers beneath the protocol's own. */
    void addTo(ChannelPipeline pipeline);
}
