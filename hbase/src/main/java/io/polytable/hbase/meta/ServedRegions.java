package io.polytable.hbase.meta;

import io.polytable.cells.CellTableSpec;
import io.polytable.hbase.catalog.Catalog;
import io.polytable.hbase.catalog.Namespaces;
import io.polytable.hbase.catalog.Region;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier.RegionSpecifierType;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.apache.hbase.thirdparty.com.google.protobuf.UnsafeByteOperations;

/** The regions that clients can address: those of tables, and those of the server's own tables. */
public final class ServedRegions {
    /** The server's own tables. */
    public static final List<CellTableSpec> SPECS = List.of(MetaTable.SPEC, NamespaceTable.SPEC);

    private static final RegionInfo META = RegionInfoBuilder.FIRST_META_REGIONINFO;
    private static final ByteString META_NAME = UnsafeByteOperations.unsafeWrap(META.getRegionName());
    private static final ByteString META_ENCODED_NAME = UnsafeByteOperations.unsafeWrap(META.getEncodedNameAsBytes());

    private static final ByteString NAMESPACES_NAME =
            UnsafeByteOperations.unsafeWrap(NamespaceTable.REGION.getRegionName());
    private static final ByteString NAMESPACES_ENCODED_NAME =
            UnsafeByteOperations.unsafeWrap(NamespaceTable.REGION.getEncodedNameAsBytes());

    private final Catalog catalog;
    private final Region meta;
    private final Region namespaces;

    public ServedRegions(Catalog catalog, ServerAddress address) {
        this.catalog = catalog;
        meta = new Region(META, new MetaTable(catalog, address), MetaTable.SPEC);
        namespaces = new Region(
                NamespaceTable.REGION, new NamespaceTable(new Namespaces(catalog), address), NamespaceTable.SPEC);
    }

    public Region region(RegionSpecifier specifier) throws IOException {
        boolean named = specifier.getType() == RegionSpecifierType.REGION_NAME;
        if (specifier.getValue().equals(named ? META_NAME : META_ENCODED_NAME)) {
            return meta;
        }
        return specifier.getValue().equals(named ? NAMESPACES_NAME : NAMESPACES_ENCODED_NAME)
                ? namespaces
                : catalog.region(specifier);
    }

    /** The regions of the server's own tables. */
    public List<Region> views() {
        return List.of(meta, namespaces);
    }

    /** Whether the region is still served. */
    public boolean serves(Region region) {
        return region.isView() || catalog.serves(region);
    }
}
