package io.polytable.store.fluss.ownership;

import static org.assertj.core.api.Assertions.assertThat;

import io.polytable.store.fluss.ownership.ModelledOwner.Work;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Logs of version 1 are read: one claim row for all claimants of an epoch, (epoch, 0, 0), and no list of them. */
class Version1Test {
    private static final long OWNER = 77;
    private static final long DELAYED = 88;

    private final LogModel model = new LogModel(new LogModel.Rules(false, false));
    private final ReplayedServer table = ReplayedServer.undisturbed(1, model);
    private final Chain before = Chain.begin(5, Chain.Start.NOTHING, 0);

    /** What an owner of version 1 left behind: a claim, its confirmation, the lease, and a record. */
    @BeforeEach
    void write() {
        claim(OWNER);
        control(LogKey.confirmation(1, OWNER), before.encode());
        control(LogKey.LEASE, new LeaseRecord(1, OWNER, true, 1000).encode());
        RowSpan own = before.next(1, OWNER);
        long offset = table.latestOffset();
        table.write(List.of(new LogRow(own.key(1), offset, 1, 1, 0, 0, 0, new byte[8])));
    }

    private void claim(long owner) {
        control(
                new LogKey(1, 0, 0),
                ByteBuffer.allocate(Long.BYTES).putLong(owner).array());
    }

    private void control(LogKey key, byte[] body) {
        table.write(List.of(LogRow.control(key, table.latestOffset(), body)));
    }

    private void assertRecordIsThere() {
        Chain chain = ModelledOwner.chainOf(model, 2);
        assertThat(chain.incarnation()).isEqualTo(5);
        assertThat(chain.spans()).extracting(RowSpan::owner).contains(OWNER);
        assertThat(chain.end()).isPositive();
    }

    @Test
    void anOwnerIsFoundByItsClaim() {
        control(LogKey.LEASE, new LeaseRecord(0, 0, false, 1000).encode());
        assertRecordIsThere();
    }

    @Test
    void anOwnerThatADelayedClaimHidesIsFoundByItsLease() {
        claim(DELAYED);
        assertRecordIsThere();
    }

    @Test
    void aNewOwnerGoesOnBehindIt() {
        assertThat(new ModelledOwner(ReplayedServer.undisturbed(1, model)).run(List.of(Work.APPEND)))
                .isEmpty();
        assertRecordIsThere();
        assertThat(ModelledOwner.chainOf(model, 2).end()).isEqualTo(2);
    }
}
