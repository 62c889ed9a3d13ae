package io.polytable.entity.key;

import io.polytable.entity.model.EntityError;
import io.polytable.entity.model.EntityException;
import io.polytable.table.Bytes;
import io.polytable.table.codec.BytesWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Keys of several components, each in an order-preserving encoding. A salted key starts with some bytes of the MD5 of
 * the first components, those before {@code rangeScanStart}; entities that share these are stored together.
 *
 * @param saltBytes 0 for no salt
 * @param hashOnly whether the key is the salt alone, without the components
 * @param rangeScanStart the number of components in the salt
 * @param nullableStart components from here on may be null; a null is followed by nulls only
 */
public record FormattedKeys(
        List<KeyComponent> components, int saltBytes, boolean hashOnly, int rangeScanStart, int nullableStart)
        implements KeyFormat {
    private static final int COMPONENTS_MAX = 64;

    public FormattedKeys {
        components = List.copyOf(components);
        int count = components.size();
        require(count >= 1 && count <= COMPONENTS_MAX, "A formatted key has 1 to 64 components", count);
        require(saltBytes >= 0 && saltBytes <= Md5.BYTES, "A salt has at most 16 bytes", saltBytes);
        require(nullableStart >= 1 && nullableStart <= count, "The first component cannot be null", nullableStart);
        require(rangeScanStart >= 1 && rangeScanStart <= count, "A salt needs a component", rangeScanStart);
        require(!hashOnly || saltBytes > 0, "A key that is only a hash needs one", saltBytes);
        require(!hashOnly || rangeScanStart == count, "A hash alone must be made of all components", rangeScanStart);
        require(
                saltBytes == 0 || nullableStart >= rangeScanStart || hashOnly,
                "Components of the salt cannot be null",
                nullableStart);
        Set<String> names = new HashSet<>();
        components.forEach(component -> require(names.add(component.name()), "Two components have the same name", 0));
    }

    /** Not salted, nothing nullable. */
    public static FormattedKeys of(KeyComponent... components) {
        return new FormattedKeys(List.of(components), 0, false, components.length, components.length);
    }

    private static void require(boolean holds, String text, int value) {
        if (!holds) {
            throw new EntityException(EntityError.BAD_LAYOUT, text, Map.of("value", value));
        }
    }

    @Override
    public EntityId id(@Nullable Object... given) {
        if (given.length > components.size()) {
            throw bad("A key has fewer components than given", given.length);
        }
        @Nullable Object[] all = Arrays.copyOf(given, components.size());
        List<@Nullable Object> checked = new ArrayList<>();
        boolean ended = false;
        for (int i = 0; i < all.length; i++) {
            Object value = all[i];
            if (value == null && i < nullableStart) {
                throw bad("A component is missing: " + components.get(i).name(), i);
            }
            if (value != null && ended) {
                throw bad(
                        "A component follows one that is null: "
                                + components.get(i).name(),
                        i);
            }
            ended |= value == null;
            checked.add(value == null ? null : typed(components.get(i), value));
        }
        return new EntityId(KeyFormat.checked(encode(checked)), hashOnly ? List.of() : checked);
    }

    private Bytes encode(List<@Nullable Object> values) {
        BytesWriter plain = new BytesWriter();
        int saltEnd = 0;
        for (int i = 0; i < values.size(); i++) {
            Object value = values.get(i);
            if (value != null) {
                ComponentCodec.write(plain, value);
            }
            if (i == rangeScanStart - 1) {
                saltEnd = plain.length();
            }
        }
        Bytes encoded = plain.toBytes();
        if (saltBytes == 0) {
            return encoded;
        }
        Bytes salt = Md5.of(encoded.slice(0, saltEnd)).slice(0, saltBytes);
        return hashOnly ? salt : salt.concat(encoded);
    }

    private static Object typed(KeyComponent component, Object value) {
        switch (component.type()) {
            case STRING -> {
                if (value instanceof String) {
                    return value;
                }
            }
            case INTEGER -> {
                if (value instanceof Integer) {
                    return value;
                }
                if (value instanceof Long number && number == number.intValue()) {
                    return number.intValue();
                }
            }
            case LONG -> {
                if (value instanceof Long) {
                    return value;
                }
                if (value instanceof Integer number) {
                    return number.longValue();
                }
            }
        }
        throw new EntityException(
                EntityError.BAD_ENTITY_ID,
                "A component has the wrong type",
                Map.of("component", component.name(), "wanted", component.type(), "given", value));
    }

    @Override
    public EntityId ofRowKey(Bytes rowKey) {
        if (hashOnly) {
            return new EntityId(rowKey, List.of());
        }
        ComponentCodec.Source source = new ComponentCodec.Source(rowKey, saltBytes);
        List<@Nullable Object> values = new ArrayList<>();
        for (KeyComponent component : components) {
            values.add(source.isAtEnd() && values.size() >= nullableStart ? null : source.read(component.type()));
        }
        if (!source.isAtEnd()) {
            throw bad("A row key is longer than its components", rowKey.length());
        }
        return new EntityId(rowKey, values);
    }

    @Override
    public EntityRange startingWith(@Nullable Object... given) {
        if (given.length > components.size()) {
            throw bad("A key has fewer components than given", given.length);
        }
        if (saltBytes > 0 && given.length < rangeScanStart) {
            throw bad("A range of salted keys needs all components that the salt is made of", given.length);
        }
        List<@Nullable Object> values = new ArrayList<>();
        for (int i = 0; i < given.length; i++) {
            Object value = given[i];
            if (value == null) {
                throw bad("A range starts with components that are not null", i);
            }
            values.add(typed(components.get(i), value));
        }
        Bytes prefix = encode(values);
        return hashOnly ? EntityRange.only(prefix) : EntityRange.prefix(prefix);
    }

    private static EntityException bad(String text, int value) {
        return new EntityException(EntityError.BAD_ENTITY_ID, text, Map.of("value", value));
    }
}
