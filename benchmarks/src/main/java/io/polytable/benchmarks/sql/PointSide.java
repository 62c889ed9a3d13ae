package io.polytable.benchmarks.sql;

import java.sql.SQLException;

/** A database in this process with access by key, one statement and one transaction each. */
interface PointSide extends AutoCloseable {
    String CREATE = "CREATE TABLE p (id BIGINT PRIMARY KEY, name VARCHAR(100), n BIGINT)";
    String INSERT = "INSERT INTO p (id, name, n) VALUES (?, ?, ?)";
    String UPDATE = "UPDATE p SET n = n + 1 WHERE id = ?";
    String SELECT = "SELECT name, n FROM p WHERE id = ?";

    void insert(long id) throws SQLException;

    void update(long id) throws SQLException;

    void select(long id) throws SQLException;

    @Override
    void close() throws SQLException;
}
