package io.polytable.server.config;

import static io.polytable.frontend.setting.Setting.setting;
import static io.polytable.frontend.setting.ValueTypes.oneOf;
import static io.polytable.frontend.setting.ValueTypes.text;

import io.polytable.frontend.net.Tls;
import io.polytable.frontend.setting.Declarations;
import io.polytable.frontend.setting.Setting;
import io.polytable.frontend.setting.Settings;
import java.util.List;
import java.util.Map;

/** TLS: one set of files for all ports, and which ports use it. */
public final class TlsSettings {
    private static final Declarations SETTINGS = new Declarations();

    /** Whether the connections of a port are encrypted. */
    public enum PortMode {
        /** As {@code tls.mode} says. */
        AUTO,
        OFF,
        OPTIONAL,
        REQUIRED
    }

    public static final Setting<String> CERTIFICATE = SETTINGS.add(setting(
            "tls.certificate",
            text(),
            "",
            "PEM file with the server's certificate and those of its issuers; SIGHUP reads it again. Empty: no TLS."));
    public static final Setting<String> KEY = SETTINGS.add(setting(
            "tls.key", text(), "", "PEM file with the certificate's private key, in PKCS #8 without a password."));
    public static final Setting<String> CA = SETTINGS.add(setting(
            "tls.ca",
            text(),
            "",
            "PEM file with the certificates of the authorities that issue clients' certificates."));
    public static final Setting<Tls.Clients> CLIENTS = SETTINGS.add(setting(
            "tls.clients", oneOf(Tls.Clients.class), "none", "Whether clients present a certificate of their own."));
    public static final Setting<Tls.Mode> MODE = SETTINGS.add(setting(
            "tls.mode",
            oneOf(Tls.Mode.class),
            "required",
            "Whether ports with a certificate also serve connections that are not encrypted: with optional they do."));
    private static final Setting<PortMode> REDIS = port("redis");
    private static final Setting<PortMode> HBASE = port("hbase");
    private static final Setting<PortMode> ZOOKEEPER = port("zookeeper");
    private static final Setting<PortMode> HTTP = port("http");

    private static final Map<String, Setting<PortMode>> PORTS =
            Map.of("redis", REDIS, "hbase", HBASE, "zookeeper", ZOOKEEPER, "http", HTTP);

    private TlsSettings() {}

    private static Setting<PortMode> port(String protocol) {
        return SETTINGS.add(
                setting(protocol + ".tls.mode", oneOf(PortMode.class), "auto", "TLS of this port; auto is tls.mode."));
    }

    /** Whether the connections of a protocol's port are encrypted, if there is a certificate. */
    public static Tls.Mode mode(Settings settings, String protocol) {
        return switch (settings.get(of(protocol))) {
            case AUTO -> settings.get(MODE);
            case OFF -> Tls.Mode.OFF;
            case OPTIONAL -> Tls.Mode.OPTIONAL;
            case REQUIRED -> Tls.Mode.REQUIRED;
        };
    }

    /** The setting for the port of a protocol. */
    public static Setting<PortMode> of(String protocol) {
        Setting<PortMode> setting = PORTS.get(protocol);
        if (setting == null) {
            throw new IllegalArgumentException("No port of " + protocol);
        }
        return setting;
    }

    static List<Setting<?>> all() {
        return SETTINGS.all();
    }
}
