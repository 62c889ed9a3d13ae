package io.polytable.sql.command;

import io.polytable.sql.expr.Environment;
import io.polytable.sql.model.Catalog;
import io.polytable.sql.model.GeneratedIds;
import io.polytable.sql.model.HeapBudget;
import io.polytable.sql.model.Relation;
import io.polytable.sql.query.DuckEngine;
import io.polytable.sql.syntax.StatementParser;
import io.polytable.sql.tier.Tiering;
import io.polytable.sql.tier.job.Job;
import io.polytable.table.TableName;
import io.polytable.table.TableStore;
import io.polytable.table.view.TableView;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;

/** What all sessions share. */
public final class SqlEngine {
    /** Who a client is that came from this machine without a name. */
    public static final String ROOT = TableView.ROOT;

    public static final int USER_CHARS_MAX = 256;

    private static final int CACHED_TEXTS = 2000;
    private static final int CACHED_TEXT_CHARS_MAX = 4000;

    private final TableStore store;
    private final Catalog catalog;
    private final DuckEngine duck;
    private final Tiering tiering;
    private final GeneratedIds ids;
    private final HeapBudget budget = HeapBudget.ofHeap();
    private final InstantSource clock;
    private final Duration statementTimeout;
    private final RuleCache rules = new RuleCache();
    private final PlanCache plans = new PlanCache();
    private final StatementLog log;
    private final RunningQueries queries;
    private final Jobs jobs;
    private final SystemRelations system;
    private final Supplier<List<Relation>> faces;

    /** Parsed texts, the least recently used going first: clients send the same few texts again and again. */
    private final Map<String, List<StatementParser.Parsed>> parsed =
            Collections.synchronizedMap(new LinkedHashMap<>(16, 0.75f, true) {
                private static final long serialVersionUID = 1L;

                @Override
                protected boolean removeEldestEntry(Map.Entry<String, List<StatementParser.Parsed>> eldest) {
                    return size() > CACHED_TEXTS;
                }
            });

    /**
     * Puts together what sessions share.
     *
     * @param faces the tables that other faces show, as they are at the moment
     */
    public SqlEngine(
            TableStore store,
            Catalog catalog,
            DuckEngine duck,
            Tiering tiering,
            Supplier<List<Relation>> faces,
            Map<String, String> settings,
            InstantSource clock,
            Duration statementTimeout) {
        this.store = store;
        this.catalog = catalog;
        this.duck = duck;
        this.tiering = tiering;
        this.faces = faces;
        this.clock = clock;
        this.statementTimeout = statementTimeout;
        ids = new GeneratedIds(clock);
        log = new StatementLog(clock);
        queries = new RunningQueries(clock);
        jobs = new Jobs(clock);
        system = new SystemRelations(this, settings);
        tiering.handle(Job.Type.EXPORT, new Exports(this)::run);
        tiering.handle(Job.Type.IMPORT, new Imports(this)::run);
    }

    public Session session(String user) {
        return new Session(this, user);
    }

    /** The statements of a text. */
    List<StatementParser.Parsed> parse(String text) {
        List<StatementParser.Parsed> known = parsed.get(text);
        if (known == null) {
            known = List.copyOf(StatementParser.all(text));
            if (text.length() <= CACHED_TEXT_CHARS_MAX) {
                parsed.put(text, known);
            }
        }
        return known;
    }

    TableStore store() {
        return store;
    }

    public Catalog catalog() {
        return catalog;
    }

    DuckEngine duck() {
        return duck;
    }

    public Tiering tiering() {
        return tiering;
    }

    /** What statements and transactions may hold together. */
    public HeapBudget budget() {
        return budget;
    }

    GeneratedIds ids() {
        return ids;
    }

    PlanCache plans() {
        return plans;
    }

    RuleCache rules() {
        return rules;
    }

    public StatementLog log() {
        return log;
    }

    RunningQueries queries() {
        return queries;
    }

    public Jobs jobs() {
        return jobs;
    }

    Duration statementTimeout() {
        return statementTimeout;
    }

    Environment environment(String user) {
        return new Environment(user, clock.instant(), ids);
    }

    /** Tables that are there without having been created: those of other faces, and what tells of the system. */
    Collection<Relation> given() {
        Map<String, Relation> given = new TreeMap<>();
        faces.get().forEach(relation -> given.put(relation.name().toString(), relation));
        system.all().forEach(relation -> given.put(relation.name().toString(), relation));
        return given.values();
    }

    List<Relation> faceRelations() {
        return faces.get();
    }

    Optional<Relation> given(TableName name) {
        Optional<Relation> own = system.find(name);
        if (own.isPresent()) {
            return own;
        }
        return faces.get().stream()
                .filter(relation -> relation.name().equals(name))
                .findFirst();
    }
}
