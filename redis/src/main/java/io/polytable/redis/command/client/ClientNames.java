package io.polytable.redis.command.client;

import io.polytable.table.Bytes;

/** Validates the names that clients give themselves. */
final class ClientNames {
    private ClientNames() {}

    /** Whether the name fits into CLIENT LIST, where a blank ends a field: printable ASCII only. */
    static boolean isPlain(Bytes name) {
        for (int i = 0; i < name.length(); i++) {
            if (name.at(i) < '!' || name.at(i) > '~') {
                return false;
            }
        }
        return true;
    }
}
