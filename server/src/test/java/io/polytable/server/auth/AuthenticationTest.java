package io.polytable.server.auth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSSigner;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.PlainJWT;
import com.nimbusds.jwt.SignedJWT;
import com.sun.net.httpserver.HttpServer;
import io.polytable.frontend.session.Principal;
import io.polytable.frontend.session.Sessions;
import io.polytable.frontend.user.Actor;
import io.polytable.frontend.user.Users;
import io.polytable.table.testkit.MemoryStore;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.text.ParseException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Date;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Which tokens are believed. Whatever is wrong with one, it is nobody's. */
class AuthenticationTest {
    private static final String ISSUER = "https://issuer.example";
    private static final String AUDIENCE = "polytable";
    private static final Authentication.Lifetimes LIFETIMES =
            new Authentication.Lifetimes(Duration.ofMinutes(15), Duration.ofDays(7), Duration.ofDays(30));

    private static final Actor ANN = new Actor("ann", "http", "");

    private final MemoryStore store = new MemoryStore();
    private Instant now = Instant.parse("2026-01-01T00:00:00Z");
    private final InstantSource clock = () -> now;
    private final Users users = Users.open(store, new Sessions(), clock);

    @SuppressWarnings("NullAway.Init") // before each test
    private HttpServer issuer;

    @SuppressWarnings("NullAway.Init") // before each test
    private RSAKey rsa;

    @SuppressWarnings("NullAway.Init") // before each test
    private ECKey elliptic;

    @SuppressWarnings("NullAway.Init") // before each test
    private Authentication authentication;

    @BeforeEach
    void issuer() throws IOException, JOSEException {
        users.change("ann", user -> user.withEnabled(true));
        rsa = new RSAKeyGenerator(2048).keyID("r").generate();
        elliptic = new ECKeyGenerator(Curve.P_256).keyID("e").generate();
        byte[] keys = new JWKSet(List.of(rsa, elliptic)).toString().getBytes(StandardCharsets.UTF_8);
        issuer = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        issuer.createContext("/keys", call -> {
            call.sendResponseHeaders(200, keys.length);
            call.getResponseBody().write(keys);
            call.close();
        });
        issuer.start();
        authentication = authentication();
    }

    private Authentication authentication() throws IOException {
        URI keys = URI.create("http://127.0.0.1:" + issuer.getAddress().getPort() + "/keys");
        return new Authentication(
                store,
                users,
                "admin"::equals,
                LIFETIMES,
                Optional.of(new Issuer(keys.toURL(), ISSUER, AUDIENCE, "sub")),
                clock);
    }

    @AfterEach
    void close() {
        issuer.stop(0);
        store.close();
    }

    private Optional<String> who(String token) {
        return authentication.principal(token).map(Principal::name);
    }

    private String access() {
        return login().access();
    }

    private Authentication.Issued login() {
        return authentication.login(users.find("ann").orElseThrow()).orElseThrow();
    }

    /** A token of the issuer for Ann, with this change. */
    private String outside(
            JWSAlgorithm algorithm, String keyId, JWSSigner signer, Consumer<JWTClaimsSet.Builder> change)
            throws JOSEException {
        JWTClaimsSet.Builder claims = new JWTClaimsSet.Builder()
                .issuer(ISSUER)
                .audience(AUDIENCE)
                .subject("ann")
                .expirationTime(Date.from(now.plusSeconds(600)));
        change.accept(claims);
        SignedJWT token =
                new SignedJWT(new JWSHeader.Builder(algorithm).keyID(keyId).build(), claims.build());
        token.sign(signer);
        return token.serialize();
    }

    private String signed(Consumer<JWTClaimsSet.Builder> change) throws JOSEException {
        return outside(JWSAlgorithm.RS256, "r", new RSASSASigner(rsa), change);
    }

    @Test
    void ownTokensAreGoodUntilTheyExpire() {
        String token = access();
        assertThat(who(token)).contains("ann");
        now = now.plus(Duration.ofMinutes(15)).plusSeconds(59);
        assertThat(who(token)).as("clocks differ by up to a minute").contains("ann");
        now = now.plusSeconds(2);
        assertThat(who(token)).isEmpty();
    }

    @Test
    void ownTokensSurviveARestartAndARotation() throws IOException {
        now = now.plusMillis(1);
        String before = access();
        authentication = authentication();
        assertThat(who(before)).contains("ann");
        Authentication.Issued login = login();
        now = now.plus(Duration.ofDays(6));
        login = authentication.refresh(login.refresh(), "").orElseThrow();
        now = now.plus(Duration.ofDays(25));
        assertThat(authentication.refresh(login.refresh(), ""))
                .as("a week is over")
                .isEmpty();
        String key = keyOf(before);
        String after = access();
        assertThat(keyOf(after)).as("the key was old").isNotEqualTo(key);
        assertThat(who(after)).contains("ann");
    }

    private static String keyOf(String token) {
        try {
            return SignedJWT.parse(token).getHeader().getKeyID();
        } catch (ParseException malformed) {
            throw new IllegalArgumentException(malformed);
        }
    }

