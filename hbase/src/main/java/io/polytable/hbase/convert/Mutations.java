package io.polytable.hbase.convert;

import io.polytable.cells.Cell;
import io.polytable.cells.CellKind;
import io.polytable.cells.TimeRange;
import io.polytable.cells.request.Edit;
import io.polytable.cells.request.Nonce;
import io.polytable.cells.request.RowWrite;
import io.polytable.hbase.rpc.Failures;
import io.polytable.table.Bytes;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.CellScanner;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.ExtendedCell;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.Tag;
import org.apache.hadoop.hbase.TagType;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto.ColumnValue;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto.ColumnValue.QualifierValue;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto.DeleteType;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto.MutationType;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;

/**
 * Converts a client's Put, Delete, Increment or Append into edits. Its columns are in the message or in the call's
 * cells, of which it consumes as many as the message says, even if the mutation is then refused.
 */
public final class Mutations {
    private static final String TTL_ATTRIBUTE = "_ttl";
    private static final String RETURN_ATTRIBUTE = "_rr_";
    private static final int ROOM_MAX = 1024;

    private final MutationProto mutation;
    private final Bytes row;
    private final long ttlMillis;
    private final List<Edit> edits;

    private Mutations(MutationProto mutation) {
        this.mutation = mutation;
        row = HBaseTypes.bytes(mutation.getRow());
        // Presized by the client's count, capped because the count may be false; most have one.
        edits = new ArrayList<>(Math.max(1, Math.min(mutation.getAssociatedCellCount(), ROOM_MAX)));
        ttlMillis = attribute(mutation, TTL_ATTRIBUTE)
                .filter(value -> value.size() == Long.BYTES)
                .map(value -> atLeastOne(value.asReadOnlyByteBuffer().getLong()))
                .orElse(Cell.NO_TTL);
    }

    /** All edits of the mutation. */
    public static List<Edit> edits(MutationProto mutation, CellScanner cells) throws IOException {
        return new Mutations(mutation).read(cells);
    }

    public static RowWrite write(MutationProto mutation, CellScanner cells, long nonceGroup) throws IOException {
        Mutations read = new Mutations(mutation);
        List<Edit> edits = read.read(cells);
        RowWrite write = RowWrite.of(read.row, edits);
        write = nonce(mutation, nonceGroup).map(write::with).orElse(write);
        return returnsCells(mutation) ? write : write.withoutCells();
    }

    /** The nonce that distinguishes a retry of an increment or append from a second one. */
    public static Optional<Nonce> nonce(MutationProto mutation, long nonceGroup) {
        boolean named = mutation.hasNonce() && mutation.getNonce() != HConstants.NO_NONCE && isComputed(mutation);
        return named ? Optional.of(new Nonce(nonceGroup, mutation.getNonce())) : Optional.empty();
    }

    /** Whether its result returns the new cells. */
    public static boolean returnsCells(MutationProto mutation) {
        return isComputed(mutation)
                && attribute(mutation, RETURN_ATTRIBUTE)
                        .map(value -> value.isEmpty() || value.byteAt(0) != 0)
                        .orElse(true);
    }

    /** Whether its new value depends on the stored one. */
    public static boolean isComputed(MutationProto mutation) {
        return mutation.getMutateType() == MutationType.INCREMENT || mutation.getMutateType() == MutationType.APPEND;
    }

    /** Skips the cells of a mutation that is not applied, so that the next one finds its own. */
    public static void skip(MutationProto mutation, CellScanner cells) throws IOException {
        for (int left = mutation.getAssociatedCellCount(); left > 0 && cells.advance(); left--) {
            cells.current();
        }
    }

    private static Optional<ByteString> attribute(MutationProto mutation, String name) {
        for (HBaseProtos.NameBytesPair attribute : mutation.getAttributeList()) {
            if (attribute.getName().equals(name)) {
                return Optional.of(attribute.getValue());
            }
        }
        return Optional.empty();
    }

    private List<Edit> read(CellScanner cells) throws IOException {
        int count = mutation.getAssociatedCellCount();
        if (count < 0) {
            throw new DoNotRetryIOException("A mutation has a negative number of cells");
        }
        // Consumes all cells even after a refusal, so that the next mutation finds its own.
        Optional<IOException> refusal = Optional.empty();
        for (int i = 0; i < count; i++) {
            if (!cells.advance()) {
                throw new DoNotRetryIOException(
                        "The cell block has " + i + " of the " + count + " cells of a mutation");
            }
            refusal = refusal.isPresent() ? refusal : added(cells.current());
        }
        if (refusal.isPresent()) {
            throw refusal.get();
        }
        for (ColumnValue column : mutation.getColumnValueList()) {
            for (QualifierValue value : column.getQualifierValueList()) {
                add(HBaseTypes.bytes(column.getFamily()), value);
            }
        }
        if (edits.isEmpty() && mutation.getMutateType() == MutationType.DELETE) {
            edits.add(new Edit.DeleteRow(timestamp()));
        }
        return edits;
    }

