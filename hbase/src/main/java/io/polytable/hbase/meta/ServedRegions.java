package io.polytable.hbase.meta;

import io.polytable.hbase.catalog.Catalog;
import io.polytable.hbase.catalog.Region;
import java.io.IOException;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier.RegionSpecifierType;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.apache.hbase.thirdparty.com.google.protobuf.UnsafeByteOperations;

/** The regions that clients can address: those of tables, and that of {@code hbase:meta}. */
public final class ServedRegions {
    private static final RegionInfo META = RegionInfoBuilder.FIRST_META_REGIONINFO;
    private static final ByteString META_NAME = UnsafeByteOperations.unsafeWrap(META.getRegionName());
    private static final ByteString META_ENCODED_NAME = UnsafeByteOperations.unsafeWrap(META.getEncodedNameAsBytes());

    private final Catalog catalog;
    private final Region meta;

    public ServedRegions(Catalog catalog, MetaTable meta) {
        this.catalog = catalog;
        this.meta = new Region(META, meta, MetaTable.SPEC);
    }

    public Region region(RegionSpecifier specifier) throws IOException {
        ByteString metaName = specifier.getType() == RegionSpecifierType.REGION_NAME ? META_NAME : META_ENCODED_NAME;
        return specifier.getValue().equals(metaName) ? meta : catalog.region(specifier);
    }

    public Region meta() {
        return meta;
    }

    /** Whether the region is still served. */
    public boolean serves(Region region) {
        return region == meta || catalog.serves(region);
    }
}
