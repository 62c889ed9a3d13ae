package io.polytable.server.config;

import static io.polytable.frontend.setting.ByteSize.MB;
import static io.polytable.frontend.setting.ByteSize.TB;
import static io.polytable.frontend.setting.Setting.setting;
import static io.polytable.frontend.setting.ValueTypes.bytes;
import static io.polytable.frontend.setting.ValueTypes.duration;
import static io.polytable.frontend.setting.ValueTypes.endpoints;
import static io.polytable.frontend.setting.ValueTypes.integer;
import static io.polytable.frontend.setting.ValueTypes.text;

import io.polytable.frontend.setting.Declarations;
import io.polytable.frontend.setting.Setting;
import java.time.Duration;
import java.util.List;

/** The commit log in Apache Fluss. */
public final class FlussLogSettings {
    private static final Declarations SETTINGS = new Declarations();

    public static final Setting<List<String>> BOOTSTRAP_SERVERS = SETTINGS.add(setting(
            "fluss.bootstrap.servers",
            endpoints(),
            "",
            "Servers of the Fluss cluster to contact first; list several, since any of them may be down."));
    public static final Setting<String> DATABASE = SETTINGS.add(
            setting("fluss.database", text(), "polytable", "The database in Fluss that holds our tables."));
    public static final Setting<Integer> REPLICATION = SETTINGS.add(setting(
            "fluss.replication.factor",
            integer(0, 100),
            "0",
            "Copies of each table that is created in Fluss; 0 leaves it to the cluster."));
    public static final Setting<Duration> ANSWER_TIMEOUT = SETTINGS.add(
            setting(
                    "fluss.answer.timeout",
                    duration(),
                    "30s",
                    "How long Fluss may take to answer; a write that takes longer counts as failed, and the store is rebuilt."));
    public static final Setting<Duration> LEASE_TIME = SETTINGS.add(setting(
            "fluss.lease.time", duration(), "10s", "Lease duration: how long an unresponsive owner blocks takeover."));
    public static final Setting<Duration> CLAIM_TIMEOUT = SETTINGS.add(setting(
            "fluss.claim.timeout", duration(), "60s", "How long a start waits for another server to release the log."));
    public static final Setting<Long> CHECKPOINT_BYTES = SETTINGS.add(setting(
            "fluss.checkpoint.bytes",
            bytes(MB, TB),
            "1gb",
            "Log after which an image of the state is written to Fluss, and the log before it removed."));
    public static final Setting<Integer> LOG_GROUPS = SETTINGS.add(
            setting(
                    "fluss.log.groups",
                    integer(1, 100),
                    "1",
                    "Commit logs in Fluss. One keeps everything atomic; with more, a command on keys of several gets CROSSSLOT."));

    private FlussLogSettings() {}

    public static List<Setting<?>> all() {
        return SETTINGS.all();
    }
}
