package io.polytable.conformance.interleaving;

import io.polytable.conformance.resp.RespText;
import java.util.List;

/** One connection sends one command. A word {@code @n} stands for the id of connection n. */
record Move(int connection, List<String> words) {
    @Override
    public String toString() {
        return connection + "> " + RespText.of(words);
    }
}
