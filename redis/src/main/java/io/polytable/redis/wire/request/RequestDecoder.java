package io.polytable.redis.wire.request;

import io.netty.buffer.ByteBuf;
import io.polytable.table.Bytes;
import java.util.Arrays;

/**
 * Splits a connection's input into requests: arrays of bulk strings, or inline commands.
 *
 * <p>Each read is copied once into an array of its own, and the words of a request are slices of it. Nobody writes to
 * that array again, so words may be kept. An incomplete request keeps its complete words. A short incomplete word is
 * copied in front of the next read; a long one is collected in its own array, which grows with the received bytes, not
 * with the announced length.
 */
public final class RequestDecoder {
    private static final int FIRST_WORDS = 8;
    private static final int KEEP_WORDS_MAX = 256;
    private static final int LONG_WORD_BYTES = 32 * 1024;
    private static final int WORD_COST_BYTES = 32;
    private static final long BAD_NUMBER = Long.MIN_VALUE;

    private final InputLimits limits;

    private byte[] chunk = Bytes.EMPTY.array();
    private int at;
    private int end;

    private Bytes[] words = new Bytes[FIRST_WORDS];
    private int count;
    private int used;
    private int missing;
    private long wordLength = -1;
    private long heldBytes;
    private boolean complete;
    private final LongWord longWord = new LongWord();

    public RequestDecoder(InputLimits limits) {
        this.limits = limits;
        Arrays.fill(words, Bytes.EMPTY);
    }

    /** Takes all bytes of the buffer. The caller has consumed all previous requests with {@link #next()}. */
    public void feed(ByteBuf in) {
        if (longWord.isOpen()) {
            longWord.fill(in);
        }
        int left = end - at;
        int fresh = in.readableBytes();
        if (fresh == 0) {
            return;
        }
        byte[] joined = new byte[left + fresh];
        System.arraycopy(chunk, at, joined, 0, left);
        in.readBytes(joined, left, fresh);
        chunk = joined;
        at = 0;
        end = joined.length;
    }

    /**
     * Decodes the next request; {@link #words()} and {@link #count()} return it until the next call.
     *
     * @return false when none is complete
     * @throws ProtocolError when the bytes are not a request
     */
    public boolean next() {
        if (complete) {
            if (heldBytes > LONG_WORD_BYTES) {
                // Otherwise a large word would stay until a later request overwrites its place.
                Arrays.fill(words, 0, used, Bytes.EMPTY);
            }
            complete = false;
            heldBytes = 0;
            count = 0;
        }
        while (missing > 0 || at < end) {
            if (missing == 0 && !begin()) {
                return false;
            }
            if (missing > 0 && !readWords()) {
                return false;
            }
            if (count > 0) {
                complete = true;
                return true;
            }
        }
        forgetWords();
        return false;
    }

    /** Releases the words of the complete request, which the caller keeps elsewhere. */
    public void releaseRequest() {
        if (at == end) {
            forgetWords();
        }
    }

    public Bytes[] words() {
        return words;
    }

    public int count() {
        return count;
    }

    /** The bytes held here, allocated space for a long word included. */
    public long heldBytes() {
        return heldBytes + (end - at) + longWord.heldBytes();
    }

    /** Discards everything: no further request will be decoded. */
    public void drop() {
        longWord.drop();
        missing = 0;
        wordLength = -1;
        heldBytes = 0;
        forgetWords();
    }

    /** Parses the first line of a request; false when it is incomplete. An empty line holds no request. */
    private boolean begin() {
        if (chunk[at] != '*') {
            return readLine();
        }
        int lineEnd = lineEnd("too big mbulk count string");
        if (lineEnd < 0) {
            return false;
        }
        long announced = number(at + 1, lineEnd);
        if (announced == BAD_NUMBER || announced > Integer.MAX_VALUE) {
            throw new ProtocolError("invalid multibulk length");
        }
        if (announced > InputLimits.STRANGER_WORDS_MAX && !limits.authenticated()) {
            throw new ProtocolError("unauthenticated multibulk length");
        }
        at = lineEnd + 2;
        missing = (int) Math.max(announced, 0);
        return true;
    }

