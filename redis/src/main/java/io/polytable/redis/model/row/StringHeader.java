package io.polytable.redis.model.row;

import io.polytable.redis.model.Type;
import io.polytable.table.Bytes;

/**
 * The row of a string with the value in it, so that GET is one read. Long strings may be in {@link Segments} instead.
 */
public record StringHeader(long expireAt, Bytes value, Form form) implements Header {
    /** Redis has only one encoding for longer strings. */
    public static final int EMBEDDED_BYTES_MAX = 44;

    /**
     * How Redis would encode the string, where it does not follow from the value alone. The tags are on disk: never change or
     * reuse one.
     */
    public enum Form {
        /** As an integer if it spells one, otherwise by its length. */
        BY_VALUE(1),
        /** As bytes that were changed in place, however short: after APPEND or SETRANGE. */
        RAW(17),
        /** As text even if it spells an integer: after INCRBYFLOAT. */
        TEXT(18);

        private final int tag;

        Form(int tag) {
            this.tag = tag;
        }
    }

    private static final Bytes USUAL_HEAD = Bytes.of(Header.begin(Form.BY_VALUE.tag, NEVER, 0));

    /** Whether a header's tag, without the deadline bit, is a string's. */
    static boolean isTag(int tag) {
        return tag == Form.BY_VALUE.tag || tag == Form.RAW.tag || tag == Form.TEXT.tag;
    }

    static Form form(int tag) {
        return tag == Form.BY_VALUE.tag ? Form.BY_VALUE : tag == Form.RAW.tag ? Form.RAW : Form.TEXT;
    }

    public StringHeader(long expireAt, Bytes value) {
        this(expireAt, value, Form.BY_VALUE);
    }

    /** Remembers the form only where it makes a difference. */
    public static StringHeader of(long expireAt, Bytes value, Form form) {
        return new StringHeader(expireAt, value, value.length() > EMBEDDED_BYTES_MAX ? Form.BY_VALUE : form);
    }

    @Override
    public Type type() {
        return Type.STRING;
    }

    @Override
    public StringHeader withExpireAt(long deadlineMillis) {
        return new StringHeader(deadlineMillis, value, form);
    }

    @Override
    public Bytes rowHead() {
        return expireAt == NEVER && form == Form.BY_VALUE ? USUAL_HEAD : Bytes.of(Header.begin(form.tag, expireAt, 0));
    }

    @Override
    public Bytes rowTail() {
        return value;
    }
}
