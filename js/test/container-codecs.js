/** A codec from another package, as a program passes it to readers of container files. */
import { Decompress } from 'fzstd';

/** Puts parts together, which may have `most` bytes. */
function collected(most) {
  const parts = [];
  let size = 0;
  return {
    add(part) {
      size += part.length;
      if (size > most) throw new Error('The data is too large');
      parts.push(Uint8Array.from(part));
    },
    bytes: () => Buffer.concat(parts),
  };
}

/** zstd by fzstd, which does not compress. */
export const zstd = {
  decompress(data, { rawSize }) {
    if (data.length === 0) throw new Error('There is no frame');
    const out = collected(rawSize);
    new Decompress((part) => out.add(part)).push(data, true);
    return out.bytes();
  },
};
