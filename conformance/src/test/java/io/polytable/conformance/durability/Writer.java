package io.polytable.conformance.durability;

import io.polytable.conformance.process.RespServer;
import io.polytable.conformance.resp.Answer;
import io.polytable.conformance.resp.RespConnection;
import java.io.UncheckedIOException;

/** Sends the operations of a ledger until the server is killed, then finds its position again. */
final class Writer {
    /** Operations in flight: so many may have been applied without an acknowledgement. */
    private static final int IN_FLIGHT_MAX = 24;

    private final Ledger ledger;
    private long sent;

    Writer(int number) {
        this.ledger = new Ledger(number);
    }

    long acknowledged() {
        return ledger.applied();
    }

    /** Writes until the connection breaks; an error reply is a failure. */
    void writeUntilLost(RespServer server) {
        try (RespConnection connection = server.connect()) {
            while (true) {
                StringBuilder bytes = new StringBuilder();
                long first = ledger.applied();
                long last = first + 1 + first % IN_FLIGHT_MAX;
                for (long number = first; number < last; number++) {
                    bytes.append(RespConnection.request(ledger.command(number)));
                }
                sent = last;
                connection.send(bytes.toString());
                while (ledger.applied() < last) {
                    acknowledge(connection.read());
                }
            }
        } catch (UncheckedIOException e) {
            // The server was killed: the outcome of unacknowledged operations is unknown.
        }
    }

    private void acknowledge(Answer answer) {
        if (answer.tree().isError()) {
            throw new AssertionError("Operation " + ledger.applied() + " was refused: " + answer);
        }
        ledger.apply();
    }

    /**
     * Asserts that the server has a prefix of the operations sent, including all acknowledged ones, and continues from
     * there.
     */
    void recover(RespServer server) {
        try (RespConnection connection = server.connect()) {
            String found = ledger.read(connection);
            String acknowledged = ledger.state();
            long from = ledger.applied();
            while (!ledger.state().equals(found)) {
                if (ledger.applied() >= sent) {
                    throw new AssertionError("No prefix between " + from + " acknowledged and " + sent
                            + " sent operations explains what is there:\n" + found + "\nacknowledged was:\n"
                            + acknowledged);
                }
                ledger.apply();
            }
        }
    }
}
