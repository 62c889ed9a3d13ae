package io.polytable.redis.command.server;

import static io.polytable.redis.command.Arity.atLeast;
import static io.polytable.redis.command.Command.speaks;
import static io.polytable.redis.command.Flag.ADMIN;
import static io.polytable.redis.command.Flag.LOADING;
import static io.polytable.redis.command.Flag.NOSCRIPT;
import static io.polytable.redis.command.Flag.STALE;

import io.polytable.redis.command.Call;
import io.polytable.redis.command.Command;
import io.polytable.redis.command.CommandErrors;
import io.polytable.redis.command.CommandFamily;
import io.polytable.redis.command.Group;
import io.polytable.redis.command.Reply;
import io.polytable.redis.command.help.HelpText;
import io.polytable.redis.command.node.Node;
import io.polytable.redis.model.Glob;
import io.polytable.redis.model.RedisError;
import io.polytable.redis.model.Type;
import io.polytable.redis.model.dump.Digests;
import io.polytable.redis.model.dump.DumpFormat;
import io.polytable.redis.model.dump.Dumps;
import io.polytable.redis.model.introspection.Encodings;
import io.polytable.redis.model.introspection.Encodings.Encoding;
import io.polytable.redis.model.keyspace.Keyspace;
import io.polytable.redis.model.keyspace.Space;
import io.polytable.redis.model.keyspace.UnitOfWork;
import io.polytable.redis.model.number.Numbers;
import io.polytable.redis.model.row.Header;
import io.polytable.table.Bytes;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** DEBUG: what test suites and tools use of it. Nothing else runs meanwhile. */
// A shared error is safe: it has no stack trace.
@SuppressWarnings("StaticAssignmentOfThrowable")
public final class DebugCommand implements CommandFamily {
    private static final Logger LOG = LoggerFactory.getLogger("io.polytable.redis.debug");

    /** Around the value in a payload: its type, the version and the checksum. */
    private static final int PAYLOAD_OVERHEAD = 1 + Short.BYTES + Long.BYTES;

    private static final RedisError NOT_POSITIVE = new RedisError("value is out of range, must be positive");

    private static final long MATCHED_BYTES_MAX = 1 << 20;
    private static final int POPULATED_AT_ONCE = 1000;

    private static final List<String> HELP = List.of(
            "CHANGE-REPL-ID, CRASH-AND-RECOVER and others that concern the process or replication",
            "    Refused.",
            "DIGEST",
            "    Output a hex signature representing the current DB content.",
            "DIGEST-VALUE <key> [<key> ...]",
            "    Output a hex signature of the values of all the specified keys.",
            "ERROR <string>",
            "    Return a Redis protocol error with <string> as message.",
            "LISTPACK <key>",
            "    Check that the key is packed.",
            "LOADAOF",
            "    Wait until every commit is durable.",
            "LOG <message>",
            "    Write <message> to the server log.",
            "OBJECT <key>",
            "    Show low level info about <key> and associated value.",
            "POPULATE <count> [<prefix>] [<size>]",
            "    Create <count> string keys named key:<num>.",
            "PROTOCOL <type>",
            "    Reply with a test value of the specified type.",
            "QUICKLIST-PACKED-THRESHOLD <size>",
            "    Accepted, without effect.",
            "RELOAD [option ...]",
            "    Wait until every commit is durable.",
            "REPLYBUFFER <subcommand>",
            "    Accepted, without effect.",
            "SET-ACTIVE-EXPIRE <0|1>",
            "    Setting it to 0 disables expiring keys in background.",
            "SLEEP <seconds>",
            "    Answer after some time; other clients do not wait.",
            "STRINGMATCH-LEN <length> <pattern>",
            "    Match a text of that length against the pattern.");

    private final Node node;
    private final Encodings encodings = new Encodings();
    private final Dumps dumps = new Dumps();

    public DebugCommand(Node node) {
        this.node = node;
    }

    @Override
    public Group group() {
        return Group.SERVER;
    }

    @Override
    public List<Command> commands() {
        return List.of(speaks("debug", atLeast(2), this::debug)
                .with(ADMIN, NOSCRIPT, LOADING, STALE)
                .exclusive()
                .offLoop());
    }

