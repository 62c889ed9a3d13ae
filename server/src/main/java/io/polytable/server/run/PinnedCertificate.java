package io.polytable.server.run;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * Trusts the server of a data directory by the certificate that its settings name, whoever issued it: commands on the
 * same machine reach it by an address that is in no certificate.
 */
public final class PinnedCertificate {
    private PinnedCertificate() {}

    /** TLS that accepts the first certificate of the file, and no other. */
    public static SSLContext context(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            Certificate pinned = CertificateFactory.getInstance("X.509").generateCertificate(in);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(new KeyManager[0], new TrustManager[] {new Pin(pinned)}, new SecureRandom());
            return context;
        } catch (GeneralSecurityException e) {
            throw new IOException("The certificate " + file + " cannot be read", e);
        }
    }

    /** An extended trust manager is asked instead of the check of host names. */
    private static final class Pin extends X509ExtendedTrustManager {
        private final Certificate pinned;

        Pin(Certificate pinned) {
            this.pinned = pinned;
        }

        private void requirePinned(X509Certificate... chain) throws CertificateException {
            if (chain.length == 0 || !chain[0].equals(pinned)) {
                throw new CertificateException("the server presents another certificate than its settings name");
            }
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) throws CertificateException {
            requirePinned(chain);
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket)
                throws CertificateException {
            requirePinned(chain);
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine)
                throws CertificateException {
            requirePinned(chain);
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) throws CertificateException {
            throw new CertificateException("not for clients");
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket)
                throws CertificateException {
            throw new CertificateException("not for clients");
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine)
                throws CertificateException {
            throw new CertificateException("not for clients");
        }

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
