import { FIRST_ID, FIRST_WIDE_ID, NO_IDS } from '../record/structures.ts';
import { WHOLE_SIZE } from '../wire/header.ts';
import * as M from '../wire/markers.ts';
import { Walker } from './Walker.ts';

/** Sizes of short values while records are on: markers that may be ids have none. */
const RECORD_SIZES: Uint8Array = /* @__PURE__ */ WHOLE_SIZE.slice().fill(0, FIRST_ID, NO_IDS);

export class Skipper extends Walker {
  /** Sizes of short values by their marker. */
  readonly sizes: Uint8Array = this.fix === FIRST_ID ? RECORD_SIZES : WHOLE_SIZE;

  /** Skips values from the position on, with everything in them. */
  skip(count = 1): void {
    let unread: number[] | undefined;
    let left = count;
    this.pending += count;
    for (;;) {
      left -= this.#skipShort(left);
      if (left > 0) {
        left--;
        this.pending--;
        const inner = this.#skipHeader();
        if (inner > 0) {
          this.pending += inner;
          const rest = inner - this.#skipShort(inner);
          if (rest === 0) this.depth--;
          else {
            unread ??= [];
            unread.push(left);
            left = rest;
          }
        }
      }
      while (left === 0) {
        const outer = unread?.pop();
        if (outer === undefined) return;
        this.depth--;
        left = outer;
      }
    }
  }

  /** Skips short values by their markers, which is most of what is skipped; returns their number. */
  #skipShort(most: number): number {
    const { src, end, sizes } = this;
    let p = this.pos;
    let n = 0;
    for (; n < most && p + 1 < end; n++) {
      const t = src[p] as number;
      let size = sizes[t] as number;
      if (size === 0) {
        if (t !== M.STR8 && t !== M.BIN8) break;
        size = 2 + (src[p + 1] as number);
      }
      // The size is not a number where the memory was transferred.
      if (!(p + size <= end)) break;
      p += size;
    }
    this.pos = p;
    this.pending -= n;
    return n;
  }

  /** Skips a value except for those in it; returns their number. */
  #skipHeader(): number {
    const markerOffset = this.pos;
    const t = this.src[markerOffset] as number;
    if (markerOffset < this.end && t >= M.FIXMAP && t < M.FIXSTR) {
      const count = t & 0x0f;
      this.pos = markerOffset + 1;
      if (t < M.FIXARRAY) this.openMap(count, markerOffset);
      else this.openArray(count, markerOffset);
      if (count === 0) this.depth--;
      return t < M.FIXARRAY ? count * 2 : count;
    }
    if (t >= this.fix && t < FIRST_WIDE_ID && markerOffset < this.end) {
      const count = this.structures?.slots[t - FIRST_ID]?.keys.length ?? 0;
      if (count > 0) {
        this.pos = markerOffset + 1;
        this.openRecord(count, markerOffset);
        return count;
      }
    }
    const container = this.enter();
    if (container !== null) {
      const inner = container.kind === 'map' ? container.count * 2 : container.count;
      if (inner === 0) this.depth--;
      return inner;
    }
    if (!this.skipPayload()) return 0;
    this.deepen(markerOffset);
    return 1;
  }
}
