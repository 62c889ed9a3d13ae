package io.polytable.server.auth;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.KeySourceException;
import com.nimbusds.jose.jwk.source.JWKSourceBuilder;
import com.nimbusds.jose.proc.BadJOSEException;
import com.nimbusds.jose.proc.DefaultJOSEObjectTypeVerifier;
import com.nimbusds.jose.proc.JWSVerificationKeySelector;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jose.util.DefaultResourceRetriever;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.proc.DefaultJWTProcessor;
import io.polytable.frontend.session.FailureLog;
import java.text.ParseException;
import java.time.InstantSource;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The tokens of an outside issuer, signed with RS256 or ES256 by a key of its set. The set is fetched when it is first needed,
 * kept for minutes, and fetched again for a key that it does not have, though rarely: anybody can name unknown keys.
 */
final class OutsideTokens {
    private static final int FETCH_MILLIS_MAX = 2000;
    private static final int KEYS_BYTES_MAX = 256 << 10;
    private static final long KEPT_MILLIS = 300_000;
    private static final long FETCH_EVERY_MILLIS_MIN = 10_000;

    private static final Logger LOG = LoggerFactory.getLogger(OutsideTokens.class);

    /** What is logged. */
    private enum Failure {
        NO_KEYS
    }

    private final DefaultJWTProcessor<SecurityContext> processor = new DefaultJWTProcessor<>();
    private final String userClaim;

    OutsideTokens(Issuer issuer, InstantSource clock) {
        userClaim = issuer.userClaim();
        processor.setJWSTypeVerifier(
                new DefaultJOSEObjectTypeVerifier<>(JOSEObjectType.JWT, new JOSEObjectType("at+jwt"), null));
        processor.setJWSKeySelector(new JWSVerificationKeySelector<>(
                Set.of(JWSAlgorithm.RS256, JWSAlgorithm.ES256),
                JWKSourceBuilder.create(
                                issuer.keys(),
                                new DefaultResourceRetriever(FETCH_MILLIS_MAX, FETCH_MILLIS_MAX, KEYS_BYTES_MAX))
                        .cache(KEPT_MILLIS, FETCH_MILLIS_MAX * 2L)
                        .refreshAheadCache(false)
                        .rateLimited(FETCH_EVERY_MILLIS_MIN)
                        .build()));
        processor.setJWTClaimsSetVerifier(new ClaimsAt(
                clock,
                Set.of(issuer.audience()),
                new JWTClaimsSet.Builder().issuer(issuer.name()).build(),
                Set.of("exp", userClaim)));
    }

    /** The name of the token's user; empty unless the token is valid now. */
    Optional<String> user(String token) {
        try {
            return Optional.ofNullable(processor.process(token, null).getStringClaim(userClaim));
        } catch (KeySourceException unavailable) {
            FailureLog.report(LOG, "reading auth.issuer.keys", Failure.NO_KEYS, unavailable);
            return Optional.empty();
        } catch (ParseException | BadJOSEException | JOSEException invalid) {
            return Optional.empty();
        }
    }
}
