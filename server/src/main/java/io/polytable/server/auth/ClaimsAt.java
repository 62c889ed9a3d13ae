package io.polytable.server.auth;

import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.proc.DefaultJWTClaimsVerifier;
import java.time.InstantSource;
import java.util.Date;
import java.util.HashSet;
import java.util.Set;

/** Verifies the claims of a token at the time of a clock. */
final class ClaimsAt extends DefaultJWTClaimsVerifier<SecurityContext> {
    private final InstantSource clock;

    /**
     * Creates the check.
     *
     * @param audiences of which the token must name one; empty for any
     * @param exact claims that the token must have with these values
     * @param required claims that the token must have
     */
    ClaimsAt(InstantSource clock, Set<String> audiences, JWTClaimsSet exact, Set<String> required) {
        // A set that can be asked for null, as the library does.
        super(audiences.isEmpty() ? null : new HashSet<>(audiences), exact, required, null);
        this.clock = clock;
    }

    @Override
    protected Date currentTime() {
        return Date.from(clock.instant());
    }
}
