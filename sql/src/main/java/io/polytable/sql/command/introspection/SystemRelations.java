package io.polytable.sql.command.introspection;

import io.polytable.frontend.session.Principal;
import io.polytable.frontend.session.Session;
import io.polytable.frontend.setting.Given;
import io.polytable.frontend.user.Actor;
import io.polytable.frontend.user.AuditEntry;
import io.polytable.frontend.user.User;
import io.polytable.frontend.user.Users;
import io.polytable.sql.command.session.SqlEngine;
import io.polytable.sql.command.session.SystemTables;
import io.polytable.sql.command.session.Variables;
import io.polytable.sql.command.user.UserCommands;
import io.polytable.sql.model.catalog.CatalogState;
import io.polytable.sql.model.definition.ColumnDef;
import io.polytable.sql.model.definition.PolicyDef;
import io.polytable.sql.model.definition.RowSecurity;
import io.polytable.sql.model.definition.TableDef;
import io.polytable.sql.model.definition.ViewDef;
import io.polytable.sql.model.relation.Relation;
import io.polytable.sql.model.relation.Relation.RelationColumn;
import io.polytable.sql.model.relation.RowsRelation;
import io.polytable.sql.model.table.SqlTable;
import io.polytable.sql.type.SqlType;
import io.polytable.table.TableName;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The tables of the namespaces {@code system} and {@code information_schema}. */
public final class SystemRelations implements SystemTables {
    private static final String SYSTEM = "system";

    private final SqlEngine engine;
    private final Map<String, Relation> relations = new TreeMap<>();

    public SystemRelations(SqlEngine engine) {
        this.engine = engine;
        add(
                "namespaces",
                List.of(text("name"), moment("created_at"), big("table_count")),
                this::namespaces,
                (user, row) -> engine.seesNamespace(user, String.valueOf(row[0])));
        add(
                "tables",
                List.of(
                        text("namespace"),
                        text("name"),
                        text("kind"),
                        number("version"),
                        text("options"),
                        text("comment"),
                        moment("created_at")),
                this::tables,
                ofTable(engine, 0, 1));
        add(
                "columns",
                List.of(
                        text("namespace"),
                        text("table_name"),
                        text("column_name"),
                        number("ordinal"),
                        text("data_type"),
                        RelationColumn.shown("nullable", SqlType.BOOLEAN),
                        RelationColumn.shown("primary_key", SqlType.BOOLEAN),
                        text("default_value"),
                        text("comment"),
                        number("version")),
                this::columns,
                ofTable(engine, 0, 1));
        addFiles();
        add(
                "live_queries",
                List.of(text("live_id"), text("user_id"), text("query"), moment("created_at"), text("status")),
                this::queries);
        add(
                "sessions",
                List.of(
                        big("session_id"),
                        text("protocol"),
                        text("user_id"),
                        text("role"),
                        text("client_address"),
                        moment("started_at"),
                        text("status"),
                        text("activity")),
                this::sessions);
        add("settings", List.of(text("name"), text("value")), this::settings);
        add("statistics", List.of(text("metric_name"), big("metric_value")), this::statistics);
        add("slow_queries", List.of(moment("at"), text("user_id"), text("query"), big("duration_micros")), this::slow);
        addUsers();
        addPolicies();
        InformationSchema.relations(engine)
                .forEach(relation -> relations.put(relation.name().toString(), relation));
    }

    private void addUsers() {
        add(
                "users",
                List.of(
                        text("user_id"),
                        text("role"),
                        RelationColumn.shown("enabled", SqlType.BOOLEAN),
                        RelationColumn.shown("has_password", SqlType.BOOLEAN),
                        text("email"),
                        moment("created_at"),
                        moment("changed_at")),
                this::users);
        add(
                "grants",
                List.of(text("grantee"), text("namespace"), text("table_name"), text("privileges"), text("grantor")),
                () -> engine.rights().directory().stream()
                        .flatMap(users -> users.grants().all().stream())
                        .map(UserCommands::row)
                        .toList());
        add(
                "audit_logs",
                List.of(
                        moment("at"),
                        text("user_id"),
                        text("event"),
                        text("object"),
                        RelationColumn.shown("done", SqlType.BOOLEAN),
                        text("detail"),
                        text("protocol"),
                        text("client_address")),
                () -> engine.rights().directory().stream()
                        .flatMap(users -> users.audit().all().stream())
                        .map(SystemRelations::entry)
                        .toList());
    }

