package io.polytable.hbase.convert;

import io.polytable.cells.Cell;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import org.apache.hadoop.hbase.ExtendedCell;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.Tag;
import org.apache.hadoop.hbase.TagType;
import org.apache.hadoop.hbase.util.Bytes;

/** Presents one of our cells to HBase's filters and codecs, without a copy. */
@SuppressWarnings("deprecation")
public final class StoredCell implements ExtendedCell {
    private static final byte[] NO_TAGS = {};

    private final Cell cell;

    /** A tag with the cell's own time to live, if it has one: without it a copy of the cell would never expire. */
    private final byte[] tags;

    public StoredCell(Cell cell) {
        this.cell = cell;
        tags = cell.ttlMillis() == Cell.NO_TTL ? NO_TAGS : ttlTag(cell.ttlMillis());
    }

    private static byte[] ttlTag(long ttlMillis) {
        return ByteBuffer.allocate(Tag.INFRASTRUCTURE_SIZE + Long.BYTES)
                .putShort((short) (Tag.TYPE_LENGTH_SIZE + Long.BYTES))
                .put(TagType.TTL_TAG_TYPE)
                .putLong(ttlMillis)
                .array();
    }

    public Cell cell() {
        return cell;
    }

    private int keyLength() {
        return Short.BYTES
                + cell.row().length()
                + 1
                + cell.family().length()
                + cell.qualifier().length()
                + KeyValue.TIMESTAMP_TYPE_SIZE;
    }

    @Override
    public int getSerializedSize(boolean withTags) {
        return KeyValue.KEYVALUE_INFRASTRUCTURE_SIZE
                + keyLength()
                + cell.value().length()
                + (withTags && tags.length > 0 ? KeyValue.TAGS_LENGTH_SIZE + tags.length : 0);
    }

    @Override
    public int getSerializedSize() {
        return getSerializedSize(true);
    }

    /** Writes everything before the value in one piece: on a stream, many small writes cost more than one. */
    @Override
    public int write(OutputStream out, boolean withTags) throws IOException {
        byte[] head = new byte[KeyValue.KEYVALUE_INFRASTRUCTURE_SIZE + keyLength()];
        int at = Bytes.putInt(head, 0, keyLength());
        at = Bytes.putInt(head, at, cell.value().length());
        at = Bytes.putShort(head, at, (short) cell.row().length());
        at = put(head, at, cell.row());
        head[at++] = (byte) cell.family().length();
        at = put(head, at, cell.family());
        at = put(head, at, cell.qualifier());
        at = Bytes.putLong(head, at, cell.timestamp());
        head[at] = getTypeByte();
        out.write(head);
        out.write(getValueArray(), getValueOffset(), getValueLength());
        if (!withTags || tags.length == 0) {
            return head.length + getValueLength();
        }
        out.write(new byte[] {(byte) (tags.length >> Byte.SIZE), (byte) tags.length});
        out.write(tags);
        return head.length + getValueLength() + KeyValue.TAGS_LENGTH_SIZE + tags.length;
    }

    private static int put(byte[] target, int at, io.polytable.table.Bytes bytes) {
        bytes.copyTo(target, at);
        return at + bytes.length();
    }

    @Override
    public void write(ByteBuffer buffer, int offset) {
        deepClone().write(buffer, offset);
    }

    @Override
    public ExtendedCell deepClone() {
        return new KeyValue(
                getRowArray(),
                getRowOffset(),
                getRowLength(),
                getFamilyArray(),
                getFamilyOffset(),
                getFamilyLength(),
                getQualifierArray(),
                getQualifierOffset(),
                getQualifierLength(),
                getTimestamp(),
                KeyValue.Type.codeToType(getTypeByte()),
                getValueArray(),
                getValueOffset(),
                getValueLength(),
                tags,
                0,
                tags.length);
    }

    @Override
    public byte[] getRowArray() {
        return cell.row().array();
    }

    @Override
    public int getRowOffset() {
        return cell.row().offset();
    }

    @Override
    public short getRowLength() {
        return (short) cell.row().length();
    }

    @Override
    public byte[] getFamilyArray() {
        return cell.family().array();
    }

    @Override
    public int getFamilyOffset() {
        return cell.family().offset();
    }

    @Override
    public byte getFamilyLength() {
        return (byte) cell.family().length();
    }

    @Override
    public byte[] getQualifierArray() {
        return cell.qualifier().array();
    }

    @Override
    public int getQualifierOffset() {
        return cell.qualifier().offset();
    }

    @Override
    public int getQualifierLength() {
        return cell.qualifier().length();
    }

    @Override
    public long getTimestamp() {
        return cell.timestamp();
    }

    @Override
    public byte getTypeByte() {
        return (byte) cell.kind().code();
    }

    @Override
    public byte[] getValueArray() {
        return cell.value().array();
    }

    @Override
    public int getValueOffset() {
        return cell.value().offset();
    }

    @Override
    public int getValueLength() {
        return cell.value().length();
    }

    @Override
    public byte[] getTagsArray() {
        return tags;
    }

    @Override
    public int getTagsOffset() {
        return 0;
    }

    @Override
    public int getTagsLength() {
        return tags.length;
    }

    @Override
    public long getSequenceId() {
        return 0;
    }

    @Override
    public void setSequenceId(long sequenceId) {
        // The commit log orders the writes of all tables; a cell does not have its sequence number.
    }

    @Override
    public void setTimestamp(long timestamp) {
        throw new UnsupportedOperationException("a stored cell does not change");
    }

    @Override
    public void setTimestamp(byte[] timestamp) {
        throw new UnsupportedOperationException("a stored cell does not change");
    }

    @Override
    public long heapSize() {
        return cell.memoryBytes();
    }

    @Override
    public String toString() {
        return cell.toString();
    }
}
