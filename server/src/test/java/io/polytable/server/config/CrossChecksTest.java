package io.polytable.server.config;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.polytable.frontend.setting.ByteSize;
import io.polytable.frontend.setting.SettingException;
import io.polytable.frontend.setting.Settings;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CrossChecksTest {
    private static final String CERTIFICATE = "--tls.certificate=cert.pem";

    @ParameterizedTest
    @ValueSource(strings = {"0.0.0.0", "::", "192.0.2.1"})
    void nothingCrossesTheNetworkUnencrypted(String address) {
        String sentence =
                "bind.address=%s would send what %s says over the network unencrypted: set tls.certificate and"
                        + " tls.key with tls.mode=required, or network.trusted=true";
        String bind = "--bind.address=" + address;
        refuses(sentence.formatted(address, "redis"), bind);
        refuses(sentence.formatted(address, "redis"), bind, "--tls.certificate=c.pem", "--tls.mode=optional");
        refuses(sentence.formatted(address, "hbase"), bind, "--redis.enabled=false");
        refuses(sentence.formatted(address, "http"), bind, "--redis.enabled=false", "--hbase.enabled=false");
        refuses(sentence.formatted(address, "http"), bind, "--hbase.enabled=false", CERTIFICATE, "--http.tls.mode=off");
        accepts(bind, CERTIFICATE, "--hbase.enabled=false");
        accepts(bind, "--network.trusted");
    }

    @Test
    void hbaseLeavesLoopbackOnlyIntoATrustedNetwork() {
        refuses(
                "bind.address=0.0.0.0 would let HBase clients of the network in, whose names nobody can check:"
                        + " set hbase.auth=certificate, network.trusted=true, or hbase.enabled=false",
                "--bind.address=0.0.0.0",
                CERTIFICATE,
                "--hbase.auth=simple");
        accepts("--bind.address=0.0.0.0", CERTIFICATE, "--hbase.auth=certificate", "--tls.clients=required");
    }

    @Test
    void anOutsideIssuerIsNamedInFull() {
        String keys = "--auth.issuer.keys=https://issuer.example/keys";
        String name = "--auth.issuer.name=https://issuer.example";
        String audience = "--auth.issuer.audience=polytable";
        String sentence =
                "auth.issuer.keys needs auth.issuer.name and auth.issuer.audience: without them tokens for other"
                        + " services would be accepted";
        refuses(sentence, keys);
        refuses(sentence, keys, name);
        refuses(sentence, keys, audience);
        accepts(keys, name, audience);
        accepts("--auth.issuer.keys=http://127.0.0.1:9/keys", name, audience);
        for (String open : List.of("http://issuer.example/keys", "file:///etc/keys", "keys", "ftp://127.0.0.1/keys")) {
            refuses("auth.issuer.keys must be an https URL", "--auth.issuer.keys=" + open, name, audience);
        }
    }

    @Test
    void usersOfHBaseNeedWhatTheirNamesAreTakenFrom() {
        refuses(
                "hbase.auth=certificate needs tls.certificate, tls.key, tls.ca and tls.clients=required",
                "--hbase.auth=certificate");
        refuses(
                "hbase.auth.users has no effect with hbase.auth=simple: the users of the server decide",
                "--hbase.auth=simple",
                "--hbase.auth.users=ann");
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "127.9.9.9", "::1", "localhost"})
    void loopbackNeedsNone(String address) {
        accepts("--bind.address=" + address);
    }

    @Test
    void aLogThatIsNotThereIsNotReplacedByAnother() {
        refuses("store.log=fluss needs fluss.bootstrap.servers=host:port", "--store.log=fluss");
    }

    @Test
    void partitionsAreMadeOfShards() {
        String fluss = "--store.log=fluss";
        String cluster = "--fluss.bootstrap.servers=localhost:9123";
        String sentence = " needs as many shards at least:"
                + " redis.sharding.enabled=true and redis.sharding.num.shards=%d or more";
        refuses("fluss.log.groups=17" + sentence.formatted(17), fluss, cluster, "--fluss.log.groups=17");
        refuses(
                "fluss.log.groups=2" + sentence.formatted(2),
                fluss,
                cluster,
                "--fluss.log.groups=2",
                "--redis.sharding.enabled=false");
        accepts(fluss, cluster, "--fluss.log.groups=16");
        accepts("--fluss.log.groups=2");
    }

    @Test
    void facesCannotShareAPort() {
        refuses("redis.port and http.port are both 7000", "--redis.port=7000", "--http.port=7000");
        refuses("redis.port and zookeeper.port are both 7000", "--redis.port=7000", "--zookeeper.port=7000");
        refuses("hbase.port and hbase.master.port are both 7000", "--hbase.port=7000", "--hbase.master.port=7000");
        accepts("--redis.port=0", "--http.port=0");
        accepts("--redis.port=7000", "--hbase.port=7000", "--hbase.enabled=false");
        accepts("--redis.port=7000", "--http.port=7000", "--redis.enabled=false");
    }

    @Test
    void rowsHaveToFitIntoTheHeap() {
        refuses(
                "the memory plan needs 1048 MB, and a heap of 1024 MB has 853 MB for it;"
                        + " lower memory.rows or raise memory.heap",
                "--memory.rows=800mb");
        accepts("--memory.rows=600mb");
    }

    private static void accepts(String... words) {
        assertThatCode(() -> check(words)).doesNotThrowAnyException();
    }

    private static void refuses(String sentence, String... words) {
        assertThatThrownBy(() -> check(words))
                .isInstanceOf(SettingException.class)
                .hasMessage(sentence);
    }

    private static void check(String... words) {
        Settings settings = ServerCatalog.load(List.of(words), Map.of());
        CrossChecks.refuseUnsafe(settings, ByteSize.GB);
    }
}