    private static @Nullable Object[] entry(AuditEntry entry) {
        Actor actor = entry.actor();
        return new @Nullable Object[] {
            entry.at(),
            actor.name(),
            entry.event(),
            entry.object(),
            entry.isDone(),
            entry.detail(),
            actor.protocol(),
            actor.address()
        };
    }

    private void addPolicies() {
        add(
                "policies",
                List.of(
                        text("namespace"),
                        text("table_name"),
                        text("policy_name"),
                        RelationColumn.shown("enabled", SqlType.BOOLEAN),
                        text("permissive"),
                        text("command"),
                        text("roles"),
                        text("using_condition"),
                        text("check_condition")),
                this::policies);
    }

    private void addFiles() {
        add(
                "storages",
                List.of(text("storage_id"), text("storage_type"), text("base_directory"), big("usage_count")),
                () -> FileRelations.storages(engine));
        add(
                "jobs",
                List.of(
                        text("job_id"),
                        text("job_type"),
                        text("status"),
                        text("parameters"),
                        text("message"),
                        moment("created_at"),
                        moment("finished_at"),
                        big("progress"),
                        big("total"),
                        number("retries")),
                () -> FileRelations.jobs(engine));
        add(
                "manifests",
                List.of(
                        text("namespace"),
                        text("table_name"),
                        text("user_id"),
                        number("version"),
                        big("rows"),
                        big("files"),
                        big("bytes"),
                        moment("updated_at")),
                () -> FileRelations.manifests(engine));
        add(
                "manifest_versions",
                List.of(
                        text("namespace"),
                        text("table_name"),
                        text("user_id"),
                        number("version"),
                        big("rows"),
                        big("files"),
                        big("bytes"),
                        moment("updated_at")),
                () -> FileRelations.versions(engine));
    }

    static RelationColumn text(String name) {
        return RelationColumn.shown(name, SqlType.TEXT);
    }

    static RelationColumn number(String name) {
        return RelationColumn.shown(name, SqlType.INT);
    }

    static RelationColumn big(String name) {
        return RelationColumn.shown(name, SqlType.BIGINT);
    }

    static RelationColumn moment(String name) {
        return RelationColumn.shown(name, SqlType.TIMESTAMP);
    }

    /** For rows about tables: who may know of the table sees them. */
    static RowsRelation.Visibility ofTable(SqlEngine engine, int namespace, int name) {
        return (user, row) ->
                engine.sees(user, new TableName(String.valueOf(row[namespace]), String.valueOf(row[name])));
    }

    private void add(String name, List<RelationColumn> columns, Supplier<List<@Nullable Object[]>> rows) {
        add(name, columns, rows, (user, row) -> true);
    }

    private void add(
            String name,
            List<RelationColumn> columns,
            Supplier<List<@Nullable Object[]>> rows,
            RowsRelation.Visibility visibility) {
        TableName full = new TableName(SYSTEM, name);
        relations.put(full.toString(), new RowsRelation(full, columns, List.of(), rows).to(visibility));
    }

    @Override
    public Collection<Relation> all() {
        return relations.values();
    }

    @Override
    public Optional<Relation> find(TableName name) {
        return Optional.ofNullable(relations.get(name.toString()));
    }

    private List<@Nullable Object[]> namespaces() {
        List<@Nullable Object[]> rows = new ArrayList<>();
        CatalogState state = engine.catalog().state();
        state.namespaces().forEach(namespace -> {
            long tables = state.tables().stream()
                            .filter(table -> table.name().namespace().equals(namespace.name()))
                            .count()
                    + engine.faceRelations().stream()
                            .filter(relation -> relation.name().namespace().equals(namespace.name()))
                            .count();
            rows.add(new @Nullable Object[] {namespace.name(), namespace.createdAt(), tables});
        });
        TreeSet<String> given = new TreeSet<>();
        engine.virtualRelations().forEach(relation -> given.add(relation.name().namespace()));
        given.removeIf(state::hasNamespace);
        for (String name : given) {
            long tables = engine.virtualRelations().stream()
                    .filter(relation -> relation.name().namespace().equals(name))
                    .count();
            rows.add(new @Nullable Object[] {name, null, tables});
        }
        return rows;
    }

    private List<@Nullable Object[]> tables() {
        List<@Nullable Object[]> rows = new ArrayList<>();
        for (SqlTable table : engine.catalog().state().tables()) {
            TableDef def = table.def();
            rows.add(new @Nullable Object[] {
                def.name().namespace(),
                def.name().name(),
                def.kind().name().toLowerCase(Locale.ROOT),
                def.version(),
                new TreeMap<>(def.options()).toString(),
                def.comment(),
                def.createdAt()
            });
        }
        for (ViewDef view : engine.catalog().state().views()) {
            rows.add(new @Nullable Object[] {
                view.name().namespace(), view.name().name(), "view", 1, null, null, view.createdAt()
            });
        }
        for (Relation relation : engine.virtualRelations()) {
            boolean own = relation instanceof RowsRelation;
            rows.add(new @Nullable Object[] {
                relation.name().namespace(), relation.name().name(), own ? "system" : "frontend", 1, null, null, null
            });
        }
        return rows;
    }

