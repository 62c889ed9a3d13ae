package io.polytable.conformance.resp;

/** A reply: its bytes and its parsed form. */
public record Answer(String bytes, Resp tree) {
    public static Answer of(Resp tree) {
        return new Answer(tree.encoded(), tree);
    }

    @Override
    public String toString() {
        return RespText.of(tree);
    }
}
