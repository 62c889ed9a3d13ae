package io.polytable.frontend.user;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HexFormat;

/** What verifies a password without holding it. Passwords are bytes: not every protocol has an encoding for them. */
public sealed interface Secret {
    /** Whether this is the password. Takes the same time for every wrong one. */
    boolean accepts(byte[] password);

    /** The form on disk: the name of the algorithm, a colon, the rest. */
    String text();

    /** A secret without salt, as Redis' ACL rules give and show it; 64 hexadecimal digits in lower case. */
    record Sha256(String hex) implements Secret {
        private static final String PREFIX = "sha-256:";
        private static final int DIGITS = 64;

        public Sha256 {
            if (hex.length() != DIGITS || !hex.chars().allMatch(Sha256::isDigit)) {
                throw new IllegalArgumentException("not 64 hexadecimal digits in lower case");
            }
        }

        public static Sha256 of(byte[] password) {
            return new Sha256(HexFormat.of().formatHex(Digests.sha256(password)));
        }

        private static boolean isDigit(int each) {
            return (each >= '0' && each <= '9') || (each >= 'a' && each <= 'f');
        }

        @Override
        public boolean accepts(byte[] password) {
            return MessageDigest.isEqual(
                    Digests.sha256(password), HexFormat.of().parseHex(hex));
        }

        @Override
        public String text() {
            return PREFIX + hex;
        }
    }

    /**
     * A salted and iterated secret: the verifier of SCRAM-SHA-256 (RFC 5802, RFC 7677), which PostgreSQL stores too. It
     * verifies a password in plain text, and serves the exchange in which the password is never sent.
     */
    record Scram(int iterations, String salt, String storedKey, String serverKey) implements Secret {
        private static final String PREFIX = "scram-sha-256:";
        private static final int ITERATIONS = 4096;
        private static final int ITERATIONS_MAX = 1_000_000;
        private static final int SALT_BYTES = 16;
        private static final SecureRandom RANDOM = new SecureRandom();

        public Scram {
            if (iterations < 1 || iterations > ITERATIONS_MAX) {
                throw new IllegalArgumentException("iterations out of range");
            }
        }

        public static Scram of(byte[] password) {
            byte[] salt = new byte[SALT_BYTES];
            RANDOM.nextBytes(salt);
            return of(password, salt, ITERATIONS);
        }

        static Scram of(byte[] password, byte[] salt, int iterations) {
            byte[] salted = Digests.iterated(password, salt, iterations);
            byte[] stored = Digests.sha256(Digests.hmac(salted, "Client Key"));
            Base64.Encoder base64 = Base64.getEncoder();
            return new Scram(
                    iterations,
                    base64.encodeToString(salt),
                    base64.encodeToString(stored),
                    base64.encodeToString(Digests.hmac(salted, "Server Key")));
        }

        @Override
        public boolean accepts(byte[] password) {
            Scram given = of(password, Base64.getDecoder().decode(salt), iterations);
            return MessageDigest.isEqual(
                    given.storedKey.getBytes(StandardCharsets.US_ASCII), storedKey.getBytes(StandardCharsets.US_ASCII));
        }

        /** As in PostgreSQL's catalog: {@code 4096:salt$StoredKey:ServerKey}. */
        @Override
        public String text() {
            return PREFIX + iterations + ":" + salt + "$" + storedKey + ":" + serverKey;
        }

        private static Scram parse(String text) {
            String[] parts = text.split("[:$]", -1);
            if (parts.length != 4) {
                throw new IllegalArgumentException("a SCRAM verifier has four parts");
            }
            return new Scram(Integer.parseInt(parts[0]), parts[1], parts[2], parts[3]);
        }
    }

    /**
     * Reads the form on disk.
     *
     * @throws IllegalArgumentException when this version does not know it
     */
    static Secret parse(String text) {
        if (text.startsWith(Sha256.PREFIX)) {
            return new Sha256(text.substring(Sha256.PREFIX.length()));
        }
        if (text.startsWith(Scram.PREFIX)) {
            return Scram.parse(text.substring(Scram.PREFIX.length()));
        }
        throw new IllegalArgumentException("unknown kind of secret");
    }
}
