package io.polytable.conformance.differential;

import io.polytable.conformance.history.Step;
import io.polytable.conformance.process.RespServer;
import io.polytable.conformance.resp.Answer;
import java.util.ArrayList;
import java.util.List;

/** The whole content of a server, as text in a fixed order. */
public final class KeySpaceDump {
    private KeySpaceDump() {}

    public static String of(RespServer server) {
        StringBuilder out = new StringBuilder();
        try (Speaker speaker = new Speaker(server, 1)) {
            for (int db = 0; db < KeySpaces.DATABASES; db++) {
                speaker.call(0, List.of("SELECT", Integer.toString(db)));
                Step.Walk everything = Iteration.ofDatabase(0);
                for (String key : Iteration.of(speaker, everything).elements()) {
                    out.append(db).append(' ').append(key).append(": ");
                    out.append(describe(speaker, key)).append('\n');
                }
            }
        }
        return out.toString();
    }

    private static String describe(Speaker speaker, String key) {
        String type = speaker.call(0, List.of("TYPE", key)).tree().text();
        List<List<String>> questions = new ArrayList<>(KeySpaces.content(type, key));
        questions.add(List.of("PEXPIRETIME", key));
        questions.add(List.of("OBJECT", "ENCODING", key));
        List<Answer> answers = speaker.pipeline(0, questions);
        boolean isOrdered = PackedOrder.isPacked(answers.get(answers.size() - 1).tree());
        StringBuilder out = new StringBuilder(type);
        for (int i = 0; i < questions.size(); i++) {
            out.append(", ");
            Likeness likeness = isOrdered ? Likeness.EXACT : Likeness.of(questions.get(i));
            out.append(
                    switch (likeness) {
                        case BAG_OF_PAIRS -> Likeness.sorted(answers.get(i).tree(), 2);
                        case BAG -> Likeness.sorted(answers.get(i).tree(), 1);
                        default -> answers.get(i).bytes();
                    });
        }
        return out.toString();
    }
}
