package io.polytable.redis.model.order;

import io.polytable.table.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * A separator of the counted index: the number of elements from its place up to the next fence of its level, and the
 * number of fences on the level below. The element that once stood at the place may be gone. The first fence of each
 * level is at the start, so every element is covered on every level.
 */
final class Fence {
    /** The written count of a fence without a row. */
    private static final long UNWRITTEN = -1;

    /** The memory of a fence besides its place: two objects with their headers, and its slot in a page. */
    private static final int OVERHEAD_BYTES = 112;

    final Bytes place;
    final int level;
    private long elements;
    private int children;
    private long writtenElements;
    private int writtenChildren;
    private boolean gone;

    /** Whether it is in the list of fences whose rows may need to be written. */
    private boolean touched;

    private @Nullable FencePage page;
    private @Nullable SmallOrder stretch;

    private Fence(Bytes place, int level, long elements, int children) {
        this.place = place;
        this.level = level;
        this.elements = elements;
        this.children = children;
        this.writtenElements = UNWRITTEN;
    }

    /** A new fence of the first level. */
    static Fence leaf(Bytes place, long elements) {
        return new Fence(place, 1, elements, 0);
    }

    /** A new fence over a page of fences. */
    static Fence over(Bytes place, FencePage page) {
        Fence fence = new Fence(place, page.level() + 1, page.elements(), page.size());
        fence.page = page;
        return fence;
    }

    /** A fence read from its row. */
    static Fence read(Bytes place, int level, long elements, int children) {
        Fence fence = new Fence(place, level, elements, children);
        fence.writtenElements = elements;
        fence.writtenChildren = children;
        return fence;
    }

    long elements() {
        return elements;
    }

    int children() {
        return children;
    }

    /** The fences beneath, if they are in memory. */
    @Nullable
    FencePage page() {
        return page;
    }

    void page(@Nullable FencePage loaded) {
        page = loaded;
    }

    /** The elements behind a fence of the first level, if they are in memory. */
    @Nullable
    SmallOrder stretch() {
        return stretch;
    }

    void stretch(@Nullable SmallOrder all) {
        stretch = all;
    }

    void add(long difference) {
        elements += difference;
    }

    void addChildren(int difference) {
        children += difference;
    }

    /** Recounts after the page beneath was split or joined. */
    void recount(FencePage beneath) {
        page = beneath;
        elements = beneath.elements();
        children = beneath.size();
    }

    void remove() {
        gone = true;
        page = null;
    }

    boolean isGone() {
        return gone;
    }

    boolean isWritten() {
        return writtenElements != UNWRITTEN;
    }

    boolean differsFromRow() {
        return elements != writtenElements || children != writtenChildren;
    }

    void wasWritten() {
        writtenElements = elements;
        writtenChildren = children;
    }

    /** Marks the fence; returns whether this is the first touch since the last {@link #untouch()}. */
    boolean touch() {
        boolean first = !touched;
        touched = true;
        return first;
    }

    void untouch() {
        touched = false;
    }

    int memoryBytes() {
        return OVERHEAD_BYTES + place.length();
    }
}
