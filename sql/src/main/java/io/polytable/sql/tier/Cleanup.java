package io.polytable.sql.tier;

import io.polytable.frontend.answer.AnswerGate;
import io.polytable.sql.model.table.SqlTable;
import io.polytable.sql.tier.job.Job;
import io.polytable.sql.tier.job.JobProgress;
import io.polytable.sql.tier.job.JobQueue;
import io.polytable.sql.tier.manifest.Manifest;
import io.polytable.sql.tier.manifest.Manifests;
import io.polytable.sql.tier.manifest.Segment;
import io.polytable.sql.tier.storage.Storage;
import io.polytable.sql.tier.storage.StorageDef;
import io.polytable.sql.tier.storage.StoragePaths;
import io.polytable.table.Origin;
import io.polytable.table.Reader;
import io.polytable.table.Snapshot;
import io.polytable.table.TableKind;
import io.polytable.table.write.Batch;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Deletes files that no manifest version references any more: past their retention, orphaned by a crash, or of a
 * dropped table.
 */
final class Cleanup {
    private static final Pattern FILE = Pattern.compile(".*/batch-(\\d{19})\\.parquet(\\..*\\.tmp)?");
    private static final Pattern OURS =
            Pattern.compile(".*/(batch-\\d{19}\\.parquet|manifest\\.json|schema_v\\d+\\.json)(\\..*\\.tmp)?");
    private static final int BATCH_ROWS = 500;

    private final Tiering tier;
    private final JobProgress progress;
    private boolean emptied;

    /** Time of the last TRUNCATE. Its manifest version belongs to scope "" and is therefore read first. */
    private Instant emptiedAt = Instant.EPOCH;

    private long removed;

    Cleanup(Tiering tier, JobProgress progress) {
        this.tier = tier;
        this.progress = progress;
    }

    /**
     * Deletes manifest versions that were replaced longer ago than the retention, with the files that only they
     * reference. Keeps versions that a query reads. A truncated table loses its {@code manifest.json} as well.
     */
    long expire(SqlTable table, Duration retention) {
        int id = table.table().id();
        emptied = tier.cold(table).mayShowTruncated.getAndSet(false);
        Instant before = tier.now().minus(retention);
        Optional<ScopeExpiry> scope = Optional.empty();
        // One snapshot for the whole run: a concurrent TRUNCATE would otherwise look as if its scopes had had no
        // current version for long.
        try (Snapshot moment = tier.store().snapshot();
                Manifests.Walk history = tier.manifests().historyWalk(moment, id)) {
            while (history.next()) {
                Manifest version = history.manifest();
                if (version.scope().isEmpty() && version.segments().isEmpty()) {
                    emptiedAt = version.updatedAt();
                }
                if (scope.isEmpty() || !scope.get().name.equals(version.scope())) {
                    scope.ifPresent(ScopeExpiry::end);
                    scope = Optional.of(new ScopeExpiry(moment, id, version.scope(), before));
                }
                scope.get().add(version);
            }
            scope.ifPresent(ScopeExpiry::end);
        }
        return removed;
    }

    /**
     * The versions of one scope, oldest first. A table may have some hundred thousand of them, so only few are in
     * memory at once: the versions that share a file are adjacent, and the file is judged at the last of them.
     */
    private final class ScopeExpiry {
        private final String name;
        private final Instant before;
        private final long current;
        private final Set<Segment> present = new HashSet<>();
        private final Set<Place> places = new HashSet<>();

        /** Files of the last version that a retained version references too. */
        private final Set<Segment> needed = new HashSet<>();

        private final List<Manifest> expired = new ArrayList<>();
        private @Nullable Manifest last;

        ScopeExpiry(Reader moment, int table, String name, Instant before) {
            this.name = name;
            this.before = before;
            Optional<Manifest> now = tier.manifests().current(moment, table, name);
            current = now.map(Manifest::version).orElse(-1L);
            now.ifPresent(manifest -> present.addAll(manifest.segments()));
        }

        void add(Manifest version) {
            Manifest older = last;
            if (older != null) {
                replaced(older, version.updatedAt(), version.segments());
            }
            last = version;
        }

        void end() {
            Manifest newest = last;
            if (newest != null) {
                replaced(newest, ended(newest), List.of());
            }
            forget(expired);
            places.forEach(place -> tier.storages().open(place.storage()).delete(place.manifest()));
        }

        private void replaced(Manifest version, Instant at, List<Segment> next) {
            boolean over = version.version() != current && at.isBefore(before) && !isRead(version);
            if (!over) {
                needed.addAll(version.segments());
            }
            Set<Segment> following = new HashSet<>(next);
            for (Segment segment : version.segments()) {
                if (current < 0 && emptied) {
                    places.add(Place.of(segment));
                }
                boolean ends = !following.contains(segment) && !present.contains(segment);
                if (ends && !needed.remove(segment)) {
                    delete(segment);
                }
            }
            if (over) {
                expired.add(version);
            }
            if (expired.size() >= BATCH_ROWS) {
                forget(expired);
                expired.clear();
            }
        }
    }

    /** When the last version of a scope that has no current one ended: at the TRUNCATE. */
    private Instant ended(Manifest last) {
        return emptiedAt.isAfter(last.updatedAt()) ? emptiedAt : last.updatedAt();
    }

    private boolean isRead(Manifest version) {
        return version.segments().stream().anyMatch(tier.files().local()::isPinned);
    }

