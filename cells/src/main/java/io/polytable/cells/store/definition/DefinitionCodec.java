package io.polytable.cells.store.definition;

import io.polytable.cells.BloomKind;
import io.polytable.cells.CellError;
import io.polytable.cells.CellException;
import io.polytable.cells.CellTableSpec;
import io.polytable.cells.Compression;
import io.polytable.cells.FamilySpec;
import io.polytable.cells.KeepDeleted;
import io.polytable.table.Bytes;
import io.polytable.table.StoreException;
import io.polytable.table.TableName;
import io.polytable.table.codec.BytesReader;
import io.polytable.table.codec.BytesWriter;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** The codec of definitions, see docs/formats/cells.md. Enums are written by name, so that their order may change. */
public final class DefinitionCodec {
    private static final int WITHOUT_REMOVED = 1;
    private static final int VERSION = 2;

    /** The layout of cells: a row for each. */
    private static final String LAYOUT = "CELL";

    /** A row for each row key, with a column for each family: only older versions read it. */
    private static final String RETIRED_LAYOUT = "FAMILY";

    private DefinitionCodec() {}

    public static Bytes encode(Definition definition) {
        CellTableSpec spec = definition.spec();
        BytesWriter out = new BytesWriter(256);
        out.u8(definition.removed().isPresent() ? VERSION : WITHOUT_REMOVED)
                .text(definition.physical())
                .i64(definition.savedMillis());
        out.text(spec.name().namespace())
                .text(spec.name().name())
                .text(definition.isReadable() ? LAYOUT : RETIRED_LAYOUT);
        out.varint(spec.families().size());
        spec.families().forEach(family -> encode(out, family));
        encode(out, spec.attributes());
        out.varint(spec.splits().size());
        spec.splits().forEach(out::sized);
        definition.removed().ifPresent(removed -> {
            out.varint(removed.size());
            removed.stream().sorted().forEach(out::sized);
        });
        return out.toBytes();
    }

    private static void encode(BytesWriter out, FamilySpec family) {
        out.sized(family.name()).varint(family.maxVersions()).varint(family.minVersions());
        out.i64(family.ttlMillis()).text(family.keepDeleted().name());
        out.text(family.compression().name()).text(family.bloom().name()).u8(family.inMemory() ? 1 : 0);
        encode(out, family.attributes());
    }

    private static void encode(BytesWriter out, Map<Bytes, Bytes> attributes) {
        out.varint(attributes.size());
        attributes.forEach((key, value) -> out.sized(key).sized(value));
    }

    public static Definition decode(Bytes bytes) {
        try {
            return decode(new BytesReader(bytes));
        } catch (StoreException | IllegalArgumentException e) {
            throw new CellException(CellError.CORRUPT, "A cell table's definition is damaged", Map.of(), e);
        }
    }

    private static Definition decode(BytesReader in) {
        int version = in.u8();
        if (version != VERSION && version != WITHOUT_REMOVED) {
            throw new CellException(
                    CellError.CORRUPT, "A definition's version is not known here", Map.of("version", version));
        }
        String physical = in.text();
        long savedMillis = in.i64();
        TableName name = new TableName(in.text(), in.text());
        boolean isReadable = isReadable(in.text());
        List<FamilySpec> families = new ArrayList<>();
        for (int left = in.count(); left > 0; left--) {
            families.add(decodeFamily(in));
        }
        Map<Bytes, Bytes> attributes = decodeAttributes(in);
        List<Bytes> splits = decodeList(in);
        Optional<Set<Bytes>> removed =
                version == VERSION ? Optional.of(new HashSet<>(decodeList(in))) : Optional.empty();
        in.end();
        CellTableSpec spec = new CellTableSpec(name, families, attributes, splits);
        return new Definition(spec, physical, savedMillis, isReadable, removed);
    }

    private static boolean isReadable(String layout) {
        return switch (layout) {
            case LAYOUT -> true;
            case RETIRED_LAYOUT -> false;
            default -> throw new CellException(CellError.CORRUPT, "Unknown layout", Map.of("layout", layout));
        };
    }

    private static List<Bytes> decodeList(BytesReader in) {
        List<Bytes> list = new ArrayList<>();
        for (int left = in.count(); left > 0; left--) {
            list.add(in.sized());
        }
        return list;
    }

    private static FamilySpec decodeFamily(BytesReader in) {
        return new FamilySpec(
                in.sized(),
                (int) in.varint(),
                (int) in.varint(),
                in.i64(),
                KeepDeleted.valueOf(in.text()),
                Compression.valueOf(in.text()),
                BloomKind.valueOf(in.text()),
                in.u8() == 1,
                decodeAttributes(in));
    }

    private static Map<Bytes, Bytes> decodeAttributes(BytesReader in) {
        Map<Bytes, Bytes> attributes = new TreeMap<>();
        for (int left = in.count(); left > 0; left--) {
            attributes.put(in.sized(), in.sized());
        }
        return attributes;
    }
}
