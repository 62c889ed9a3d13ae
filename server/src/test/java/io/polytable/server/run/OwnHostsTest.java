package io.polytable.server.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.UnknownHostException;
import java.util.List;
import org.junit.jupiter.api.Test;

class OwnHostsTest {
    private static InetAddress address(int... bytes) throws UnknownHostException {
        byte[] address = new byte[bytes.length];
        for (int i = 0; i < bytes.length; i++) {
            address[i] = (byte) bytes[i];
        }
        return InetAddress.getByAddress(address);
    }

    @Test
    void onOneAddressOnlyThatAndTheNames() throws Exception {
        assertThat(OwnHosts.of(address(127, 0, 0, 1), "db.example, ,other.example"))
                .containsExactlyInAnyOrder("127.0.0.1", "db.example", "other.example");
        assertThat(OwnHosts.of(address(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1), ""))
                .containsExactly("[0:0:0:0:0:0:0:1]");
    }

    @Test
    void onAllInterfacesTheAddressesOfEach() throws Exception {
        List<String> own = NetworkInterface.networkInterfaces()
                .flatMap(NetworkInterface::inetAddresses)
                .map(OwnHosts::literal)
                .toList();
        assertThat(OwnHosts.of(address(0, 0, 0, 0), "db.example"))
                .contains("127.0.0.1", "db.example")
                .containsAll(own)
                .doesNotContain("0.0.0.0")
                .noneMatch(host -> host.contains("%"));
    }
}
