package packord.wire;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;

/**
 * Does a message again when the thread's stack was too small. A level of nesting takes a few hundred bytes of stack in
 * compiled code and up to a kilobyte while a part of the code is interpreted, so that the permitted depth does not
 * always fit the stack of the caller.
 */
public final class LargeStack {
    private static final int FRAMES = 4096;
    private static final int MAX_DEPTH = 1 << 14;

    private LargeStack() {}

    /**
     * Returns the result of {@code work}, done by a thread whose stack holds this depth, or 16,384. The thread has no
     * ThreadLocals of the caller, so that the work must not run code of the program.
     */
    public static <T> T call(int depth, Supplier<T> work) {
        CompletableFuture<T> result = new CompletableFuture<>();
        Runnable task = () -> {
            try {
                result.complete(work.get());
            } catch (Throwable failure) { // Also errors: they belong to the caller.
                result.completeExceptionally(failure);
            }
        };
        long size = (1L << 20) + (long) FRAMES * Math.min(depth, MAX_DEPTH);
        Thread thread = new Thread(null, task, "packord-large-stack", size);
        thread.start();
        try {
            return result.join();
        } catch (CompletionException wrapped) {
            Throwable cause = wrapped.getCause();
            if (cause instanceof RuntimeException) throw (RuntimeException) cause;
            throw (Error) cause;
        }
    }
}
