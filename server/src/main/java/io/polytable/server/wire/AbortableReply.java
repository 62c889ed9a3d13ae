package io.polytable.server.wire;

import io.polytable.frontend.http.ReplyStream;

/** A reply stream whose connection can be broken, the only way to signal that a begun body failed. */
interface AbortableReply extends ReplyStream {
    /** Closes the connection if a streamed body was begun and neither closed nor broken since. */
    void abortUnfinished();
}
