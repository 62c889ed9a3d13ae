package io.polytable.server.run;

import java.util.List;

/** What a server is put together from. */
public record Parts(EngineOpener engine, List<FaceOpener> faces) {
    public Parts {
        faces = List.copyOf(faces);
    }
}
