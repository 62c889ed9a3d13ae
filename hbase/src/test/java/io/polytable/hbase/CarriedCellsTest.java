package io.polytable.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.CellBlockMeta;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.ResponseHeader;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Every codec and compressor that a client may name: it carries cells both ways, or the connection is refused. Lengths
 * in a block are validated: allocating a length of two gigabytes would kill the server.
 */
class CarriedCellsTest {
    private static final String CODECS = "org.apache.hadoop.hbase.codec.";
    private static final String COMPRESSORS = "org.apache.hadoop.io.compress.";
    private static final TableName NAME = TableName.valueOf("carried");
    private static final byte[] F = Bytes.toBytes("f");
    private static final byte[] ROW = Bytes.toBytes("row");
    private static final int HUGE = Integer.MAX_VALUE;

    private static ServedCluster served;
    private static RegionInfo region;

    @BeforeAll
    static void start() throws IOException {
        served = ServedCluster.shared();
        try (Connection connection = served.connect();
                Admin admin = connection.getAdmin()) {
            admin.createTable(TableDescriptorBuilder.newBuilder(NAME)
                    .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F))
                    .build());
            region = admin.getRegions(NAME).get(0);
        }
    }

    @AfterAll
    static void stop() {}

    @ParameterizedTest
    @CsvSource({
        "CellCodec,",
        "CellCodecWithTags,",
        "KeyValueCodec, SnappyCodec",
        "KeyValueCodec, BZip2Codec",
        "CellCodec, SnappyCodec"
    })
    void cellsComeAndGo(String codec, String compressor) throws IOException {
        var configuration = served.configuration();
        configuration.set("hbase.client.rpc.codec", CODECS + codec);
        if (compressor != null) {
            configuration.set("hbase.client.rpc.compressor", COMPRESSORS + compressor);
        }
        byte[] value = new byte[300_000];
        byte[] row = Bytes.toBytes(codec + compressor);
        try (Connection connection = ConnectionFactory.createConnection(configuration);
                Table table = connection.getTable(NAME)) {
            table.put(List.of(
                    new Put(row).addColumn(F, Bytes.toBytes("a"), value).addColumn(F, Bytes.toBytes("b"), ROW),
                    new Put(Bytes.add(row, ROW)).addColumn(F, Bytes.toBytes("c"), new byte[0])));
            assertThat(table.get(new Get(row)).getValue(F, Bytes.toBytes("a"))).isEqualTo(value);
            assertThat(table.get(new Get(row)).getValue(F, Bytes.toBytes("b"))).isEqualTo(ROW);
            assertThat(table.exists(new Get(Bytes.add(row, ROW)))).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"CellCodec", "CellCodecWithTags", "KeyValueCodec", "KeyValueCodecWithTags"})
    void aLengthThatTheBlockDoesNotHave(String codec) throws IOException {
        assertRefused(
                codec, "", ByteBuffer.allocate(64).putInt(HUGE).put(new byte[8]).array());
    }

    @Test
    void aCompressedPieceThatTheBlockDoesNotHave() throws IOException {
        assertRefused(
                "KeyValueCodec",
                "SnappyCodec",
                ByteBuffer.allocate(64).putInt(100).putInt(HUGE).array());
    }

    private static void assertRefused(String codec, String compressor, byte[] block) throws IOException {
        try (RawConnection wire = connected(codec, compressor)) {
            ClientProtos.MutateRequest put = ClientProtos.MutateRequest.newBuilder()
                    .setRegion(specifier())
                    .setMutation(ClientProtos.MutationProto.newBuilder()
                            .setRow(ByteString.copyFrom(ROW))
                            .setMutateType(ClientProtos.MutationProto.MutationType.PUT)
                            .setAssociatedCellCount(1))
                    .build();
            CellBlockMeta meta =
                    CellBlockMeta.newBuilder().setLength(block.length).build();
            wire.call(RawConnection.named(1, "Mutate").setCellBlockMeta(meta).build(), put, block);
            ResponseHeader answer = wire.answer();
            assertThat(answer.getException().getDoNotRetry())
                    .as(answer.toString())
                    .isTrue();
            assertThat(answer.getException().getStackTrace()).doesNotContain("Internal error");
        }
    }

    /** Classes that exist but lack a library that they need. */
    @ParameterizedTest
    @ValueSource(strings = {"Lz4Codec", "ZStandardCodec"})
    void aCompressorThatDoesNotWork(String compressor) throws IOException {
        try (RawConnection wire = connected("KeyValueCodec", compressor)) {
            ResponseHeader answer = wire.answer();
            assertThat(answer.getException().getExceptionClassName()).endsWith("UnsupportedCompressionCodecException");
            assertThat(answer.getException().getStackTrace()).contains(compressor);
            wire.awaitEnd();
        }
    }

    private static RawConnection connected(String codec, String compressor) throws IOException {
        RawConnection wire = new RawConnection(served.face().regionServerPort());
        wire.out().write(new byte[] {'H', 'B', 'a', 's', 0, 80});
        wire.header("ClientService", CODECS + codec, compressor.isEmpty() ? "" : COMPRESSORS + compressor);
        return wire;
    }

    private static RegionSpecifier specifier() {
        return RegionSpecifier.newBuilder()
                .setType(RegionSpecifier.RegionSpecifierType.REGION_NAME)
                .setValue(ByteString.copyFrom(region.getRegionName()))
                .build();
    }
}
