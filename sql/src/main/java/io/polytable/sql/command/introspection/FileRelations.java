package io.polytable.sql.command.introspection;

import io.polytable.sql.command.session.SqlEngine;
import io.polytable.sql.model.table.SqlTable;
import io.polytable.sql.tier.job.Job;
import io.polytable.sql.tier.manifest.Manifest;
import io.polytable.sql.tier.manifest.Manifests;
import io.polytable.sql.tier.storage.StorageDef;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The rows of the {@code system} tables about storages, manifests and jobs. */
final class FileRelations {
    /** The most manifests shown; a user table has one for each user. */
    private static final int MANIFESTS_MAX = 100_000;

    private FileRelations() {}

    static List<@Nullable Object[]> storages(SqlEngine engine) {
        List<@Nullable Object[]> rows = new ArrayList<>();
        for (StorageDef storage : engine.tiering().storages().all()) {
            rows.add(new @Nullable Object[] {
                storage.id(),
                storage.type().name().toLowerCase(Locale.ROOT),
                storage.base(),
                engine.tiering().usage(storage.id())
            });
        }
        return rows;
    }

    static List<@Nullable Object[]> manifests(SqlEngine engine) {
        List<@Nullable Object[]> rows = new ArrayList<>();
        for (SqlTable table : engine.catalog().state().tables()) {
            if (table.cold().isUsed()) {
                engine.tiering()
                        .manifests()
                        .forEach(engine.store(), table.table().id(), manifest -> add(rows, table, manifest));
            }
        }
        return rows;
    }

    static List<@Nullable Object[]> versions(SqlEngine engine) {
        List<@Nullable Object[]> rows = new ArrayList<>();
        for (SqlTable table : engine.catalog().state().tables()) {
            if (!table.cold().isUsed()) {
                continue;
            }
            try (Manifests.Walk history = engine.tiering()
                    .manifests()
                    .historyWalk(engine.store(), table.table().id())) {
                while (history.next()) {
                    add(rows, table, history.manifest());
                }
            }
        }
        return rows;
    }

    private static void add(List<@Nullable Object[]> rows, SqlTable table, Manifest manifest) {
        if (rows.size() < MANIFESTS_MAX) {
            rows.add(new @Nullable Object[] {
                table.name().namespace(),
                table.name().name(),
                manifest.scope().isEmpty() ? null : manifest.scope(),
                (int) manifest.version(),
                manifest.rows(),
                (long) manifest.segments().size(),
                manifest.bytes(),
                manifest.updatedAt()
            });
        }
    }

    static List<@Nullable Object[]> jobs(SqlEngine engine) {
        List<@Nullable Object[]> rows = new ArrayList<>();
        for (@Nullable Object[] row : engine.jobs().rows()) {
            rows.add(new @Nullable Object[] {row[0], row[1], row[2], row[3], row[4], row[5], row[6], null, null, 0});
        }
        for (Job job : engine.tiering().jobs().all()) {
            rows.add(new @Nullable Object[] {
                job.id(),
                job.type().name().toLowerCase(Locale.ROOT),
                job.status().name().toLowerCase(Locale.ROOT),
                new TreeMap<>(job.parameters()).toString(),
                job.message(),
                job.createdAt(),
                job.finishedAt(),
                job.progress(),
                job.total().isPresent() ? (Long) job.total().getAsLong() : null,
                job.retries()
            });
        }
        return rows;
    }
}