    private void delete(Segment segment) {
        progress.check();
        tier.storages().open(segment.storage()).delete(segment.path());
        removed++;
        tier.reached(Step.FILE_REMOVED);
    }

    /** Called after the files are deleted: a crash in between leaves versions that the next run finds again. */
    private void forget(List<Manifest> versions) {
        Batch batch = new Batch(Origin.FLUSH);
        for (Manifest version : versions) {
            tier.manifests().deleteVersion(batch, version);
            if (batch.size() >= BATCH_ROWS) {
                tier.store().commit(batch);
                batch.clear();
            }
        }
        if (!batch.isEmpty()) {
            AnswerGate.settle(tier.store().commit(batch));
        }
    }

    /**
     * Repairs the storage after an interrupted flush or compaction: deletes files that no manifest references and
     * manifests that the store does not have, and rewrites manifests that differ from the store.
     */
    void reconcile(SqlTable table) {
        int id = table.table().id();
        Set<Long> known = new HashSet<>();
        try (Manifests.Walk history = tier.manifests().historyWalk(tier.store(), id)) {
            while (history.next()) {
                history.manifest().segments().forEach(segment -> known.add(segment.id()));
            }
        }
        SegmentPublisher publisher =
                new SegmentPublisher(tier, table, tier.cold(table).emptied.get());
        Set<String> manifests = new HashSet<>();
        StorageDef def = tier.storages().require(SegmentPublisher.storageOf(table.def()));
        tier.manifests().forEach(tier.store(), id, manifest -> {
            progress.check();
            publisher.restore(manifest);
            manifests.add(StoragePaths.directory(def, table.def(), manifest.scope()) + "/manifest.json");
        });
        Storage storage = tier.storages().open(def.id());
        storage.sync();
        String directory = StoragePaths.tableDirectory(def, table.def());
        boolean ofUsers = table.def().kind() == TableKind.USER;
        List<String> orphans = new ArrayList<>();
        storage.list(directory, path -> {
            Matcher file = FILE.matcher(path);
            boolean orphan = file.matches()
                    ? file.group(2) != null || !known.contains(Long.parseLong(file.group(1)))
                    : path.endsWith("/manifest.json") && !manifests.contains(path);
            boolean left = OURS.matcher(path).matches() && (orphan || path.endsWith(".tmp"));
            if (left && StoragePaths.isPlaceOf(directory, ofUsers, path)) {
                orphans.add(path);
            }
        });
        orphans.forEach(storage::delete);
    }

    /** The directory of a scope on a storage. */
    private record Place(String storage, String directory) {
        static Place of(Segment segment) {
            return new Place(segment.storage(), parent(segment.path()));
        }

        static String parent(String path) {
            return path.substring(0, Math.max(0, path.lastIndexOf('/')));
        }

        String manifest() {
            return directory + "/manifest.json";
        }

        /** The directory of the whole table. */
        Place ofTable(boolean ofUsers) {
            return ofUsers ? new Place(storage, parent(directory)) : this;
        }
    }

    /**
     * Deletes all files of a dropped table, on every storage that it ever used. The manifests in the store go last, so
     * that an interrupted run finds every file again.
     */
    long drop(Job job) {
        int id = Integer.parseInt(job.parameter("table_id"));
        requireUnread(id);
        boolean ofUsers = job.parameter("users").equals("true");
        Set<Place> tables = new HashSet<>();
        tables.add(new Place(job.parameter("storage"), job.parameter("directory")));
        Place last = new Place("", "");
        try (Manifests.Walk history = tier.manifests().historyWalk(tier.store(), id)) {
            while (history.next()) {
                for (Segment segment : history.manifest().segments()) {
                    delete(segment);
                    Place place = Place.of(segment);
                    if (!place.equals(last)) {
                        tier.storages().open(place.storage()).delete(place.manifest());
                        tables.add(place.ofTable(ofUsers));
                        last = place;
                    }
                }
            }
        }
        tables.forEach(place -> deleteLeft(place, ofUsers));
        forgetAll(id);
        return removed;
    }

    /** Checked before the first delete, since a query opens some of its files late. */
    private void requireUnread(int table) {
        boolean read = tier.isScanned(table);
        try (Manifests.Walk history = tier.manifests().historyWalk(tier.store(), table)) {
            while (!read && history.next()) {
                progress.check();
                read = isRead(history.manifest());
            }
        }
        if (read) {
            throw new JobQueue.Postponed("a query still reads the files");
        }
    }

    /** Deletes schema files, and files that no manifest references. */
    private void deleteLeft(Place table, boolean ofUsers) {
        Storage storage = tier.storages().open(table.storage());
        List<String> left = new ArrayList<>();
        storage.list(table.directory(), path -> {
            if (OURS.matcher(path).matches() && StoragePaths.isPlaceOf(table.directory(), ofUsers, path)) {
                left.add(path);
            }
        });
        left.forEach(storage::delete);
    }

    private void forgetAll(int table) {
        Batch batch = new Batch(Origin.FLUSH);
        tier.manifests().forget(batch, table);
        tier.store().commit(batch);
        List<Manifest> versions = new ArrayList<>();
        try (Manifests.Walk history = tier.manifests().historyWalk(tier.store(), table)) {
            while (history.next()) {
                versions.add(history.manifest());
                if (versions.size() >= BATCH_ROWS) {
                    forget(versions);
                    versions.clear();
                }
            }
        }
        forget(versions);
    }
}
