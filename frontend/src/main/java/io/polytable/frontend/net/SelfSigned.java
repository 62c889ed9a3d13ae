package io.polytable.frontend.net;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * A certificate for a trial, issued by itself: clients must be given it. The JDK has no public API that makes
 * certificates, so its {@code keytool} does.
 */
public final class SelfSigned {
    private static final String ALIAS = "polytable";
    private static final int DAYS = 365;
    private static final int LINE = 64;
    private static final long KEYTOOL_SECONDS_MAX = 60;

    private SelfSigned() {}

    /**
     * Writes {@code certificate.pem} and {@code key.pem} into a directory, which is created if missing.
     *
     * @param hosts the names and addresses that clients connect to
     * @throws FileAlreadyExistsException if one of the files is there
     */
    public static Tls.Identity write(Path directory, List<String> hosts) throws IOException {
        Files.createDirectories(directory);
        Path certificate = directory.resolve("certificate.pem");
        Path key = directory.resolve("key.pem");
        for (Path file : List.of(certificate, key)) {
            if (Files.exists(file)) {
                throw new FileAlreadyExistsException(file.toString());
            }
        }
        Path work = Files.createTempDirectory(directory, ".keytool");
        Path store = work.resolve("store.p12");
        // It protects a file that exists for a moment, and passes in the environment: arguments are visible to
        // everyone.
        String password = HexFormat.of().formatHex(new SecureRandom().generateSeed(16));
        try {
            generate(store, password, hosts);
            KeyStore keys = KeyStore.getInstance("PKCS12");
            try (InputStream in = Files.newInputStream(store)) {
                keys.load(in, password.toCharArray());
            }
            create(
                    key,
                    pem(
                            "PRIVATE KEY",
                            keys.getKey(ALIAS, password.toCharArray()).getEncoded()),
                    "rw-------");
            create(certificate, pem("CERTIFICATE", keys.getCertificate(ALIAS).getEncoded()), "rw-r--r--");
        } catch (GeneralSecurityException e) {
            throw new IOException("The certificate cannot be read", e);
        } finally {
            Files.deleteIfExists(store);
            Files.deleteIfExists(work);
        }
        return new Tls.Identity(certificate, key, Optional.empty(), Tls.Clients.NONE);
    }

    private static void create(Path file, String text, String permissions) throws IOException {
        Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions)));
        Files.writeString(file, text);
    }

    private static void generate(Path store, String password, List<String> hosts) throws IOException {
        String names = hosts.stream()
                .map(host -> (isAddress(host) ? "ip:" : "dns:") + host)
                .collect(Collectors.joining(","));
        List<String> words = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                ALIAS,
                "-keyalg",
                "EC",
                "-groupname",
                "secp256r1",
                "-dname",
                "CN=" + hosts.get(0),
                "-validity",
                Integer.toString(DAYS)));
        words.addAll(List.of("-ext", "SAN=" + names, "-storetype", "PKCS12"));
        words.addAll(List.of("-keystore", store.toString(), "-storepass:env", "STORE_PASSWORD"));
        ProcessBuilder builder = new ProcessBuilder(words).redirectErrorStream(true);
        builder.environment().put("STORE_PASSWORD", password);
        Process keytool = builder.start();
        try {
            keytool.getOutputStream().close();
            String said = new String(keytool.getInputStream().readAllBytes(), US_ASCII);
            if (!keytool.waitFor(KEYTOOL_SECONDS_MAX, TimeUnit.SECONDS) || keytool.exitValue() != 0) {
                throw new IOException("keytool failed: " + said.strip());
            }
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
            throw new IOException("Interrupted", stopping);
        } finally {
            keytool.destroyForcibly();
        }
    }

    private static boolean isAddress(String host) {
        return host.indexOf(':') >= 0 || host.chars().allMatch(c -> c == '.' || Character.digit(c, 10) >= 0);
    }

    private static String pem(String kind, byte[] bytes) {
        String text = Base64.getMimeEncoder(LINE, new byte[] {'\n'}).encodeToString(bytes);
        return "-----BEGIN " + kind + "-----\n" + text + "\n-----END " + kind + "-----\n";
    }
}
