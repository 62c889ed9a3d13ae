package io.polytable.table.testkit;

import io.polytable.table.Cursor;
import io.polytable.table.Snapshot;
import io.polytable.table.StoreException;
import io.polytable.table.TableStore;
import io.polytable.table.feed.ChangeFeed;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;

/**
 * A store that retries calls after retryable errors. Around a {@link FaultyStore} it must behave like the innermost
 * store; otherwise a failed call had an effect.
 */
public final class Retries {
    private static final int ATTEMPTS_MAX = 100;

    /** What the store hands out whose calls can fail too. */
    private static final List<Class<?>> WRAPPED = List.of(Cursor.class, Snapshot.class, ChangeFeed.class);

    private Retries() {}

    public static TableStore around(TableStore store) {
        return around(TableStore.class, store);
    }

    private static <T> T around(Class<T> type, Object target) {
        Object proxy = Proxy.newProxyInstance(
                type.getClassLoader(),
                new Class<?>[] {type},
                (self, method, arguments) -> call(target, method, arguments));
        return type.cast(proxy);
    }

    private static Object call(Object target, Method method, Object[] arguments) throws Throwable {
        for (int attempt = 1; ; attempt++) {
            try {
                Object result = method.invoke(target, arguments);
                return WRAPPED.contains(method.getReturnType()) ? around(method.getReturnType(), result) : result;
            } catch (InvocationTargetException e) {
                boolean again = e.getCause() instanceof StoreException failure
                        && failure.error().retryable()
                        && attempt < ATTEMPTS_MAX;
                if (!again) {
                    throw e.getCause();
                }
            }
        }
    }
}