    private Optional<IOException> added(org.apache.hadoop.hbase.Cell cell) {
        try {
            add(cell);
            return Optional.empty();
        } catch (IOException | RuntimeException refused) {
            return Optional.of(Failures.of(refused));
        }
    }

    private long timestamp() {
        return mutation.hasTimestamp() ? mutation.getTimestamp() : Cell.LATEST;
    }

    private void add(org.apache.hadoop.hbase.Cell cell) throws IOException {
        if (mutation.hasRow() && !row.equals(HBaseTypes.row(cell))) {
            throw new DoNotRetryIOException("A cell of another row than its mutation's");
        }
        int type = HBaseTypes.typeCode(cell);
        CellKind kind = switch (type) {
            case 4, 8, 10, 12, 14 -> CellKind.ofCode(type);
            default -> throw new DoNotRetryIOException("A cell of the unknown type " + type);
        };
        add(
                kind,
                HBaseTypes.family(cell),
                HBaseTypes.qualifier(cell),
                cell.getTimestamp(),
                HBaseTypes.value(cell),
                ttl(cell));
    }

    private long ttl(org.apache.hadoop.hbase.Cell cell) {
        return cell instanceof ExtendedCell extended && extended.getTagsLength() > 0
                ? ttl(ByteBuffer.wrap(extended.getTagsArray(), extended.getTagsOffset(), extended.getTagsLength()))
                : ttlMillis;
    }

    /** The mutation's time to live takes precedence over that of a cell's tags. */
    private long ttl(ByteBuffer tags) {
        if (ttlMillis != Cell.NO_TTL) {
            return ttlMillis;
        }
        while (tags.remaining() > Tag.INFRASTRUCTURE_SIZE) {
            int length = Short.toUnsignedInt(tags.getShort()) - Tag.TYPE_LENGTH_SIZE;
            byte type = tags.get();
            if (length < 0 || length > tags.remaining()) {
                return Cell.NO_TTL;
            }
            if (type == TagType.TTL_TAG_TYPE && length == Long.BYTES) {
                return atLeastOne(tags.getLong());
            }
            tags.position(tags.position() + length);
        }
        return Cell.NO_TTL;
    }

    /** A cell with a time to live of 0 expires after its millisecond; our 0 would mean that it never expires. */
    private static long atLeastOne(long ttl) {
        return ttl == Cell.NO_TTL ? 1 : ttl;
    }

    private void add(Bytes family, QualifierValue value) throws IOException {
        long timestamp = value.hasTimestamp() ? value.getTimestamp() : timestamp();
        CellKind kind = CellKind.PUT;
        if (value.hasDeleteType()) {
            kind = kind(value.getDeleteType());
        } else if (mutation.getMutateType() == MutationType.DELETE) {
            throw new DoNotRetryIOException("A deleted column without a type");
        }
        add(
                kind,
                family,
                HBaseTypes.bytes(value.getQualifier()),
                timestamp,
                HBaseTypes.bytes(value.getValue()),
                value.hasTags() ? ttl(value.getTags().asReadOnlyByteBuffer()) : ttlMillis);
    }

    private static CellKind kind(DeleteType type) {
        return switch (type) {
            case DELETE_ONE_VERSION -> CellKind.DELETE_VERSION;
            case DELETE_MULTIPLE_VERSIONS -> CellKind.DELETE_COLUMN;
            case DELETE_FAMILY -> CellKind.DELETE_FAMILY;
            case DELETE_FAMILY_VERSION -> CellKind.DELETE_FAMILY_VERSION;
        };
    }

    private void add(CellKind kind, Bytes family, Bytes qualifier, long timestamp, Bytes value, long ttl)
            throws IOException {
        if (kind.isDelete()) {
            edits.add(new Edit.Delete(kind, family, kind.isOfFamily() ? Bytes.EMPTY : qualifier, timestamp));
            return;
        }
        edits.add(
                switch (mutation.getMutateType()) {
                    case PUT -> new Edit.Put(family, qualifier, timestamp, value, ttl);
                    case INCREMENT -> new Edit.Increment(family, qualifier, amount(value), timestamp, times(), ttl);
                    case APPEND -> new Edit.Append(family, qualifier, value, timestamp, times(), ttl);
                    case DELETE -> throw new DoNotRetryIOException("A delete with a cell that is not a marker");
                });
    }

    private TimeRange times() {
        return mutation.hasTimeRange() ? HBaseTypes.times(mutation.getTimeRange()) : TimeRange.ALL;
    }

    private static long amount(Bytes value) throws IOException {
        if (value.length() != Long.BYTES) {
            throw new DoNotRetryIOException("Field is not a long, it's " + value.length() + " bytes wide");
        }
        return org.apache.hadoop.hbase.util.Bytes.toLong(value.array(), value.offset());
    }
}
