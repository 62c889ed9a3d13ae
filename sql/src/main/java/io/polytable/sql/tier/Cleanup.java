package io.polytable.sql.tier;

import io.polytable.sql.model.SqlTable;
import io.polytable.sql.tier.job.Job;
import io.polytable.sql.tier.job.JobQueue;
import io.polytable.sql.tier.job.Progress;
import io.polytable.sql.tier.manifest.Manifest;
import io.polytable.sql.tier.manifest.Manifests;
import io.polytable.sql.tier.manifest.Segment;
import io.polytable.sql.tier.storage.Storage;
import io.polytable.sql.tier.storage.StorageDef;
import io.polytable.sql.tier.storage.StoragePaths;
import io.polytable.table.Batch;
import io.polytable.table.Reader;
import io.polytable.table.Snapshot;
import io.polytable.table.TableKind;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Removes files that no version of a manifest needs any more: after their retention, after a crash, after a DROP. */
final class Cleanup {
    private static final Pattern FILE = Pattern.compile(".*/batch-(\\d{19})\\.parquet(\\..*\\.tmp)?");
    private static final Pattern OURS =
            Pattern.compile(".*/(batch-\\d{19}\\.parquet|manifest\\.json|schema_v\\d+\\.json)(\\..*\\.tmp)?");
    private static final int BATCH_ROWS = 500;

    private final Tiering tier;
    private final Progress progress;
    private boolean emptied;

    /** When the table was last emptied; the version that says so comes first, being of the first scope. */
    private Instant emptiedAt = Instant.EPOCH;

    private long removed;

    Cleanup(Tiering tier, Progress progress) {
        this.tier = tier;
        this.progress = progress;
    }

    /**
     * Versions that were replaced longer ago than the retention go, and the files that only they had; not while a query reads
     * them. A table that was emptied has no {@code manifest.json} any more.
     */
    long expire(SqlTable table, Duration retention) {
        int id = table.table().id();
        emptied = tier.cold(table).shown.getAndSet(false);
        Instant before = tier.now().minus(retention);
        List<Manifest> versions = new ArrayList<>();
        // All is judged at one moment: a table that is emptied meanwhile would seem to have had no present version for
        // long.
        try (Snapshot moment = tier.store().snapshot();
                Manifests.Walk history = tier.manifests().historyWalk(moment, id)) {
            while (history.next()) {
                Manifest version = history.manifest();
                if (version.scope().isEmpty() && version.segments().isEmpty()) {
                    emptiedAt = version.updatedAt();
                }
                if (!versions.isEmpty() && !versions.get(0).scope().equals(version.scope())) {
                    expireScope(moment, id, versions, before);
                    versions.clear();
                }
                versions.add(version);
            }
            expireScope(moment, id, versions, before);
        }
        return removed;
    }

    private void expireScope(Reader moment, int table, List<Manifest> versions, Instant before) {
        if (versions.isEmpty()) {
            return;
        }
        String scope = versions.get(0).scope();
        long current = tier.manifests()
                .current(moment, table, scope)
                .map(Manifest::version)
                .orElse(-1L);
        if (current < 0 && emptied) {
            versions.stream()
                    .flatMap(version -> version.segments().stream())
                    .map(Place::of)
                    .distinct()
                    .forEach(place -> tier.storages().open(place.storage()).delete(place.manifest()));
        }
        List<Manifest> expired = new ArrayList<>();
        Set<Segment> needed = new HashSet<>();
        for (int i = 0; i < versions.size(); i++) {
            Manifest version = versions.get(i);
            Instant replaced = i + 1 < versions.size() ? versions.get(i + 1).updatedAt() : ended(version);
            boolean over = version.version() != current && replaced.isBefore(before) && !isRead(version);
            if (over) {
                expired.add(version);
            } else {
                needed.addAll(version.segments());
            }
        }
        Set<Segment> gone = new HashSet<>();
        expired.forEach(version -> gone.addAll(version.segments()));
        gone.removeAll(needed);
        gone.forEach(this::delete);
        forget(expired);
    }

    /** When the last version of a scope ended that is not the present one: the table was emptied. */
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

    /** The files are gone first: a crash in between leaves versions that the next run finds again. */
    private void forget(List<Manifest> versions) {
        Batch batch = new Batch();
        for (Manifest version : versions) {
            tier.manifests().deleteVersion(batch, version);
            if (batch.size() >= BATCH_ROWS) {
                tier.store().commit(batch);
                batch.clear();
            }
        }
        if (!batch.isEmpty()) {
            tier.store().commit(batch).awaitDurable();
        }
    }

    /** What an interrupted flush or compaction left: files that no manifest knows, manifests that the store does not. */
    void reconcile(SqlTable table) {
        int id = table.table().id();
        Set<Long> known = new HashSet<>();
        try (Manifests.Walk history = tier.manifests().historyWalk(tier.store(), id)) {
            while (history.next()) {
                history.manifest().segments().forEach(segment -> known.add(segment.id()));
            }
        }
        Published published =
                new Published(tier, table, tier.cold(table).emptied.get());
        Set<String> manifests = new HashSet<>();
        StorageDef def = tier.storages().require(Published.storageOf(table.def()));
        tier.manifests().forEach(tier.store(), id, manifest -> {
            progress.check();
            published.restore(manifest);
            manifests.add(StoragePaths.directory(def, table.def(), manifest.scope()) + "/manifest.json");
        });
        Storage storage = tier.storages().open(def.id());
        storage.settle();
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

        /** That of the whole table. */
        Place ofTable(boolean ofUsers) {
            return ofUsers ? new Place(storage, parent(directory)) : this;
        }
    }

    /**
     * All files of a table that was dropped, on every storage that it ever used. What the store knows of them goes last, so
     * that an interrupted run finds all of them again.
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

    /** Before the first file goes: a query opens some of its files only when their turn comes. */
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

    /** Schemas, and what no manifest knew. */
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
        Batch batch = new Batch();
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
