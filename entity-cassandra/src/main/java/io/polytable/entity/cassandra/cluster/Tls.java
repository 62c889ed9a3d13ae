package io.polytable.entity.cassandra.cluster;

import com.datastax.oss.driver.api.core.ssl.ProgrammaticSslEngineFactory;
import com.datastax.oss.driver.api.core.ssl.SslEngineFactory;
import io.polytable.entity.model.EntityError;
import io.polytable.entity.model.EntityException;
import io.polytable.entity.uri.EntityUri;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Map;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * TLS as a URI's options ask for it: {@code tls=true} trusts what Java trusts, {@code truststore=FILE} the certificates in a
 * PKCS12 file with the password {@code truststore.password}. The node's certificate must name its host, unless {@code
 * tls.verify=false}.
 */
final class Tls {
    private Tls() {}

    static boolean isWanted(EntityUri uri) {
        return uri.flag("tls", false);
    }

    static SslEngineFactory of(EntityUri uri) {
        boolean verifies = uri.flag("tls.verify", true);
        Map<String, String> options = uri.options();
        String file = options.getOrDefault("truststore", "");
        try {
            SSLContext context = file.isEmpty()
                    ? SSLContext.getDefault()
                    : trusting(Path.of(file), options.getOrDefault("truststore.password", ""));
            return new ProgrammaticSslEngineFactory(context, null, verifies);
        } catch (GeneralSecurityException | IOException e) {
            throw new EntityException(
                    EntityError.BAD_URI,
                    "The certificates to trust cannot be read",
                    Map.of("truststore", file, "reason", String.valueOf(e.getMessage())),
                    e);
        }
    }

    private static SSLContext trusting(Path file, String password) throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(file)) {
            store.load(in, password.toCharArray());
        }
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(store);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        return context;
    }
}