    private boolean readWords() {
        while (missing > 0) {
            if ((wordLength < 0 && !readWordLength()) || !readWord()) {
                checkRequestSize();
                return false;
            }
            wordLength = -1;
            missing--;
        }
        return true;
    }

    private boolean readWordLength() {
        if (at == end) {
            return false;
        }
        int lineEnd = lineEnd("too big bulk count string");
        if (lineEnd < 0) {
            return false;
        }
        if (chunk[at] != '$') {
            throw new ProtocolError("expected '$', got '" + (char) (chunk[at] & 0xff) + "'");
        }
        long length = number(at + 1, lineEnd);
        if (length < 0 || length > limits.wordBytesMax()) {
            throw new ProtocolError("invalid bulk length");
        }
        if (length > InputLimits.STRANGER_WORD_BYTES_MAX && !limits.authenticated()) {
            throw new ProtocolError("unauthenticated bulk length");
        }
        at = lineEnd + 2;
        wordLength = length;
        return true;
    }

    private boolean readWord() {
        if (longWord.isOpen()) {
            if (!longWord.isFull()) {
                return false;
            }
            add(longWord.take());
            return true;
        }
        int length = (int) wordLength;
        if (end - at < length + 2) {
            if (length >= LONG_WORD_BYTES) {
                longWord.open(length, chunk, at, end);
                at = end;
            }
            return false;
        }
        add(Bytes.of(chunk, at, length));
        at += length + 2;
        return true;
    }

    private boolean readLine() {
        int newline = at;
        while (newline < end && chunk[newline] != '\n') {
            newline++;
        }
        if (newline == end) {
            if (end - at > InputLimits.LINE_BYTES_MAX) {
                throw new ProtocolError("too big inline request");
            }
            return false;
        }
        int to = newline > at && chunk[newline - 1] == '\r' ? newline - 1 : newline;
        for (Bytes word : InlineWords.split(chunk, at, to)) {
            add(word);
        }
        at = newline + 1;
        return true;
    }

    private void add(Bytes word) {
        if (count == words.length) {
            int length = words.length;
            words = Arrays.copyOf(words, length * 2);
            Arrays.fill(words, length, words.length, Bytes.EMPTY);
        }
        words[count++] = word;
        used = Math.max(used, count);
        heldBytes += word.length() + WORD_COST_BYTES;
    }

    private void checkRequestSize() {
        if (heldBytes() > limits.requestBytesMax()) {
            throw new ProtocolError("request is larger than client-query-buffer-limit");
        }
    }

    /** Releases the words, which would keep their chunk alive while the connection is idle. */
    private void forgetWords() {
        if (words.length > KEEP_WORDS_MAX) {
            words = new Bytes[FIRST_WORDS];
            used = words.length;
        }
        Arrays.fill(words, 0, used, Bytes.EMPTY);
        used = 0;
        chunk = Bytes.EMPTY.array();
        at = 0;
        end = 0;
    }

    /** The position of the line's carriage return if the newline has arrived too, else -1. */
    private int lineEnd(String tooLong) {
        for (int i = at; i < end - 1; i++) {
            if (chunk[i] == '\r') {
                return i;
            }
        }
        if (end - at > InputLimits.LINE_BYTES_MAX) {
            throw new ProtocolError(tooLong);
        }
        return -1;
    }

    private long number(int from, int to) {
        boolean negative = from < to && chunk[from] == '-';
        int first = negative ? from + 1 : from;
        int digits = to - first;
        // 18 digits cannot overflow, and no valid length has more.
        if (digits == 0 || digits > 18 || (chunk[first] == '0' && to - from > 1)) {
            return BAD_NUMBER;
        }
        long value = 0;
        for (int i = first; i < to; i++) {
            int digit = chunk[i] - '0';
            if (digit < 0 || digit > 9) {
                return BAD_NUMBER;
            }
            value = value * 10 + digit;
        }
        return negative ? -value : value;
    }
}
