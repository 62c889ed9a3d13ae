package io.polytable.hbase.rpc;

import io.polytable.frontend.session.Principal;
import io.polytable.frontend.session.Session;

/**
 * A client, as its connection header describes it.
 *
 * @param user the client's claimed user name; SIMPLE authentication proves nothing
 * @param takesCellBlocks whether results are sent as cell blocks behind the message, rather than inside it
 * @param version the version of the client's library, empty if unknown
 * @param session who the client acts as, at each moment
 */
public record Client(String user, boolean takesCellBlocks, String version, Session session) {
    /** Who the client acts as; a change of the user takes effect with its next call. */
    public Principal principal() {
        return session.principal();
    }

    /** The name of the user as which the client acts. */
    public String name() {
        return principal().name();
    }
}
