package io.polytable.conformance.differential;

/** The first step at which two servers replied differently; {@code step} counts from 0. */
public record Mismatch(int step, String what, String reference, String subject) {
    /**
     * The signature of a mismatch, for finding the same cause again: the command's name and the kinds of the replies.
     */
    String signature() {
        String command = what.replaceFirst("^\\d> ", "");
        int space = command.indexOf(' ');
        return space < 0 ? command : command.substring(0, space);
    }

    @Override
    public String toString() {
        return "step " + step + ": " + what + "\n    reference: " + reference + "\n    subject:   " + subject;
    }
}
