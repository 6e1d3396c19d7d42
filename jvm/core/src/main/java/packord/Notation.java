package packord;

import java.util.function.Function;
import packord.decode.Decoder;
import packord.decode.StepReader;
import packord.notation.NotationParser;

/**
 * Diagnostic notation ({@code spec/diagnostic-notation.md}): packed data as text, and back to the same
 * bytes. It is JSON for every value that JSON has, and marks what JSON cannot show.
 *
 * <pre>{@code
 * Notation.of(bytes);                   // {"name": "ada", "id": 7_u16, "raw": h'00ff'}
 * Notation.parse("[1, 2_u16, nil]");    // 93 01 cd 00 02 c0
 * }</pre>
 */
public final class Notation {
  private Notation() {}

  /**
   * Returns the notation of the messages in an array, each on a line of its own.
   *
   * @param bytes any number of messages
   * @return the text
   * @throws PackordException when the bytes are not messages
   */
  public static String of(byte[] bytes) {
    return of(bytes, Options.builder().build(), false);
  }

  /**
   * Returns the notation of the messages in an array.
   *
   * @param bytes any number of messages
   * @param options limits, and whether records are on; canonical, duplicateKey and maxNodes are not
   *     checked
   * @param indented whether each element is on a line of its own
   * @return the text
   * @throws PackordException when the bytes are not messages
   */
  public static String of(byte[] bytes, Options options, boolean indented) {
    return of(bytes, options, indented, Decoder::new);
  }

  /** Returns the notation, with the errors of the decoder that the function makes. */
  static String of(
      byte[] bytes, Options options, boolean indented, Function<Options, Decoder> newDecoder) {
    Options reading =
        options.toBuilder()
            .timestamps(Options.Timestamps.TIMESTAMP)
            .canonical(false)
            .duplicateKey(Options.DuplicateKey.LAST)
            .maxNodes(Long.MAX_VALUE)
            .build();
    StepReader steps = StepReader.of(newDecoder.apply(reading), bytes, 0, bytes.length);
    return new NotationWriter(reading.records, indented).messages(steps);
  }

  /**
   * Returns the bytes of the messages in a string.
   *
   * @param text any number of values
   * @return their bytes
   * @throws NotationException when the text is not notation
   */
  public static byte[] parse(String text) {
    return parse(text, Options.builder().build());
  }

  /**
   * Returns the bytes of the messages in a string.
   *
   * @param text any number of values
   * @param options those with which the bytes will be read: whether records are on, sequential, and which
   *     structures are shared
   * @return their bytes
   * @throws NotationException when the text is not notation
   */
  public static byte[] parse(String text, Options options) {
    return new NotationParser(text, options).messages();
  }
}
