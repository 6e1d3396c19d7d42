package packord.container;

import java.util.Arrays;
import packord.wire.Bytes;

/** Blocks of LZ4: sequences of literals and matches. */
final class Lz4Block {
  private static final int MIN_MATCH = 4;
  private static final int LAST_LITERALS = 5;
  private static final int LAST_MATCH = 12;
  private static final int MAX_DISTANCE = (1 << 16) - 1;
  private static final int HASH_BITS = 14;
  private static final int SKIP = 6;

  /** Where the last four bytes with a hash began, plus 1. */
  private final int[] seen = new int[1 << HASH_BITS];

  /**
   * Compresses a range.
   *
   * @return the index after the block in {@code out}, or -1 if that has no room
   */
  int compress(byte[] in, int from, int to, byte[] out, int at) {
    Arrays.fill(seen, 0);
    int anchor = from;
    int pos = from;
    int lastMatch = to - LAST_MATCH;
    int misses = 1 << SKIP;
    while (pos <= lastMatch) {
      int four = Bytes.little32(in, pos);
      int hash = four * 0x9e3779b1 >>> 32 - HASH_BITS;
      int match = seen[hash] - 1;
      seen[hash] = pos + 1;
      if (match < from || pos - match > MAX_DISTANCE || Bytes.little32(in, match) != four) {
        pos += misses++ >> SKIP;
        continue;
      }
      misses = 1 << SKIP;
      while (pos > anchor && match > from && in[pos - 1] == in[match - 1]) {
        pos--;
        match--;
      }
      int end = pos + MIN_MATCH;
      int distance = pos - match;
      int limit = to - LAST_LITERALS;
      int mismatch = Arrays.mismatch(in, end, limit, in, end - distance, limit - distance);
      end = mismatch < 0 ? limit : end + mismatch;
      at = sequence(in, anchor, pos, distance, end - pos, out, at);
      if (at < 0) return -1;
      pos = end;
      anchor = end;
    }
    return sequence(in, anchor, to, 0, MIN_MATCH, out, at);
  }

  /** Writes literals and, if the distance is not 0, a match. */
  private static int sequence(
      byte[] in, int from, int to, int distance, int length, byte[] out, int at) {
    int literals = to - from;
    int extra = length - MIN_MATCH;
    long needed = 1L + literals + literals / 255 + 1 + 2 + extra / 255 + 1;
    if (needed > out.length - at) return -1;
    int token = at++;
    if (literals >= 15) at = lengthBytes(literals - 15, out, at);
    System.arraycopy(in, from, out, at, literals);
    at += literals;
    out[token] = (byte) (Math.min(literals, 15) << 4 | (distance == 0 ? 0 : Math.min(extra, 15)));
    if (distance == 0) return at;
    out[at++] = (byte) distance;
    out[at++] = (byte) (distance >> 8);
    return extra >= 15 ? lengthBytes(extra - 15, out, at) : at;
  }

  private static int lengthBytes(int rest, byte[] out, int at) {
    for (; rest >= 255; rest -= 255) out[at++] = (byte) 255;
    out[at++] = (byte) rest;
    return at;
  }

  /**
   * Unpacks a block.
   *
   * @param first the first index of {@code out} that a match may begin at
   * @param to the index that {@code out} must not reach beyond
   * @return the index after the last byte in {@code out}, or -1 if the block is malformed
   */
  static int unpack(byte[] in, int from, int end, byte[] out, int first, int at, int to) {
    int pos = from;
    while (pos < end) {
      int token = in[pos++] & 0xff;
      int literals = token >> 4;
      if (literals == 15) {
        int more = 255;
        while (more == 255) {
          if (pos == end || literals > to - at) return -1;
          more = in[pos++] & 0xff;
          literals += more;
        }
      }
      if (literals > end - pos || literals > to - at) return -1;
      System.arraycopy(in, pos, out, at, literals);
      pos += literals;
      at += literals;
      if (pos == end) return at;
      if (end - pos < 2) return -1;
      int distance = in[pos] & 0xff | (in[pos + 1] & 0xff) << 8;
      pos += 2;
      if (distance == 0 || distance > at - first) return -1;
      int length = (token & 15) + MIN_MATCH;
      if ((token & 15) == 15) {
        int more = 255;
        while (more == 255) {
          if (pos == end || length > to - at) return -1;
          more = in[pos++] & 0xff;
          length += more;
        }
      }
      if (length > to - at) return -1;
      copy(out, at - distance, at, length);
      at += length;
    }
    return -1;
  }

  /** Copies bytes, of which some may be copied here. */
  private static void copy(byte[] out, int match, int at, int length) {
    int distance = at - match;
    if (distance >= length) {
      System.arraycopy(out, match, out, at, length);
      return;
    }
    for (int done = 0; done < length; ) {
      int count = Math.min(distance + done, length - done);
      System.arraycopy(out, match, out, at + done, count);
      done += count;
    }
  }
}
