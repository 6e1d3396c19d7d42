package packord;

import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Supplier;

/** Keeps a few objects for the next user, from any thread; makes a new one when there is none. */
final class Pool<T> {
    private static final int SLOTS = 8;
    private static final int APART = 16;

    private final AtomicReferenceArray<T> free = new AtomicReferenceArray<>(SLOTS * APART);
    private final Supplier<? extends T> factory;

    Pool(Supplier<? extends T> factory) {
        this.factory = factory;
    }

    private static int slot() {
        return (int) (Thread.currentThread().getId() & SLOTS - 1) * APART;
    }

    T acquire() {
        T pooled = free.getAndSet(slot(), null);
        return pooled != null ? pooled : factory.get();
    }

    void release(T used) {
        free.lazySet(slot(), used);
    }
}
