package io.polytable.entity.load;

import java.io.IOException;
import java.io.InputStream;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.Schema;
import org.apache.avro.file.DataFileStream;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.util.Utf8;

/** Records of an Avro container file. An unreadable block ends the import, since everything after it is suspect. */
final class AvroSource implements RecordSource {
    private final CountingInput bytes;
    private final DataFileStream<GenericRecord> in;
    private long number;

    AvroSource(InputStream file) throws IOException {
        bytes = new CountingInput(file);
        try {
            in = new DataFileStream<>(bytes, new GenericDatumReader<>());
        } catch (AvroRuntimeException e) {
            throw new IOException("Not an Avro file: " + e.getMessage(), e);
        }
        if (in.getSchema().getType() != Schema.Type.RECORD) {
            throw new IOException("The file's values are not records: " + in.getSchema());
        }
    }

    @Override
    public Optional<Fields> next() throws IOException {
        try {
            if (!in.hasNext()) {
                return Optional.empty();
            }
            GenericRecord record = in.next();
            number++;
            Map<String, Object> fields = new LinkedHashMap<>();
            for (Schema.Field field : record.getSchema().getFields()) {
                Object value = record.get(field.pos());
                if (value != null) {
                    fields.put(field.name(), value instanceof Utf8 text ? text.toString() : value);
                }
            }
            return Optional.of(new Fields(number, fields, record.toString()));
        } catch (AvroRuntimeException e) {
            throw new IOException("The file is damaged behind record " + number + ": " + e.getMessage(), e);
        }
    }

    @Override
    public boolean hasHead() {
        return true;
    }

    @Override
    public boolean has(String field) {
        return in.getSchema().getField(field) != null;
    }

    @Override
    public long bytesRead() {
        return bytes.count();
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
