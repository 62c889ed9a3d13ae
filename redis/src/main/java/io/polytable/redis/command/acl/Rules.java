package io.polytable.redis.command.acl;

import io.polytable.redis.command.Call;
import io.polytable.redis.command.Denial;
import io.polytable.redis.command.Permissions;
import io.polytable.table.Bytes;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a user may do: whatever one of the selectors allows.
 *
 * @param sanitizes whether RESTORE verifies payloads of this user; here it always does
 * @param selectors the first one is that of the user itself
 */
record Rules(boolean sanitizes, List<Selector> selectors, boolean isUnrestricted) implements Permissions {
    Rules(boolean sanitizes, List<Selector> selectors) {
        this(sanitizes, List.copyOf(selectors), selectors.stream().anyMatch(Selector::isUnrestricted));
    }

    Selector root() {
        return selectors.get(0);
    }

    /** Of several denials, Redis reports the one that came closest to be allowed. */
    @Override
    public @Nullable Denial denial(Call call) {
        Denial closest = Denial.COMMAND;
        for (int i = 0; i < selectors.size(); i++) {
            Denial denial = selectors.get(i).denial(call);
            if (denial == null) {
                return null;
            }
            int order = denial.kind().compareTo(closest.kind());
            if (order > 0 || (order == 0 && denial.position() > closest.position())) {
                closest = denial;
            }
        }
        return closest;
    }

    @Override
    public boolean readsEveryKey(Call call) {
        return isUnrestricted || selectors.stream().anyMatch(each -> each.readsEveryKey() && each.denial(call) == null);
    }

    boolean allowsChannel(Bytes name, boolean isPattern) {
        return selectors.stream().anyMatch(each -> each.allowsChannel(name, isPattern));
    }

    boolean allowsEveryChannel() {
        return selectors.stream().anyMatch(Selector::everyChannel);
    }

    String flag() {
        return sanitizes ? "sanitize-payload" : "skip-sanitize-payload";
    }

    /** The selectors as rules. */
    String selectorText() {
        StringBuilder text = new StringBuilder(root().text());
        selectors.stream()
                .skip(1)
                .forEach(each -> text.append(" (").append(each.text()).append(')'));
        return text.toString();
    }

    /** The form on disk: applied to {@link Accounts#nothing} it leads to these rules. */
    String text() {
        return flag() + " " + selectorText();
    }
}
