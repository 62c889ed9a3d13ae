package io.polytable.entity.cassandra.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.servererrors.InvalidQueryException;
import com.datastax.oss.driver.api.core.servererrors.OverloadedException;
import com.datastax.oss.driver.api.core.servererrors.SyntaxError;
import io.polytable.entity.model.EntityError;
import io.polytable.entity.model.EntityException;
import org.junit.jupiter.api.Test;

/** Permanent errors of Cassandra are not retryable. */
class FailuresTest {
    @SuppressWarnings("NullAway") // the driver's exceptions only keep the node
    private static final Node NODE = null;

    private static EntityError of(DriverException failure) {
        return ((EntityException) Failures.of(failure)).error();
    }

    @Test
    void whatIsRefusedIsNotRetried() {
        assertThat(of(new InvalidQueryException(NODE, "Batch too large"))).isEqualTo(EntityError.TOO_LARGE);
        assertThat(of(new InvalidQueryException(NODE, "Invalid null value in condition for column value")))
                .isEqualTo(EntityError.BAD_REQUEST);
        assertThat(of(new SyntaxError(NODE, "line 1:0 no viable alternative"))).isEqualTo(EntityError.BAD_REQUEST);
    }

    @Test
    void aTableThatIsGoneIsOfAnotherLayout() {
        assertThat(of(new InvalidQueryException(NODE, "unconfigured table t"))).isEqualTo(EntityError.STALE_LAYOUT);
        assertThat(of(new InvalidQueryException(NODE, "Keyspace 'pt_x' does not exist")))
                .isEqualTo(EntityError.STALE_LAYOUT);
        assertThat(of(new OverloadedException(NODE))).isEqualTo(EntityError.STORE_FAILED);
    }
}
