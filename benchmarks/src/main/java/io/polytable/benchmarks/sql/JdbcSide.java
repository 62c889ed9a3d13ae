package io.polytable.benchmarks.sql;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** A database behind JDBC, with prepared statements. */
final class JdbcSide implements PointSide {
    private final Connection connection;
    private final PreparedStatement insert;
    private final PreparedStatement update;
    private final PreparedStatement select;

    /** @param settings statements to run before the table is created */
    JdbcSide(String url, String... settings) throws SQLException {
        connection = DriverManager.getConnection(url);
        try (Statement statement = connection.createStatement()) {
            for (String setting : settings) {
                statement.execute(setting);
            }
            statement.execute(CREATE);
        }
        insert = connection.prepareStatement(INSERT);
        update = connection.prepareStatement(UPDATE);
        select = connection.prepareStatement(SELECT);
    }

    @Override
    public void insert(long id) throws SQLException {
        insert.setLong(1, id);
        insert.setString(2, "name of " + id);
        insert.setLong(3, id);
        insert.executeUpdate();
    }

    @Override
    public void update(long id) throws SQLException {
        update.setLong(1, id);
        update.executeUpdate();
    }

    @Override
    public void select(long id) throws SQLException {
        select.setLong(1, id);
        try (ResultSet row = select.executeQuery()) {
            if (!row.next() || row.getString(1).isEmpty()) {
                throw new IllegalStateException("No row " + id);
            }
        }
    }

    @Override
    public void close() throws SQLException {
        insert.close();
        update.close();
        select.close();
        connection.close();
    }
}
