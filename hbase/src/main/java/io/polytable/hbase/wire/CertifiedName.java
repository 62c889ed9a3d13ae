package io.polytable.hbase.wire;

import io.netty.channel.ChannelPipeline;
import io.netty.handler.ssl.SslHandler;
import java.util.Optional;
import javax.naming.InvalidNameException;
import javax.naming.ldap.LdapName;
import javax.naming.ldap.Rdn;
import javax.net.ssl.SSLPeerUnverifiedException;

/** The common name of the certificate with which a client has authenticated. */
final class CertifiedName {
    private CertifiedName() {}

    static Optional<String> of(ChannelPipeline pipeline) {
        SslHandler tls = pipeline.get(SslHandler.class);
        if (tls == null) {
            return Optional.empty();
        }
        try {
            return commonName(tls.engine().getSession().getPeerPrincipal().getName());
        } catch (SSLPeerUnverifiedException none) {
            return Optional.empty();
        }
    }

    /** Empty for a name with several: nobody could say which of them is meant. */
    static Optional<String> commonName(String distinguished) {
        try {
            var names = new LdapName(distinguished)
                    .getRdns().stream()
                            .filter(part -> part.getType().equalsIgnoreCase("CN"))
                            .map(Rdn::getValue)
                            .map(String::valueOf)
                            .toList();
            return names.size() == 1 ? Optional.of(names.get(0)) : Optional.empty();
        } catch (InvalidNameException unreadable) {
            return Optional.empty();
        }
    }
}
