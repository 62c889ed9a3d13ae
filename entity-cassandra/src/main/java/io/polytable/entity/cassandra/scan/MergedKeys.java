package io.polytable.entity.cassandra.scan;

import io.polytable.table.Bytes;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.PriorityQueue;

/** Merges several ordered iterators of keys, without duplicates. */
final class MergedKeys implements Iterator<Bytes> {
    private record Head(Bytes key, Iterator<Bytes> rest) {}

    private final PriorityQueue<Head> heads = new PriorityQueue<>(Comparator.comparing(Head::key));

    MergedKeys(List<Iterator<Bytes>> iterators) {
        iterators.forEach(this::push);
    }

    private void push(Iterator<Bytes> rest) {
        if (rest.hasNext()) {
            heads.add(new Head(rest.next(), rest));
        }
    }

    @Override
    public boolean hasNext() {
        return !heads.isEmpty();
    }

    @Override
    public Bytes next() {
        if (heads.isEmpty()) {
            throw new NoSuchElementException();
        }
        Bytes key = heads.element().key();
        while (!heads.isEmpty() && heads.element().key().equals(key)) {
            push(heads.remove().rest());
        }
        return key;
    }
}
