package io.polytable.hbase.client;

import io.polytable.cells.RowRange;
import io.polytable.cells.request.ScanRequest;
import io.polytable.cells.request.StepLimit;
import io.polytable.hbase.access.Access;
import io.polytable.hbase.access.GuardedRegion;
import io.polytable.hbase.catalog.Region;
import io.polytable.hbase.convert.Selections;
import io.polytable.hbase.meta.ServedRegions;
import io.polytable.hbase.rpc.Answer;
import io.polytable.hbase.rpc.Call;
import io.polytable.hbase.rpc.Client;
import io.polytable.hbase.rpc.Failures;
import io.polytable.hbase.rpc.Method;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.NotServingRegionException;
import org.apache.hadoop.hbase.UnknownScannerException;
import org.apache.hadoop.hbase.exceptions.OutOfOrderScannerNextException;
import org.apache.hadoop.hbase.exceptions.ScannerResetException;
import org.apache.hadoop.hbase.security.AccessDeniedException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos;

/** The Scan call, which opens, advances, renews and closes scanners. */
public final class ScanCalls {
    private final ServedRegions regions;
    private final Access access;
    private final Scanners scanners;
    private final ClientLimits limits;

    public ScanCalls(ServedRegions regions, Access access, Scanners scanners, ClientLimits limits) {
        this.regions = regions;
        this.access = access;
        this.scanners = scanners;
        this.limits = limits;
    }

    public List<Method<?>> methods() {
        return List.of(Method.async("Scan", ClientProtos.ScanRequest.parser(), this::scan));
    }

    private CompletableFuture<Answer> scan(ClientProtos.ScanRequest request, Call call) throws IOException {
        if (!request.hasScannerId() && !request.hasScan()) {
            throw new DoNotRetryIOException("Missing required input: scannerId or scan");
        }
        return CompletableFuture.completedFuture(
                request.hasScannerId() ? next(request, call) : advance(open(request, call), request, call));
    }

    private OpenScanner open(ClientProtos.ScanRequest request, Call call) throws IOException {
        GuardedRegion guarded = access.region(regions, request.getRegion(), call.client());
        guarded.requireRead();
        Region region = guarded.region();
        ClientProtos.Scan scan = request.getScan();
        RowRange range = region.range().intersection(Selections.range(scan));
        ScanRequest wanted = ScanRequest.of(range, region.checked(Selections.of(scan, region.spec())))
                .withBatchCells(Math.max(0, scan.getBatchSize()));
        ScanRequest directed = scan.getReversed() ? wanted.inReverse() : wanted;
        return scanners.open(
                region, scan, call.client().name(), () -> guarded.reading(1).scan(directed));
    }

    private Answer next(ClientProtos.ScanRequest request, Call call) throws IOException {
        Optional<OpenScanner> found = scanners.find(request.getScannerId());
        if (found.isEmpty()) {
            if (request.getCloseScanner()) {
                return Answer.of(ClientProtos.ScanResponse.getDefaultInstance());
            }
            throw new UnknownScannerException("Unknown scanner '" + request.getScannerId()
                    + "'. This can happen due to any of the following reasons: a) Scanner id given is wrong,"
                    + " b) Scanner lease expired because of long wait between consecutive client checkins, c) Server"
                    + " may be closing down, d) The server restarted.");
        }
        requireOwner(found.get(), call.client());
        return advance(found.get(), request, call);
    }

    /** A permission that was revoked ends open scanners, too. */
    private void requireOwner(OpenScanner scanner, Client client) throws IOException {
        if (!scanner.owner().equals(client.name())) {
            throw new AccessDeniedException("User '" + client.name() + "' is not the scanner owner!");
        }
        access.region(scanner.region(), client).requireRead();
    }

    private Answer advance(OpenScanner scanner, ClientProtos.ScanRequest request, Call call) throws IOException {
        if (!scanner.enter()) {
            throw new OutOfOrderScannerNextException("Scanner " + scanner.id() + " is in use by another call");
        }
        boolean keeps = false;
        Optional<StepLimit> ahead = Optional.empty();
        try {
            requireTurn(scanner, request);
            requireServed(scanner);
            ScanAnswer answer = new ScanAnswer(scanner, request, call, limits);
            if (!request.getRenew()) {
                answer.read();
            }
            keeps = !answer.isLast() && !request.getCloseScanner();
            ahead = keeps ? answer.ahead() : ahead;
            return answer.finish();
        } catch (RuntimeException failed) {
            throw failure(failed);
        } catch (OutOfOrderScannerNextException misplaced) {
            // The client closes this scanner and opens another at its own position.
            keeps = true;
            throw misplaced;
        } finally {
            settle(scanner, keeps);
            ahead.ifPresent(limit -> scanners.ahead().start(scanner, limit, call.workers()));
        }
    }

    private void settle(OpenScanner scanner, boolean keeps) {
        try {
            if (keeps) {
                scanners.renew(scanner);
            } else {
                scanners.close(scanner);
            }
        } finally {
            scanner.leave();
        }
    }

    private static void requireTurn(OpenScanner scanner, ClientProtos.ScanRequest request)
            throws OutOfOrderScannerNextException {
        if (request.hasNextCallSeq() && !scanner.takesTurn(request.getNextCallSeq())) {
            throw new OutOfOrderScannerNextException("Expected nextCallSeq: " + scanner.expectedSequence()
                    + " But the nextCallSeq got from client: " + request.getNextCallSeq());
        }
    }

    private void requireServed(OpenScanner scanner) throws NotServingRegionException {
        if (!regions.serves(scanner.region())) {
            throw new NotServingRegionException(scanner.region().description().getRegionNameAsString() + " is closing");
        }
    }

    /** Passes on permanent errors; after any other failure the client should continue with a new scanner. */
    private static IOException failure(RuntimeException failed) {
        IOException known = Failures.of(failed);
        return known instanceof DoNotRetryIOException
                ? known
                : new ScannerResetException("Scanner is closed on the server-side: " + known.getMessage());
    }
}
