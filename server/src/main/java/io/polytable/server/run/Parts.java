package io.polytable.server.run;

import io.polytable.frontend.setting.Settings;
import io.polytable.table.TableStore;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The components of a server. */
public record Parts(EngineOpener engine, List<FaceOpener> faces, List<HttpFaceOpener> httpFaces) {
    public Parts {
        faces = List.copyOf(faces);
        httpFaces = List.copyOf(httpFaces);
    }

    /** The files that rows of the store name, while no frontend runs. */
    public Optional<FaceFiles> files(TableStore store, Path directory) {
        return httpFaces.stream()
                .flatMap(face -> face.files(store, directory).stream())
                .findFirst();
    }

    /** Moves keys in and out as RDB files, while no frontend runs. */
    public Optional<RdbTransfer> rdb(TableStore store, Settings settings) {
        return faces.stream()
                .flatMap(face -> face.rdb(store, settings).stream())
                .findFirst();
    }

    /** The directories inside the data directory where such files belong, by the name of their storage. */
    public Map<String, Path> fileBases(Path directory) {
        Map<String, Path> bases = new TreeMap<>();
        httpFaces.forEach(face -> bases.putAll(face.fileBases(directory)));
        return bases;
    }

    /** Without frontends on the HTTP port. */
    public Parts(EngineOpener engine, List<FaceOpener> faces) {
        this(engine, faces, List.of());
    }
}
