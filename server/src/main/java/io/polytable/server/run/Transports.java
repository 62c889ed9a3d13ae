package io.polytable.server.run;

import io.polytable.frontend.net.Tls;
import io.polytable.frontend.net.Transport;
import io.polytable.frontend.setting.SettingException;
import io.polytable.frontend.setting.Settings;
import io.polytable.server.config.TlsSettings;
import java.nio.file.Path;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What lies between the sockets of the server's ports and their protocols: TLS, or nothing. */
final class Transports {
    private static final Logger LOG = LoggerFactory.getLogger(Transports.class);

    private final Settings settings;
    private final Optional<Tls> tls;

    private Transports(Settings settings, Optional<Tls> tls) {
        this.settings = settings;
        this.tls = tls;
    }

    /** @throws SettingException if the files of TLS cannot be used */
    static Transports of(Settings settings) {
        String certificate = settings.get(TlsSettings.CERTIFICATE);
        String key = settings.get(TlsSettings.KEY);
        String authority = settings.get(TlsSettings.CA);
        if (certificate.isEmpty() != key.isEmpty()) {
            throw new SettingException("tls.certificate and tls.key belong together: set both, or neither");
        }
        if (settings.get(TlsSettings.CLIENTS) != Tls.Clients.NONE && (certificate.isEmpty() || authority.isEmpty())) {
            throw new SettingException("tls.clients needs tls.certificate, tls.key and tls.ca");
        }
        if (certificate.isEmpty()) {
            return new Transports(settings, Optional.empty());
        }
        try {
            Tls.Identity identity = new Tls.Identity(
                    Path.of(certificate),
                    Path.of(key),
                    authority.isEmpty() ? Optional.empty() : Optional.of(Path.of(authority)),
                    settings.get(TlsSettings.CLIENTS));
            return new Transports(settings, Optional.of(Tls.of(identity)));
        } catch (Tls.UnusableException unusable) {
            throw new SettingException("tls.certificate: " + unusable.getMessage());
        }
    }

    /** The handlers beneath those of a protocol. */
    Transport of(String protocol) {
        return tls.map(used -> used.transport(TlsSettings.mode(settings, protocol)))
                .orElse(Transport.PLAIN);
    }

    /** The certificate of a port that takes encrypted connections only. */
    Optional<Path> requiredCertificate(String protocol) {
        return tls.isPresent() && TlsSettings.mode(settings, protocol) == Tls.Mode.REQUIRED
                ? Optional.of(Path.of(settings.get(TlsSettings.CERTIFICATE)))
                : Optional.empty();
    }

    /** Reads the certificate again, for new connections; one that cannot be used leaves the present one in place. */
    void reload() {
        if (tls.isEmpty()) {
            return;
        }
        try {
            tls.get().reload();
            LOG.info("The certificate was read again");
        } catch (Tls.UnusableException unusable) {
            LOG.error("The certificate stays as it was: {}", unusable.getMessage());
        }
    }
}
