package io.polytable.server.run;

import java.util.List;

/** The components of a server. */
public record Parts(EngineOpener engine, List<FaceOpener> faces, List<HttpFaceOpener> httpFaces) {
    public Parts {
        faces = List.copyOf(faces);
        httpFaces = List.copyOf(httpFaces);
    }

    /** Without faces on the HTTP port. */
    public Parts(EngineOpener engine, List<FaceOpener> faces) {
        this(engine, faces, List.of());
    }
}
