package io.polytable.server.run;

import io.polytable.frontend.Progress;
import io.polytable.frontend.http.HttpMethod;
import io.polytable.frontend.http.HttpReply;
import io.polytable.frontend.http.HttpRequest;
import io.polytable.frontend.http.ReplyStream;
import io.polytable.frontend.http.Route;
import io.polytable.server.http.AdminPaths;
import io.polytable.server.http.AdminToken;
import io.polytable.table.StoreException;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The routes by which a command imports or exports an RDB file, or imports from a Redis, while the server runs. The reply is one line a step,
 * {@code at DONE TOTAL}, and at last {@code done SENTENCE} or {@code refused SENTENCE}. A command that ends early ends
 * the work.
 */
final class RdbRoutes {
    /** Progress in smaller steps is not sent. */
    private static final int STEPS = 400;

    private final AdminToken token;
    private final Path directory;
    private final Supplier<Optional<RdbTransfer>> transfer;

    /**
     * @param directory the data directory
     * @param transfer of the running Redis frontend, if there is one
     */
    RdbRoutes(AdminToken token, Path directory, Supplier<Optional<RdbTransfer>> transfer) {
        this.token = token;
        this.directory = directory;
        this.transfer = transfer;
    }

    /** What one of the routes does. */
    private interface Work {
        String run(RdbTransfer rdb, Progress progress);
    }

    List<Route> routes() {
        return List.of(
                Route.streamed(
                        HttpMethod.POST,
                        AdminPaths.RDB_IMPORT,
                        (call, reply) -> run(call, reply, file(call).map(file -> importer(call, file)))),
                Route.streamed(
                        HttpMethod.POST,
                        AdminPaths.RDB_EXPORT,
                        (call, reply) -> run(
                                call, reply, file(call).map(file -> (rdb, progress) -> rdb.exportTo(file, progress)))),
                Route.streamed(HttpMethod.POST, AdminPaths.LIVE_IMPORT, (call, reply) -> run(call, reply, live(call))));
    }

    private static Optional<Path> file(HttpRequest call) {
        return call.parameter(AdminPaths.FILE).flatMap(RdbRoutes::absolute);
    }

    private Optional<Work> live(HttpRequest call) {
        Optional<RdbTransfer.LiveMode> mode = Arrays.stream(RdbTransfer.LiveMode.values())
                .filter(each -> call.parameter(AdminPaths.MODE)
                        .filter(each.name().toLowerCase(Locale.ROOT)::equals)
                        .isPresent())
                .findFirst();
        Path notes = directory.resolve("import-redis.notes");
        return mode.flatMap(wanted -> call.parameter(AdminPaths.SOURCE)
                .map(source -> (rdb, progress) ->
                        rdb.importLive(RdbTransfer.LiveSource.parse(source), wanted, notes, progress)));
    }

    private Work importer(HttpRequest call, Path file) {
        RdbTransfer.ImportOptions options = new RdbTransfer.ImportOptions(
                call.parameter(AdminPaths.SKIP_FUNCTIONS).filter("true"::equals).isPresent(),
                call.parameter(AdminPaths.RESTART).filter("true"::equals).isPresent());
        return (rdb, progress) -> rdb.importFrom(file, RdbTransfer.notes(directory), options, progress);
    }

    private void run(HttpRequest call, ReplyStream reply, Optional<Work> work) {
        if (!token.isHeader(call.authorization())) {
            refuse(reply, HttpReply.plain(401, "The admin endpoint needs the token from the data directory"));
            return;
        }
        Optional<RdbTransfer> rdb = transfer.get();
        if (rdb.isEmpty()) {
            refuse(reply, HttpReply.plain(503, "The Redis protocol does not run on this server"));
        } else if (work.isEmpty()) {
            refuse(reply, HttpReply.plain(400, "The file must be an absolute path, and the mode a known one"));
        } else {
            stream(reply, rdb.get(), work.get());
        }
    }

    private static Optional<Path> absolute(String text) {
        try {
            return Optional.of(Path.of(text)).filter(Path::isAbsolute);
        } catch (InvalidPathException invalid) {
            return Optional.empty();
        }
    }

    private static void refuse(ReplyStream reply, HttpReply refusal) {
        reply.whole(refusal.status(), refusal.contentType(), refusal.text().getBytes(StandardCharsets.UTF_8));
    }

    private static void stream(ReplyStream reply, RdbTransfer rdb, Work work) {
        try (rdb;
                OutputStream out = reply.begin(200, HttpReply.PLAIN)) {
            String last;
            try {
                last = "done " + work.run(rdb, new SentProgress(out));
            } catch (RefusedException | StoreException refused) {
                last = "refused " + refused.getMessage();
            }
            line(out, last);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static void line(OutputStream out, String text) {
        try {
            out.write((text.replace('\n', ' ') + "\n").getBytes(StandardCharsets.UTF_8));
            out.flush();
        } catch (IOException gone) {
            throw new UncheckedIOException(gone);
        }
    }

    /** Sends progress, at most so many times. */
    private static final class SentProgress implements Progress {
        private final OutputStream out;
        private long sent = -1;

        SentProgress(OutputStream out) {
            this.out = out;
        }

        @Override
        public void at(long done, long total) {
            long step = total <= 0 ? 0 : (long) ((double) done / total * STEPS);
            if (step != sent) {
                sent = step;
                line(out, "at " + done + " " + total);
            }
        }
    }
}