    @Test
    void forgedOwnTokensAreNobodys() throws ParseException, JOSEException {
        SignedJWT good = SignedJWT.parse(access());
        JWTClaimsSet claims = good.getJWTClaimsSet();
        byte[] guess = new byte[32];
        assertThat(who(new PlainJWT(claims).serialize())).as("alg none").isEmpty();
        assertThat(who(signed(good.getHeader(), claims, new MACSigner(guess))))
                .as("another secret")
                .isEmpty();
        assertThat(who(good.serialize().substring(0, good.serialize().lastIndexOf('.') + 1)))
                .as("no signature")
                .isEmpty();
        JWSHeader unknown = new JWSHeader.Builder(JWSAlgorithm.HS256)
                .type(new JOSEObjectType("at+jwt"))
                .keyID("unknown")
                .build();
        assertThat(who(signed(unknown, claims, new MACSigner(guess)))).isEmpty();
        JWSHeader publicKeyAsSecret = new JWSHeader.Builder(JWSAlgorithm.HS256)
                .type(new JOSEObjectType("at+jwt"))
                .keyID("r")
                .build();
        assertThat(who(signed(
                        publicKeyAsSecret,
                        claims,
                        new MACSigner(rsa.toPublicKey().getEncoded()))))
                .as("the issuer's public key as a secret")
                .isEmpty();
    }

    private static String signed(JWSHeader header, JWTClaimsSet claims, JWSSigner signer) throws JOSEException {
        SignedJWT token = new SignedJWT(header, claims);
        token.sign(signer);
        return token.serialize();
    }

    @Test
    void anIssuersTokensAreItsUsers() throws JOSEException {
        assertThat(who(signed(claims -> {}))).contains("ann");
        assertThat(who(outside(JWSAlgorithm.ES256, "e", new ECDSASigner(elliptic), claims -> {})))
                .contains("ann");
        users.lock(Actor.SERVER, "ann");
        assertThat(who(signed(claims -> {}))).as("a locked user").isEmpty();
    }

    @Test
    void whateverIsWrongWithAnIssuersTokenItIsNobodys() throws JOSEException {
        assertThat(who(signed(claims -> claims.subject("eve"))))
                .as("unknown user")
                .isEmpty();
        assertThat(who(signed(claims -> claims.subject("default"))))
                .as("the default user")
                .isEmpty();
        assertThat(who(signed(claims -> claims.subject("root")))).isEmpty();
        assertThat(who(signed(claims -> claims.subject(null)))).as("no user").isEmpty();
        assertThat(who(signed(claims -> claims.audience("elsewhere"))))
                .as("aud")
                .isEmpty();
        assertThat(who(signed(claims -> claims.audience((String) null))))
                .as("no aud")
                .isEmpty();
        assertThat(who(signed(claims -> claims.issuer("https://evil.example"))))
                .as("iss")
                .isEmpty();
        assertThat(who(signed(claims -> claims.issuer("polytable"))))
                .as("our name")
                .isEmpty();
        assertThat(who(signed(claims -> claims.expirationTime(null))))
                .as("no exp")
                .isEmpty();
        assertThat(who(signed(claims -> claims.expirationTime(Date.from(now.minusSeconds(61))))))
                .as("exp")
                .isEmpty();
        assertThat(who(signed(claims -> claims.notBeforeTime(Date.from(now.plusSeconds(61))))))
                .as("nbf")
                .isEmpty();
        RSAKey other = new RSAKeyGenerator(2048).keyID("r").generate();
        assertThat(who(outside(JWSAlgorithm.RS256, "r", new RSASSASigner(other), claims -> {})))
                .as("another key of that name")
                .isEmpty();
        assertThat(who(outside(JWSAlgorithm.RS256, "unknown", new RSASSASigner(rsa), claims -> {})))
                .as("a key that the set does not have")
                .isEmpty();
        assertThat(who(outside(JWSAlgorithm.RS512, "r", new RSASSASigner(rsa), claims -> {})))
                .as("another algorithm")
                .isEmpty();
        assertThat(who(outside(
                        JWSAlgorithm.HS256, "r", new MACSigner(rsa.toPublicKey().getEncoded()), claims -> {})))
                .as("the public key as a secret")
                .isEmpty();
        assertThat(who(signed(claims -> claims.claim("x", "y".repeat(Authentication.TOKEN_CHARS_MAX)))))
                .as("too long")
                .isEmpty();
    }

    @Test
    void anIssuerThatIsGoneLeavesOwnTokensGood() throws JOSEException {
        issuer.stop(0);
        assertThat(who(signed(claims -> {}))).isEmpty();
        assertThat(who(access())).contains("ann");
        assertThat(who("admin")).contains("root");
    }

    @Test
    void loginsAndTokensAreBounded() {
        String first = access();
        for (int i = 1; i < Logins.LOGINS_PER_USER_MAX; i++) {
            access();
        }
        assertThat(who(first)).contains("ann");
        access();
        assertThat(who(first)).as("the oldest makes room").isEmpty();
        for (int i = 0; i < Logins.TOKENS_PER_USER_MAX; i++) {
            authentication.issueToken(ANN, "ann", "t" + i);
        }
        assertThatThrownBy(() -> authentication.issueToken(ANN, "ann", "one more"))
                .isInstanceOf(Logins.TooManyException.class);
    }
}
