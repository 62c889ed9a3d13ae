package io.polytable.frontend.limit;

/** The configured shares do not fit into the heap. */
public final class MemoryPlanException extends RuntimeException {
    private static final long serialVersionUID = 1;

    MemoryPlanException(long plannedBytes, long limitBytes, long heapBytes) {
        super("the memory plan needs " + (plannedBytes >> 20) + " MB, and a heap of " + (heapBytes >> 20) + " MB has "
                + (limitBytes >> 20) + " MB for it; lower memory.rows or raise memory.heap");
    }
}
