package io.polytable.frontend.net;

import java.net.InetSocketAddress;

/** An address cannot be bound: in use, not of this machine, or not permitted. */
public final class CannotListenException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String listener;
    private final String reason;

    /** @param listener the name of the address, as in the ready line */
    public CannotListenException(String listener, InetSocketAddress address, Throwable cause) {
        this(listener, address, reason(cause), cause);
    }

    private CannotListenException(String listener, InetSocketAddress address, String reason, Throwable cause) {
        super("Cannot listen on " + host(address) + ":" + address.getPort() + ": " + reason, cause);
        this.listener = listener;
        this.reason = reason;
    }

    private static String host(InetSocketAddress address) {
        return address.isUnresolved()
                ? address.getHostString()
                : address.getAddress().getHostAddress();
    }

    /** Native transports prefix the system call: "bind(..) failed with error(-98): Address already in use". */
    private static String reason(Throwable cause) {
        return String.valueOf(cause.getMessage()).replaceFirst("^.*: ", "");
    }

    /** The name of the listener, as in the ready line: {@code hbase-master}. */
    public String listener() {
        return listener;
    }

    /** The operating system's error. */
    public String reason() {
        return reason;
    }
}
