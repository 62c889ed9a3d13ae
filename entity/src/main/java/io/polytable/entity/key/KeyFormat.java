package io.polytable.entity.key;

import io.polytable.entity.model.EntityError;
import io.polytable.entity.model.EntityException;
import io.polytable.entity.model.Names;
import io.polytable.table.Bytes;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Derives row keys from the names of entities. It never changes during a table's life. */
public sealed interface KeyFormat permits KeyFormat.Raw, KeyFormat.Hashed, KeyFormat.HashPrefixed, FormattedKeys {
    int ROW_KEY_BYTES_MAX = Short.MAX_VALUE;

    /** The id of the entity with these components. */
    EntityId id(@Nullable Object... components);

    /** The id of a row key, with the components that the key contains. */
    EntityId ofRowKey(Bytes rowKey);

    /** The range of entities whose keys start with these components. */
    EntityRange startingWith(@Nullable Object... components);

    /** The key is the given String or bytes. */
    record Raw() implements KeyFormat {
        @Override
        public EntityId id(@Nullable Object... components) {
            Object only = single(components);
            return new EntityId(checked(bytes(only)), List.of(only));
        }

        @Override
        public EntityId ofRowKey(Bytes rowKey) {
            return new EntityId(rowKey, List.of(shown(rowKey)));
        }

        @Override
        public EntityRange startingWith(@Nullable Object... components) {
            return EntityRange.prefix(bytes(single(components)));
        }
    }

    /** The key is the MD5 of the name: evenly distributed, but the name is lost. */
    record Hashed() implements KeyFormat {
        @Override
        public EntityId id(@Nullable Object... components) {
            Object only = single(components);
            return new EntityId(Md5.of(checked(bytes(only))), List.of(only));
        }

        @Override
        public EntityId ofRowKey(Bytes rowKey) {
            return new EntityId(rowKey, List.of());
        }

        @Override
        public EntityRange startingWith(@Nullable Object... components) {
            return EntityRange.only(id(components).rowKey());
        }
    }

    /** Some bytes of the MD5, then the name: evenly distributed, and the name is kept. */
    record HashPrefixed(int hashBytes) implements KeyFormat {
        public HashPrefixed {
            if (hashBytes < 1 || hashBytes > Md5.BYTES) {
                throw new EntityException(
                        EntityError.BAD_LAYOUT, "A hash prefix has 1 to 16 bytes", Map.of("bytes", hashBytes));
            }
        }

        @Override
        public EntityId id(@Nullable Object... components) {
            Object only = single(components);
            Bytes plain = bytes(only);
            return new EntityId(checked(Md5.of(plain).slice(0, hashBytes).concat(plain)), List.of(only));
        }

        @Override
        public EntityId ofRowKey(Bytes rowKey) {
            if (rowKey.length() < hashBytes) {
                throw new EntityException(
                        EntityError.BAD_ENTITY_ID, "A row key is too short for the table's key format");
            }
            return new EntityId(rowKey, List.of(shown(rowKey.from(hashBytes))));
        }

        @Override
        public EntityRange startingWith(@Nullable Object... components) {
            return EntityRange.only(id(components).rowKey());
        }
    }

    private static Object single(@Nullable Object... components) {
        if (components.length != 1 || components[0] == null) {
            throw new EntityException(
                    EntityError.BAD_ENTITY_ID,
                    "The table's keys have exactly one component",
                    Map.of(
                            "given",
                            Collections.unmodifiableList(Arrays.asList(components))
                                    .toString()));
        }
        return components[0];
    }

    private static Bytes bytes(Object component) {
        if (component instanceof String text) {
            return text(text);
        }
        if (component instanceof byte[] array) {
            return Bytes.of(array.clone());
        }
        if (component instanceof Bytes bytes) {
            return bytes;
        }
        if (component instanceof ByteBuffer buffer) {
            byte[] array = new byte[buffer.remaining()];
            buffer.duplicate().get(array);
            return Bytes.of(array);
        }
        throw new EntityException(
                EntityError.BAD_ENTITY_ID,
                "The table's keys are text or bytes",
                Map.of("given", component.getClass().getSimpleName()));
    }

    static Bytes text(String text) {
        if (!Names.isWhole(text)) {
            throw new EntityException(
                    EntityError.BAD_ENTITY_ID, "A text has half of a character", Map.of("length", text.length()));
        }
        return Bytes.utf8(text);
    }

    static Bytes checked(Bytes rowKey) {
        if (rowKey.isEmpty() || rowKey.length() > ROW_KEY_BYTES_MAX) {
            throw new EntityException(
                    EntityError.BAD_ENTITY_ID, "A row key is empty or too long", Map.of("bytes", rowKey.length()));
        }
        return rowKey;
    }

    /** Text where the bytes are text, the bytes where not. */
    private static Object shown(Bytes plain) {
        String text = plain.utf8();
        return Bytes.of(text.getBytes(StandardCharsets.UTF_8)).equals(plain) ? text : plain;
    }
}