    private Reply debug(Call call) {
        if (!node.settings().debugAllowed()) {
            throw CommandErrors.notAllowed("DEBUG");
        }
        String name = call.text(1).toUpperCase(Locale.ROOT);
        int words = call.size();
        return switch (name) {
            case "HELP" -> words == 2 ? HelpText.of(call, HELP) : unknown(call);
            case "SLEEP" -> words == 3 ? sleep(call) : unknown(call);
            case "OBJECT" -> words >= 3 ? object(call) : unknown(call);
            case "LISTPACK" -> words == 3 ? listpack(call) : unknown(call);
            case "DIGEST" -> words == 2 ? digest(call) : unknown(call);
            case "DIGEST-VALUE" -> digests(call);
            case "RELOAD", "LOADAOF" -> durable();
            case "SET-ACTIVE-EXPIRE" -> words == 3 ? setActiveExpire(call) : unknown(call);
            case "STRINGMATCH-LEN" -> words == 4 ? match(call) : unknown(call);
            case "POPULATE" -> words >= 3 && words <= 5 ? populate(call) : unknown(call);
            case "PROTOCOL" -> words == 3 ? protocol(call) : unknown(call);
            case "ERROR" -> words == 3 ? Reply.error(RedisError.ofLine(oneLine(call.text(2)))) : unknown(call);
            case "LOG" -> words == 3 ? log(call) : unknown(call);
            case "QUICKLIST-PACKED-THRESHOLD" -> words == 3 ? threshold(call) : unknown(call);
            case "REPLYBUFFER" -> words >= 4 ? Reply.OK : unknown(call);
            default -> unknown(call);
        };
    }

    private static Reply unknown(Call call) {
        throw CommandErrors.subcommandSyntax(call);
    }

    private static String oneLine(String text) {
        return text.replace('\r', ' ').replace('\n', ' ');
    }

    /** Lists have no nodes whose form it could decide. */
    private static Reply threshold(Call call) {
        if (!call.text(2).matches("(?i)\\d+[kmg]?b?")) {
            throw new RedisError("argument must be a memory value bigger than 1 and smaller than 4gb");
        }
        return Reply.OK;
    }

    private static Reply sleep(Call call) {
        double seconds = Numbers.parseDouble(call.word(2)).orElse(0);
        long micros = (long) Math.min(seconds * 1e6, (double) TimeUnit.DAYS.toMicros(1));
        CompletableFuture<Reply> answer = new CompletableFuture<>();
        return new Reply.Later(answer.completeOnTimeout(Reply.OK, Math.max(0, micros), TimeUnit.MICROSECONDS));
    }

    private static Header present(Call call) {
        return call.space().peek(call.key(2)).orElseThrow(() -> new RedisError("no such key"));
    }

    private Reply object(Call call) {
        Header header = present(call);
        Space space = call.space();
        Encoding encoding = encodings.of(space, header, node.settings().packing());
        DumpFormat format = new DumpFormat(
                DumpFormat.Version.OF_7_2,
                node.settings().packing(),
                node.settings().compressesDumps());
        int length = dumps.dump(space, call.key(2), format).orElse(Bytes.EMPTY).length() - PAYLOAD_OVERHEAD;
        long lastUse = space.lastUseSeconds(call.key(2));
        long idle = Math.max(0, (call.nowMillis() - (lastUse == 0 ? node.startMillis() : lastUse * 1000)) / 1000);
        return Reply.simple("Value at:0x0 refcount:1 encoding:"
                + encoding.name().toLowerCase(Locale.ROOT) + " serializedlength:" + length + " lru:"
                + (lastUse & 0xffffff) + " lru_seconds_idle:" + idle);
    }

    private Reply listpack(Call call) {
        Header header = present(call);
        boolean packed = header.type() != Type.STRING
                && encodings.of(call.space(), header, node.settings().packing()) == Encoding.LISTPACK;
        if (!packed) {
            throw new RedisError("Not a listpack encoded object.");
        }
        return Reply.simple("Listpack structure printed on stdout");
    }

