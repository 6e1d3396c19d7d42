import type { MsgpackDecodeError } from '../../errors/errors.ts';
import type { IndexedBlock } from '../index/ContainerIndex.ts';
import type { CheckedCondition } from '../index/predicate.ts';
import type { BlockFrame } from './BlockFrame.ts';

/** Bytes of a file that were passed over, with the fault in them. */
export interface DamagedRange {
  /** Offset of the first byte. */
  readonly from: number;
  /** Offset after the last byte. */
  readonly to: number;
  readonly error: MsgpackDecodeError;
}

export interface FoundBlock {
  readonly frame: BlockFrame;
  /** The block in the index, where that is used. */
  readonly listed: IndexedBlock | undefined;
}

/** What blocks a walk returns. */
export interface WalkOptions {
  /** The mark of the file, and the codec of blocks that name none. */
  readonly mark: Uint8Array;
  readonly codec: string;
  readonly maxBlock: number;
  /** Whether faults are passed over, and where they are added. */
  readonly skips: boolean;
  readonly damaged: DamagedRange[];
  /** Whether chunks are read, and their crcs compared, when they are needed. */
  readonly isLazy: boolean;
  /** The split: offsets in which marks begin. */
  readonly first: number;
  readonly last: number;
  readonly conditions: readonly CheckedCondition[];
  readonly knows: (codec: string) => boolean;
  readonly signal: AbortSignal | undefined;
}

/** A way through the blocks of a file. */
export interface BlockWalk {
  /** Returns the next block; undefined at the end. A fault that is not passed over is thrown. */
  next(): Promise<FoundBlock | undefined>;
  /** Passes over the block that was returned last, in which there is a fault; or throws that. */
  fault(frame: BlockFrame, error: unknown): Promise<void>;
}
