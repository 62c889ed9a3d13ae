package io.polytable.server.auth;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.proc.BadJOSEException;
import com.nimbusds.jose.proc.DefaultJOSEObjectTypeVerifier;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import com.nimbusds.jwt.proc.DefaultJWTProcessor;
import java.text.ParseException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Date;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The tokens of our own logins: JSON Web Tokens, signed with HS256 by a secret that only this store has. */
final class OwnTokens {
    private static final String ISSUER = "polytable";
    private static final String LOGIN = "sid";
    private static final String GENERATION = "gen";

    private final SigningKeys keys;
    private final InstantSource clock;

    /** What a token is for. The type in its header keeps one from being used as the other. */
    enum Use {
        ACCESS("at+jwt"),
        REFRESH("rt+jwt");

        private final String type;

        Use(String type) {
            this.type = type;
        }

        JOSEObjectType type() {
            return new JOSEObjectType(type);
        }
    }

    /** What a token says. */
    record Claims(String user, String login, long generation) {}

    OwnTokens(SigningKeys keys, InstantSource clock) {
        this.keys = keys;
        this.clock = clock;
    }

    String issue(Use use, Login login, Duration lasts) {
        SigningKeys.Signing key = keys.current();
        JWSHeader header = new JWSHeader.Builder(JWSAlgorithm.HS256)
                .type(use.type())
                .keyID(key.id())
                .build();
        Date now = Date.from(clock.instant());
        JWTClaimsSet claims = new JWTClaimsSet.Builder()
                .issuer(ISSUER)
                .subject(login.user())
                .claim(LOGIN, login.id())
                .claim(GENERATION, login.generation())
                .issueTime(now)
                .notBeforeTime(now)
                .expirationTime(Date.from(clock.instant().plus(lasts)))
                .build();
        SignedJWT token = new SignedJWT(header, claims);
        try {
            token.sign(new MACSigner(key.secret()));
        } catch (JOSEException impossible) {
            throw new IllegalStateException("A key of 32 bytes signs", impossible);
        }
        return token.serialize();
    }

    /** Empty unless the token is one of ours, for this use, and valid now. */
    Optional<Claims> read(Use use, String token) {
        DefaultJWTProcessor<SecurityContext> processor = new DefaultJWTProcessor<>();
        processor.setJWSTypeVerifier(new DefaultJOSEObjectTypeVerifier<>(use.type()));
        processor.setJWSKeySelector(
                (header, context) -> header.getAlgorithm().equals(JWSAlgorithm.HS256) && header.getKeyID() != null
                        ? keys.named(header.getKeyID())
                        : List.of());
        processor.setJWTClaimsSetVerifier(new ClaimsAt(
                clock,
                Set.of(),
                new JWTClaimsSet.Builder().issuer(ISSUER).build(),
                Set.of("sub", "exp", LOGIN, GENERATION)));
        try {
            JWTClaimsSet claims = processor.process(token, null);
            return Optional.of(
                    new Claims(claims.getSubject(), claims.getStringClaim(LOGIN), claims.getLongClaim(GENERATION)));
        } catch (ParseException | BadJOSEException | JOSEException invalid) {
            return Optional.empty();
        }
    }
}
