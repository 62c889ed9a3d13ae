package io.polytable.entity.load;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** Counts the bytes read. */
final class CountingInput extends FilterInputStream {
    private volatile long count;

    CountingInput(InputStream in) {
        super(in);
    }

    long count() {
        return count;
    }

    @Override
    public int read() throws IOException {
        int value = super.read();
        if (value >= 0) {
            add(1);
        }
        return value;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
        int read = super.read(target, offset, length);
        add(Math.max(0, read));
        return read;
    }

    /** Only the reading thread writes; other threads read. */
    private void add(int more) {
        long now = count + more;
        count = now;
    }
}
