//! Tables by which the bytes of a vector are moved, all of them made by the compiler.

/// By where the characters of the next twelve bytes end (bit `n`: one ends at byte `n`): the index
/// into [`GATHER`], and how many bytes that takes.
///
/// Well-formed bytes below U+10000 always have one of two forms: six characters of up to two bytes,
/// four of up to three. The entries that only other bytes could ask for move on too.
pub static STEPS: [[u8; 2]; 4096] = steps();

/// Below this index of [`GATHER`]: six characters, in lanes of 16 bits; then four, in lanes of 32.
pub const SIX: usize = 64;
/// How many forms there are.
const FORMS: usize = SIX + 81;

/// The bytes of characters into lanes, the last byte of each character first.
pub static GATHER: [[u8; 16]; FORMS] = gather();

/// Makes a byte of a shuffle zero.
const ZERO: u8 = 0x80;

/// By the index, the bytes of a vector of which a condition is true, moved together.
macro_rules! kept {
    ($length:literal, |$index:ident, $at:ident| $condition:expr) => {{
        let mut table = [[ZERO; $length]; 256];
        let mut $index = 0;
        while $index < 256 {
            let (mut $at, mut to) = (0, 0);
            while $at < $length {
                if $condition {
                    table[$index][to] = $at as u8;
                    to += 1;
                }
                $at += 1;
            }
            $index += 1;
        }
        table
    }};
}

/// By which of eight bytes are to go (bit set): the others.
pub static WITHOUT: [[u8; 8]; 256] = kept!(8, |index, at| index >> at & 1 == 0);

/// By which of eight lanes of 16 bits have two bytes: all bytes.
pub static PACK_TWO: [[u8; 16]; 256] = kept!(16, |index, at| at % 2 == 0 || index >> (at / 2) & 1 == 1);

/// By the count of bytes less one of each of four lanes of 32 bits, the low bits of the counts in
/// the low half of the index, the high bits in the other: all bytes.
pub static PACK_FOUR: [[u8; 16]; 256] = kept!(16, |index, at| {
    let lane = at / 4;
    at % 4 <= (index >> lane & 1) + 2 * (index >> (lane + 4) & 1)
});

const fn steps() -> [[u8; 2]; 4096] {
    let mut table = [[0, 12]; 4096];
    let mut ends = 0;
    while ends < 4096 {
        let mut lengths = [0; 6];
        let (mut count, mut begin, mut at) = (0, 0, 0);
        while at < 12 && count < 6 {
            if ends >> at & 1 == 1 {
                lengths[count] = at + 1 - begin;
                begin = at + 1;
                count += 1;
            }
            at += 1;
        }
        table[ends] = if let Some(step) = step(&lengths, 6, 2, 0) {
            step
        } else if let Some(step) = step(&lengths, 4, 3, SIX) {
            step
        } else {
            [0, 12]
        };
        ends += 1;
    }
    table
}

/// The step over `count` characters if each has at least one and at most `longest` bytes; `first`
/// is the index of the steps of this form.
const fn step(lengths: &[usize; 6], count: usize, longest: usize, first: usize) -> Option<[u8; 2]> {
    let (mut index, mut bytes, mut at) = (0, 0, count);
    while at > 0 {
        at -= 1;
        if lengths[at] == 0 || lengths[at] > longest {
            return None;
        }
        index = index * longest + lengths[at] - 1;
        bytes += lengths[at];
    }
    Some([(first + index) as u8, bytes as u8])
}

const fn gather() -> [[u8; 16]; FORMS] {
    let mut table = [[ZERO; 16]; FORMS];
    let mut index = 0;
    while index < table.len() {
        let (mut rest, count, longest, lane) = if index < SIX {
            (index, 6, 2, 2)
        } else {
            (index - SIX, 4, 3, 4)
        };
        let (mut at, mut begin) = (0, 0);
        while at < count {
            let length = rest % longest + 1;
            rest /= longest;
            let mut byte = 0;
            while byte < length {
                table[index][at * lane + byte] = (begin + length - 1 - byte) as u8;
                byte += 1;
            }
            begin += length;
            at += 1;
        }
        index += 1;
    }
    table
}