    private List<@Nullable Object[]> columns() {
        List<@Nullable Object[]> rows = new ArrayList<>();
        for (SqlTable table : engine.catalog().state().tables()) {
            int ordinal = 1;
            for (ColumnDef column : table.def().columns()) {
                rows.add(new @Nullable Object[] {
                    table.name().namespace(),
                    table.name().name(),
                    column.name(),
                    ordinal++,
                    column.type().text(),
                    !column.notNull(),
                    table.def().isKey(column),
                    column.defaultText(),
                    column.comment(),
                    table.def().version()
                });
            }
        }
        for (Relation relation : engine.virtualRelations()) {
            int ordinal = 1;
            for (RelationColumn column : relation.columns()) {
                boolean key = relation.key().contains(column.name());
                rows.add(new @Nullable Object[] {
                    relation.name().namespace(),
                    relation.name().name(),
                    column.name(),
                    ordinal++,
                    column.type().text(),
                    !key,
                    key,
                    null,
                    null,
                    1
                });
            }
        }
        return rows;
    }

    private List<@Nullable Object[]> users() {
        List<@Nullable Object[]> rows = new ArrayList<>();
        for (User user : engine.rights().directory().map(Users::all).orElse(List.of())) {
            rows.add(new @Nullable Object[] {
                user.principal().name(),
                user.principal().role().name().toLowerCase(Locale.ROOT),
                user.enabled(),
                !user.open(),
                user.email(),
                user.created(),
                user.changed()
            });
        }
        return rows;
    }

    private List<@Nullable Object[]> policies() {
        List<@Nullable Object[]> rows = new ArrayList<>();
        for (SqlTable table : engine.catalog().state().tables()) {
            RowSecurity security = table.def().security();
            for (PolicyDef policy : security.policies()) {
                rows.add(new @Nullable Object[] {
                    table.name().namespace(),
                    table.name().name(),
                    policy.name(),
                    security.enabled(),
                    policy.permissive() ? "PERMISSIVE" : "RESTRICTIVE",
                    policy.command().name(),
                    String.join(", ", policy.roles()),
                    policy.using().orElse(null),
                    policy.check().orElse(null)
                });
            }
        }
        return rows;
    }

    private List<@Nullable Object[]> queries() {
        List<@Nullable Object[]> rows = new ArrayList<>();
        engine.queries()
                .all()
                .forEach(query -> rows.add(new @Nullable Object[] {
                    Long.toString(query.id()), query.user(), query.text(), query.since(), "running"
                }));
        return rows;
    }

    private List<@Nullable Object[]> sessions() {
        List<@Nullable Object[]> rows = new ArrayList<>();
        for (Session session : engine.sessions().all()) {
            Principal principal = session.principal();
            Session.Activity activity = session.activity();
            rows.add(new @Nullable Object[] {
                session.id(),
                session.protocol(),
                principal.isAnonymous() ? null : principal.name(),
                principal.role().name().toLowerCase(Locale.ROOT),
                session.address(),
                session.since(),
                activity.isRunning() ? "running" : "idle",
                activity.text().isEmpty() ? null : activity.text()
            });
        }
        return rows;
    }

    private List<@Nullable Object[]> settings() {
        List<@Nullable Object[]> rows = new ArrayList<>();
        for (Given given : engine.settings().all()) {
            rows.add(new @Nullable Object[] {given.setting().name(), Variables.shown(given)});
        }
        return rows;
    }

    private List<@Nullable Object[]> statistics() {
        List<@Nullable Object[]> rows = new ArrayList<>();
        engine.log().counts().forEach(count -> rows.add(new @Nullable Object[] {count.name(), count.value()}));
        rows.add(new @Nullable Object[] {
            "tables", (long) engine.catalog().state().tables().size()
        });
        return rows;
    }

    private List<@Nullable Object[]> slow() {
        List<@Nullable Object[]> rows = new ArrayList<>();
        engine.log()
                .slow()
                .forEach(slow -> rows.add(new @Nullable Object[] {slow.at(), slow.user(), slow.text(), slow.micros()}));
        return rows;
    }
}
