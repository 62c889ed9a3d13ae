package io.polytable.server.assembly;

import io.polytable.frontend.Findings;
import io.polytable.frontend.work.Together;
import io.polytable.server.run.NamedFiles;
import io.polytable.sql.tier.StoredFiles;
import io.polytable.sql.tier.manifest.Segment;
import io.polytable.sql.tier.storage.FileStatus;
import io.polytable.sql.tier.storage.StorageFailure;
import io.polytable.store.backup.AttachedFile;
import io.polytable.store.backup.AttachedFile.Source;
import io.polytable.store.backup.Attachments;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;

/** The files of flushed rows, as attachments of a backup and as part of a check. */
final class SqlFiles implements NamedFiles {
    /** Each request to an object storage waits for the network, and there is one per file. */
    private static final int REQUESTS_AT_ONCE = 16;

    private final StoredFiles files;

    SqlFiles(StoredFiles files) {
        this.files = files;
    }

    @Override
    public Attachments attachments() {
        return capture -> new HeldFiles(files.capture(capture));
    }

    private final class HeldFiles implements Attachments.Held {
        private final StoredFiles.Captured captured;

        HeldFiles(StoredFiles.Captured captured) {
            this.captured = captured;
        }

        @Override
        public List<AttachedFile> files() {
            List<AttachedFile> all = new ArrayList<>();
            List<StoredFiles.Named> remotes = new ArrayList<>();
            for (StoredFiles.Named file : captured.files()) {
                if (file.local().isPresent()) {
                    all.add(attached(file, new Source.Local(file.local().get())));
                } else {
                    remotes.add(file);
                }
            }
            for (StoredFiles.Listing listing : captured.listings()) {
                all.add(new AttachedFile(
                        listing.storage(),
                        listing.path(),
                        listing.text().getBytes(StandardCharsets.UTF_8).length,
                        Optional.empty(),
                        new Source.Text(listing.text())));
            }
            all.addAll(described(remotes));
            return all;
        }

        @Override
        public Map<String, Path> bases() {
            return captured.bases();
        }

        @Override
        public void close() {
            captured.close();
        }
    }

    private static AttachedFile attached(StoredFiles.Named file, Source source) {
        Segment segment = file.segment();
        return new AttachedFile(segment.storage(), segment.path(), segment.bytes(), segment.sha256(), source);
    }

    private List<AttachedFile> described(List<StoredFiles.Named> remotes) {
        if (remotes.isEmpty()) {
            return List.of();
        }
        List<Callable<Source.Remote>> requests = new ArrayList<>();
        remotes.forEach(file -> requests.add(() -> described(file)));
        List<Together.Outcome<Source.Remote>> answers = Together.run("backup-remote", REQUESTS_AT_ONCE, requests);
        List<AttachedFile> described = new ArrayList<>();
        for (int i = 0; i < remotes.size(); i++) {
            Together.Outcome<Source.Remote> answer = answers.get(i);
            described.add(attached(
                    remotes.get(i),
                    answer.result()
                            .orElseThrow(() -> new IllegalStateException(
                                    "The backup failed", answer.failure().orElseThrow()))));
        }
        return described;
    }

    /** A storage that does not answer is no reason to have no backup of everything else. */
    private Source.Remote described(StoredFiles.Named file) {
        String name = file.segment().path() + " of storage " + file.segment().storage();
        try {
            Optional<FileStatus> status = files.status(file);
            if (status.isPresent() || !file.isCurrent()) {
                return new Source.Remote(
                        status.flatMap(FileStatus::etag), status.flatMap(FileStatus::version), Optional.empty());
            }
            return unknown("Missing: " + name);
        } catch (StorageFailure unreachable) {
            return unknown("Not verified: " + name + ": " + unreachable.getMessage());
        }
    }

    private static Source.Remote unknown(String problem) {
        return new Source.Remote(Optional.empty(), Optional.empty(), Optional.of(problem));
    }

    @Override
    public Findings check(boolean deep) {
        StoredFiles.Checked checked = files.check(deep);
        String how = deep ? "Read all of " : "Checked the footers of ";
        return new Findings(how + checked.files() + " files of flushed rows", checked.problems());
    }

    @Override
    public Path deleted(Path base, String path) {
        return StoredFiles.deleted(base, path);
    }

    @Override
    public void close() {
        files.close();
    }
}
