package packord.wire;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;

/**
 * Does a message again when the thread's stack was too small. A level of nesting takes a few hundred
 * bytes of stack in compiled code and up to a kilobyte while a part of the code is interpreted, so
 * that the permitted depth does not always fit the stack of the caller.
 */
public final class LargeStack {
  private static final int FRAMES = 4096;
  private static final int MAX_DEPTH = 1 << 14;

  private LargeStack() {}

  /** Whether a stack that holds this depth is worth making. */
  public static boolean holds(int depth) {
    return depth <= MAX_DEPTH;
  }

  /** Returns the result of {@code work}, done by a thread whose stack holds this depth. */
  public static <T> T call(int depth, Supplier<T> work) {
    CompletableFuture<T> result = new CompletableFuture<>();
    Runnable task =
        () -> {
          try {
            result.complete(work.get());
          } catch (Throwable failure) { // Also errors: they belong to the caller.
            result.completeExceptionally(failure);
          }
        };
    new Thread(null, task, "packord-large-stack", (1L << 20) + (long) FRAMES * depth).start();
    try {
      return result.join();
    } catch (CompletionException wrapped) {
      Throwable cause = wrapped.getCause();
      if (cause instanceof RuntimeException) throw (RuntimeException) cause;
      throw (Error) cause;
    }
  }
}