    private static UnitOfWork unit(Call call) {
        return call.space().unit();
    }

    private static Reply digest(Call call) {
        return Reply.simple(new Digests().ofEverything(unit(call), Keyspace.DATABASES));
    }

    private static Reply digests(Call call) {
        Digests digests = new Digests();
        return Reply.many(call.wordsFrom(2).stream()
                .map(key -> Reply.simple(digests.of(call.space(), key)))
                .toList());
    }

    /** A restart finds what is durable: that is what a reload shows. */
    private Reply durable() {
        node.keyspace().store().flush();
        return new Reply.Later(node.keyspace().store().latest().durable().thenApply(done -> Reply.OK));
    }

    private Reply setActiveExpire(Call call) {
        node.keyspace().removal().expires(!call.text(2).equals("0"));
        return Reply.OK;
    }

    private static Reply match(Call call) {
        long length = call.integer(2);
        if (length < 0 || length > MATCHED_BYTES_MAX) {
            throw new RedisError("the length is not between 0 and " + MATCHED_BYTES_MAX);
        }
        byte[] text = new byte[(int) length];
        Arrays.fill(text, (byte) 'a');
        return Reply.of(Glob.of(call.word(3)).matches(Bytes.of(text)) ? 1 : 0);
    }

    /** Existing keys stay as they are. In commits of its own, of bounded size. */
    private Reply populate(Call call) {
        long count = positive(call, 2);
        String prefix = call.size() > 3 ? call.text(3) : "key";
        long size = call.size() > 4 ? positive(call, 4) : 0;
        if (size > node.settings().wordBytesMax()) {
            throw NOT_POSITIVE;
        }
        try (UnitOfWork unit = node.keyspace().newUnit()) {
            for (long first = 0; first < count; first += POPULATED_AT_ONCE) {
                unit.begin(call.nowMillis(), true, call.session());
                Space space = unit.space(call.session().database());
                for (long i = first; i < Math.min(count, first + POPULATED_AT_ONCE); i++) {
                    Bytes key = Bytes.utf8(prefix + ":" + i);
                    if (space.header(key).isEmpty()) {
                        space.putString(key, value(i, (int) size), Header.NEVER);
                    }
                }
                unit.commit();
            }
        }
        return Reply.OK;
    }

    private static long positive(Call call, int i) {
        long number = call.integer(i, NOT_POSITIVE);
        if (number < 0) {
            throw NOT_POSITIVE;
        }
        return number;
    }

    private static Bytes value(long number, int size) {
        Bytes text = Bytes.utf8("value:" + number);
        return size == 0 ? text : Bytes.of(Arrays.copyOf(text.toByteArray(), size));
    }

    private static Reply log(Call call) {
        LOG.info("DEBUG LOG: {}", call.text(2));
        return Reply.OK;
    }

    private static Reply protocol(Call call) {
        return switch (call.text(2).toLowerCase(Locale.ROOT)) {
            case "string" -> Reply.of("Hello World");
            case "integer" -> Reply.of(12345);
            case "double" -> Reply.of(3.141);
            case "null" -> Reply.ABSENT;
            case "array" -> Reply.many(Reply.of(0), Reply.of(1), Reply.of(2));
            case "set" -> new Reply.SetOf(List.of(Reply.of(0), Reply.of(1), Reply.of(2)));
            case "map" ->
                Reply.mapOf(
                        Reply.of(0),
                        new Reply.Bool(false),
                        Reply.of(1),
                        new Reply.Bool(true),
                        Reply.of(2),
                        new Reply.Bool(false));
            case "verbatim" -> new Reply.Verbatim("txt", Bytes.utf8("This is a verbatim\nstring"));
            case "true" -> new Reply.Bool(true);
            case "false" -> new Reply.Bool(false);
            case "bignum" -> new Reply.BigNumber("1234567999999999999999999999999999999");
            case "attrib", "push" -> throw new RedisError("attributes and pushes are not supported by this command");
            default ->
                throw new RedisError("Wrong protocol type name. Please use one of the following: "
                        + "string|integer|double|bignum|null|array|set|map|attrib|push|verbatim|true|false");
        };
    }
}
