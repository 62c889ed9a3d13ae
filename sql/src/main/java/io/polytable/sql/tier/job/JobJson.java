package io.polytable.sql.tier.job;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.polytable.table.StoreError;
import io.polytable.table.StoreException;
import java.time.Instant;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;

/** Jobs as JSON rows of the store. */
final class JobJson {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private JobJson() {}

    static String text(Job job) {
        ObjectNode node = MAPPER.createObjectNode();
        node.put("format", 1);
        node.put("id", job.id());
        node.put("number", job.number());
        node.put("type", job.type().name());
        node.put("status", job.status().name());
        node.put("message", job.message());
        node.put("progress", job.progress());
        job.total().ifPresent(total -> node.put("total", total));
        node.put("retries", job.retries());
        node.put("created_at", job.createdAt().toString());
        Instant finished = job.finishedAt();
        if (finished != null) {
            node.put("finished_at", finished.toString());
        }
        ObjectNode parameters = node.putObject("parameters");
        new TreeMap<>(job.parameters()).forEach(parameters::put);
        return node.toString();
    }

    static Job parse(String json) {
        try {
            JsonNode node = MAPPER.readTree(json);
            Map<String, String> parameters = new TreeMap<>();
            node.get("parameters")
                    .properties()
                    .forEach(entry ->
                            parameters.put(entry.getKey(), entry.getValue().asText()));
            return new Job(
                    node.get("id").asText(),
                    node.get("number").asLong(),
                    Job.Type.valueOf(node.get("type").asText()),
                    Job.Status.valueOf(node.get("status").asText()),
                    parameters,
                    node.get("message").asText(),
                    node.get("progress").asLong(),
                    node.has("total") ? OptionalLong.of(node.get("total").asLong()) : OptionalLong.empty(),
                    node.get("retries").asInt(),
                    Instant.parse(node.get("created_at").asText()),
                    node.has("finished_at")
                            ? Instant.parse(node.get("finished_at").asText())
                            : null);
        } catch (JsonProcessingException damaged) {
            throw new StoreException(StoreError.CORRUPT, "A job is not JSON", Map.of(), damaged);
        }
    }
}
