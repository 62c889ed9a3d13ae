package io.polytable.frontend.user;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Base64;
import org.junit.jupiter.api.Test;

class SecretTest {
    private static byte[] bytes(String text) {
        return text.getBytes(UTF_8);
    }

    @Test
    void acceptsItsPasswordOnly() {
        for (String password : new String[] {"secret", "früher", "", "x".repeat(1000)}) {
            for (Secret secret : new Secret[] {Secret.Sha256.of(bytes(password)), Secret.Scram.of(bytes(password))}) {
                assertThat(secret.accepts(bytes(password))).isTrue();
                assertThat(secret.accepts(bytes(password + "x"))).isFalse();
                assertThat(Secret.parse(secret.text())).isEqualTo(secret);
            }
        }
    }

    @Test
    void isSaltedUnlessRedisShowsIt() {
        assertThat(Secret.Scram.of(bytes("pencil"))).isNotEqualTo(Secret.Scram.of(bytes("pencil")));
        assertThat(Secret.Sha256.of(bytes("pw")).hex())
                .isEqualTo("30c952fab122c3f9759f02a6d95c3758b246b4fee239957b2d4fee46e26170c4");
    }

    /** The exchange of RFC 7677, section 3: its client proof follows from the stored key, its signature from the other. */
    @Test
    void agreesWithTheExampleOfTheStandard() {
        byte[] salt = Base64.getDecoder().decode("W22ZaJ0SNY7soEsUEjb6gQ==");
        Secret.Scram secret = Secret.Scram.of(bytes("pencil"), salt, 4096);
        String message = "n=user,r=rOprNGfwEbeRWgbNEkqO,"
                + "r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096,"
                + "c=biws,r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0";
        byte[] proof = Base64.getDecoder().decode("dHzbZapWIk4jUhN+Ute9ytag9zjfMHgsqmmiz7AndVQ=");
        byte[] signature = Digests.hmac(Base64.getDecoder().decode(secret.storedKey()), message);
        for (int i = 0; i < proof.length; i++) {
            proof[i] ^= signature[i];
        }
        assertThat(Base64.getEncoder().encodeToString(Digests.sha256(proof))).isEqualTo(secret.storedKey());
        byte[] server = Digests.hmac(Base64.getDecoder().decode(secret.serverKey()), message);
        assertThat(Base64.getEncoder().encodeToString(server))
                .isEqualTo("6rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G4=");
    }

    @Test
    void refusesUnknownForms() {
        for (String text : new String[] {"", "md5:x", "sha-256:abc", "scram-sha-256:4096:x", "scram-sha-256:0:a$b:c"}) {
            assertThatThrownBy(() -> Secret.parse(text)).isInstanceOf(IllegalArgumentException.class);
        }
    }
}
