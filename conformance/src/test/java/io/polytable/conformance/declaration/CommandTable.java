package io.polytable.conformance.declaration;

import io.polytable.conformance.process.RespServer;
import io.polytable.conformance.resp.Resp;
import io.polytable.conformance.resp.RespConnection;
import java.util.Map;
import java.util.TreeMap;

/** A server's own description of its commands. */
record CommandTable(Map<String, Declaration> commands) {
    static CommandTable of(RespServer server) {
        try (RespConnection connection = server.connect()) {
            Map<String, Declaration> commands = new TreeMap<>();
            for (Resp entry : connection.call("COMMAND").tree().items()) {
                Declaration declaration = Declaration.of(entry);
                commands.put(declaration.name(), declaration);
                commands.putAll(declaration.subcommands());
            }
            return new CommandTable(commands);
        }
    }
}
