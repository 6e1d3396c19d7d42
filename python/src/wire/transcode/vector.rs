//! UTF-8 to the units of a `str` and back, by vectors of 16 and 32 bytes.
//!
//! # Safety
//!
//! The processor has AVX2, and the ranges are readable and writable as said at each function. The
//! bytes are well-formed UTF-8; if another process changes them meanwhile, as it can in shared
//! memory, the result is wrong, but nothing outside the ranges is touched.

use std::arch::x86_64::*;

use super::tables::{GATHER, PACK_FOUR, PACK_TWO, SIX, STEPS, WITHOUT};

#[inline]
#[target_feature(enable = "avx2")]
unsafe fn load(from: *const u8) -> __m128i {
    _mm_loadu_si128(from.cast())
}

/// The rest of a string, with zeros after it.
pub type Rest = [u8; 2 * AHEAD];

/// How many bytes can be read after the end that [`blocks`] is given.
const AHEAD: usize = 128;
/// Text up to this length is copied to the `Rest` at once, where 64 bytes after it can be read. 50 characters of
/// Chinese, 150 bytes, take .85 of the time that two copies take.
const COPIED: usize = 192;
/// How many units can be touched after those that a step stores.
const TOUCHED: usize = 24;

/// Counts characters and finds the largest byte.
struct Measure {
    count: usize,
    largest: __m256i,
}

impl Measure {
    #[inline]
    #[target_feature(enable = "avx2,popcnt")]
    unsafe fn add(&mut self, vector: __m256i) {
        let leads = _mm256_cmpgt_epi8(vector, _mm256_set1_epi8(-0x41));
        self.count += (_mm256_movemask_epi8(leads) as u32).count_ones() as usize;
        self.largest = _mm256_max_epu8(self.largest, vector);
    }
}

/// If the bytes are well-formed UTF-8: how many characters there are, and whether there is a byte
/// above c3 and one above ef. Fills in the rest if it is all of the bytes.
#[target_feature(enable = "avx2,popcnt")]
pub unsafe fn check(bytes: &[u8], rest: &mut Rest) -> Option<(usize, bool, bool)> {
    let length = bytes.len();
    let mut measure = Measure {
        count: 0,
        largest: _mm256_setzero_si256(),
    };
    let (blocks, tail) = bytes.split_at(length & !31);
    let short = length <= COPIED;
    let place = rest.as_mut_ptr().add(if short { blocks.len() } else { 0 });
    std::ptr::copy_nonoverlapping(tail.as_ptr(), place, tail.len());
    for (at, block) in blocks.chunks_exact(32).enumerate() {
        let vector = _mm256_loadu_si256(block.as_ptr().cast());
        measure.add(vector);
        if short {
            // Not by a copy of all of them: loads of 32 bytes would wait for its stores.
            _mm256_storeu_si256(rest.as_mut_ptr().add(32 * at).cast(), vector);
        }
    }
    measure.add(_mm256_loadu_si256(place.cast()));
    // Zeros end a sequence that is cut off as well as the end does.
    let bytes = if short {
        &rest[..length.next_multiple_of(64)]
    } else {
        bytes
    };
    if simdutf8::basic::imp::x86::avx2::validate_utf8(bytes).is_err() {
        return None;
    }
    let largest = measure.largest;
    let above = |limit: u8| {
        let more = _mm256_subs_epu8(largest, _mm256_set1_epi8(limit as i8));
        _mm256_testz_si256(more, more) == 0
    };
    // The zeros have been counted as characters.
    Some((measure.count - (32 - tail.len()), above(0xc3), above(0xef)))
}

/// UTF-8 below U+0100 into `count` bytes.
#[target_feature(enable = "avx2,popcnt")]
pub unsafe fn to_latin1(bytes: &[u8], _: &mut Rest, to: *mut u8, count: usize) {
    let (mut from, end) = (bytes.as_ptr(), bytes.as_ptr_range().end);
    let (mut next, to_end) = (to, to.add(count));
    let mut before = _mm_setzero_si128();
    while end as usize - from as usize >= 16 && to_end as usize - next as usize >= 16 {
        (before, next) = narrow(load(from), before, next);
        from = from.add(16);
    }
    // The rest, with zeros after it and with room for what is touched: up to 31 bytes.
    while from < end && next < to_end {
        let mut tail = [0; 16];
        let length = (end as usize - from as usize).min(16);
        std::ptr::copy_nonoverlapping(from, tail.as_mut_ptr(), length);
        let mut units = [0; 16];
        let stored;
        (before, stored) = narrow(load(tail.as_ptr()), before, units.as_mut_ptr());
        let units = &units[..stored as usize - units.as_ptr() as usize];
        let units = &units[..units.len().min(to_end as usize - next as usize)];
        std::ptr::copy_nonoverlapping(units.as_ptr(), next, units.len());
        from = from.add(length);
        next = next.add(units.len());
    }
}

/// Stores the Latin-1 of 16 bytes that come after those of `before`. Returns the bytes, and where
/// the units end; up to 16 are touched.
#[inline]
#[target_feature(enable = "avx2,popcnt")]
unsafe fn narrow(vector: __m128i, before: __m128i, to: *mut u8) -> (__m128i, *mut u8) {
    // A lead of c3 adds 40 to the byte after it, one of c2 nothing; then the leads go.
    let previous = _mm_alignr_epi8::<15>(vector, before);
    let c3 = _mm_cmpeq_epi8(previous, _mm_set1_epi8(0xc3_u8 as i8));
    let units = _mm_add_epi8(vector, _mm_and_si128(c3, _mm_set1_epi8(0x40)));
    let lead = _mm_cmpeq_epi8(
        _mm_and_si128(vector, _mm_set1_epi8(0xfe_u8 as i8)),
        _mm_set1_epi8(0xc2_u8 as i8),
    );
    let leads = _mm_movemask_epi8(lead) as usize;
    if leads == 0 {
        _mm_storeu_si128(to.cast(), units);
        return (vector, to.add(16));
    }
    let (low, high) = (leads & 0xff, leads >> 8);
    let shuffle = |index: usize| _mm_loadl_epi64(WITHOUT[index].as_ptr().cast());
    let upper = to.add(8 - low.count_ones() as usize);
    _mm_storel_epi64(to.cast(), _mm_shuffle_epi8(units, shuffle(low)));
    let high_units = _mm_srli_si128::<8>(units);
    _mm_storel_epi64(upper.cast(), _mm_shuffle_epi8(high_units, shuffle(high)));
    (vector, upper.add(8 - high.count_ones() as usize))
}

/// UTF-8 into `count` units of `SIZE` bytes: 2 (below U+10000) or 4. `rest` is as [`check`] left it.
#[target_feature(enable = "avx2")]
pub unsafe fn to_units<const SIZE: usize>(bytes: &[u8], rest: &mut Rest, to: *mut u8, count: usize) {
    let (mut from, end) = (bytes.as_ptr(), bytes.as_ptr_range().end);
    let (mut next, to_end) = (to, to.add(count * SIZE));
    if bytes.len() > COPIED {
        (from, next) = blocks::<SIZE>(from, end.sub(AHEAD), next, to_end);
    }
    let length = end as usize - from as usize;
    let room = to_end as usize - next as usize;
    if length > COPIED || room > COPIED * SIZE {
        // The bytes have been changed meanwhile.
        std::ptr::write_bytes(next, b'?', room);
        return;
    }
    if bytes.len() > COPIED {
        std::ptr::copy_nonoverlapping(from, rest.as_mut_ptr(), length);
    }
    let from = rest.as_ptr();
    let end = from.add(length);
    // The last units have no room after them.
    let mut units = std::mem::MaybeUninit::<[u32; 2 * AHEAD]>::uninit();
    let start = units.as_mut_ptr().cast::<u8>();
    blocks::<SIZE>(from, end, start, start.add(2 * AHEAD * SIZE));
    copy(start, next, to_end as usize - next as usize);
}

/// Copies what has been stored just now, from the first byte on: the last stores are then done.
#[inline]
#[target_feature(enable = "avx2")]
unsafe fn copy(from: *const u8, to: *mut u8, count: usize) {
    if count < 32 {
        return std::ptr::copy_nonoverlapping(from, to, count);
    }
    let part = |at: usize| {
        _mm256_storeu_si256(to.add(at).cast(), _mm256_loadu_si256(from.add(at).cast()));
    };
    for at in (0..count - 31).step_by(32) {
        part(at);
    }
    part(count - 32);
}

/// Stores units until the bytes have come to the end, or the units so near to theirs that more
/// than there are could be touched. Returns how far both have come.
#[inline(never)]
#[target_feature(enable = "avx2,popcnt")]
unsafe fn blocks<const SIZE: usize>(
    mut from: *const u8,
    end: *const u8,
    mut to: *mut u8,
    to_end: *mut u8,
) -> (*const u8, *mut u8) {
    const THREES: u64 = 0x9249_2492_4924;
    let room = |to: *mut u8| (to_end as usize - to as usize) / SIZE;
    // Where characters end is found out for 64 bytes at once: a step then waits for no load but
    // that of its length.
    while from < end && room(to) >= TOUCHED {
        let (wide, leads) = masks(from);
        let (mut ascii, mut ends, mut at) = (!wide, leads >> 1, 0);
        if room(to) >= 64 {
            if wide == 0 {
                for part in 0..4 {
                    put_ascii::<SIZE>(to.add(16 * part * SIZE), load(from.add(16 * part)));
                }
                (from, to) = (from.add(64), to.add(64 * SIZE));
                continue;
            }
            if SIZE == 2 && ends & 0xffff_ffff_ffff == THREES {
                put_eight_of_three(to, from);
                put_eight_of_three(to.add(16), from.add(24));
                (from, to) = (from.add(48), to.add(32));
                continue;
            }
        }
        if SIZE == 4 {
            while at < 64 && from.add(at) < end && room(to) >= TOUCHED {
                let stored = put_beginning(to, from.add(at), (leads >> at) as u8);
                (at, to) = (at + 8, to.add(stored * SIZE));
            }
            from = from.add(at);
            continue;
        }
        while at < 64 - 12 && from.add(at) < end && room(to) >= TOUCHED {
            if SIZE == 2 && ends & 0xff_ffff == THREES & 0xff_ffff {
                put_eight_of_three(to, from.add(at));
                (at, to) = (at + 24, to.add(16));
                (ascii, ends) = (ascii >> 24, ends >> 24);
                continue;
            }
            // Nobody can foresee how much ASCII there is: up to 16 characters are stored in any
            // case, and taken as far as they are ASCII.
            put_ascii::<SIZE>(to, load(from.add(at)));
            let count = (ascii.trailing_ones() as usize).min(16);
            (at, to) = (at + count, to.add(count * SIZE));
            (ascii, ends) = (ascii >> count, ends >> count);
            if at >= 64 - 12 {
                break;
            }
            let (bytes, units) = step(load(from.add(at)), ends, to);
            (at, to) = (at + bytes, to.add(units * SIZE));
            (ascii, ends) = (ascii >> bytes, ends >> bytes);
        }
        from = from.add(at);
    }
    (from, to)
}

/// Stores eight characters of three bytes each; 28 bytes are read.
#[inline]
#[target_feature(enable = "avx2")]
unsafe fn put_eight_of_three(to: *mut u8, from: *const u8) {
    let bytes = _mm256_inserti128_si256::<1>(_mm256_castsi128_si256(load(from)), load(from.add(12)));
    let order = _mm_setr_epi8(2, 1, 0, -1, 5, 4, 3, -1, 8, 7, 6, -1, 11, 10, 9, -1);
    let lanes = _mm256_shuffle_epi8(bytes, _mm256_broadcastsi128_si256(order));
    let low = _mm256_and_si256(lanes, _mm256_set1_epi32(0x7f));
    let middle = _mm256_and_si256(lanes, _mm256_set1_epi32(0x3f00));
    let high = _mm256_and_si256(lanes, _mm256_set1_epi32(0x000f_0000));
    let both = _mm256_or_si256(low, _mm256_srli_epi32::<2>(middle));
    let units = _mm256_or_si256(both, _mm256_srli_epi32::<4>(high));
    let packed = _mm256_packus_epi32(units, units);
    let packed = _mm256_permute4x64_epi64::<0b1000>(packed);
    _mm_storeu_si128(to.cast(), _mm256_castsi256_si128(packed));
}

/// Which of the next 64 bytes are not ASCII, and which begin a character.
#[inline]
#[target_feature(enable = "avx2")]
unsafe fn masks(from: *const u8) -> (u64, u64) {
    let low = _mm256_loadu_si256(from.cast());
    let high = _mm256_loadu_si256(from.add(32).cast());
    let both = |low: __m256i, high: __m256i| {
        let bits = |vector| u64::from(_mm256_movemask_epi8(vector) as u32);
        bits(low) | bits(high) << 32
    };
    let lead = |vector| _mm256_cmpgt_epi8(vector, _mm256_set1_epi8(-0x41));
    (both(low, high), both(lead(low), lead(high)))
}

/// Stores the next few characters, of which `ends` says where they end. Returns how many bytes and
/// units of 16 bits they are. Up to eight units are touched.
#[inline]
#[target_feature(enable = "avx2")]
unsafe fn step(vector: __m128i, ends: u64, to: *mut u8) -> (usize, usize) {
    if ends & 0x3fff == 0x2aaa {
        let high = _mm_slli_epi16::<6>(_mm_and_si128(vector, _mm_set1_epi16(0x1f)));
        let low = _mm_and_si128(_mm_srli_epi16::<8>(vector), _mm_set1_epi16(0x3f));
        _mm_storeu_si128(to.cast(), _mm_or_si128(high, low));
        return (14, 7);
    }
    let [index, bytes] = STEPS[(ends & 0xfff) as usize];
    let index = usize::from(index);
    let lanes = _mm_shuffle_epi8(vector, load(GATHER.get_unchecked(index).as_ptr()));
    if index < SIX {
        let low = _mm_and_si128(lanes, _mm_set1_epi16(0x7f));
        let high = _mm_and_si128(lanes, _mm_set1_epi16(0x1f00));
        _mm_storeu_si128(to.cast(), _mm_or_si128(low, _mm_srli_epi16::<2>(high)));
        return (usize::from(bytes), 6);
    }
    put_four(to, up_to_three(lanes));
    (usize::from(bytes), 4)
}

/// Stores the characters, of any length, that begin within eight bytes, as units of 32 bits; `leads`
/// says at which bytes. Returns how many they are. Up to eight units are touched.
///
/// A number is made of the four bytes at each place, and those at the leads are kept: no step waits
/// for another to say where its characters end, and nothing hangs on what can't be foreseen.
#[inline]
#[target_feature(enable = "avx2,popcnt")]
unsafe fn put_beginning(to: *mut u8, from: *const u8, leads: u8) -> usize {
    // The four bytes from a place on, the first one highest.
    let places = _mm256_setr_epi8(
        3, 2, 1, 0, 4, 3, 2, 1, 5, 4, 3, 2, 6, 5, 4, 3, // a lane of the vector
        7, 6, 5, 4, 8, 7, 6, 5, 9, 8, 7, 6, 10, 9, 8, 7,
    );
    let bytes = _mm256_shuffle_epi8(_mm256_broadcastsi128_si256(load(from)), places);
    // Six bits of each byte, moved together.
    let six = _mm256_and_si256(bytes, _mm256_set1_epi8(0x3f));
    let twelve = _mm256_maddubs_epi16(six, _mm256_set1_epi16(0x4001));
    let all = _mm256_madd_epi16(twelve, _mm256_set1_epi32(0x1000_0001));
    // By the upper half of the lead: the bits of the bytes that belong to other characters, and how
    // many of 21 bits a number does not have.
    let table = |two: i8, three: i8| {
        let row = _mm_setr_epi8(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, two, two, three, 0);
        _mm256_broadcastsi128_si256(row)
    };
    let half = _mm256_srli_epi32::<28>(bytes);
    let others = _mm256_shuffle_epi8(table(12, 6), half);
    let unused = _mm256_shuffle_epi8(table(10, 5), half);
    let mask = _mm256_srlv_epi32(_mm256_set1_epi32(0x1f_ffff), unused);
    let number = _mm256_and_si256(_mm256_srlv_epi32(all, others), mask);
    let ascii = _mm256_srli_epi32::<24>(bytes);
    let float = |vector| _mm256_castsi256_ps(vector);
    let units = _mm256_blendv_ps(float(ascii), float(number), float(bytes));
    let kept = _mm_loadl_epi64(WITHOUT[usize::from(!leads)].as_ptr().cast());
    let units = _mm256_permutevar8x32_ps(units, _mm256_cvtepu8_epi32(kept));
    _mm256_storeu_ps(to.cast(), units);
    leads.count_ones() as usize
}

/// Stores sixteen characters of ASCII.
#[inline]
#[target_feature(enable = "avx2")]
unsafe fn put_ascii<const SIZE: usize>(to: *mut u8, vector: __m128i) {
    if SIZE == 2 {
        _mm256_storeu_si256(to.cast(), _mm256_cvtepu8_epi16(vector));
    } else {
        let upper = _mm_srli_si128::<8>(vector);
        _mm256_storeu_si256(to.cast(), _mm256_cvtepu8_epi32(vector));
        _mm256_storeu_si256(to.add(32).cast(), _mm256_cvtepu8_epi32(upper));
    }
}

/// Stores four units below U+10000.
#[inline]
#[target_feature(enable = "avx2")]
unsafe fn put_four(to: *mut u8, units: __m128i) {
    _mm_storel_epi64(to.cast(), _mm_packus_epi32(units, units));
}

/// Lanes with the bytes of a character of up to three bytes, the last byte lowest.
#[inline]
#[target_feature(enable = "avx2")]
unsafe fn up_to_three(lanes: __m128i) -> __m128i {
    let low = _mm_and_si128(lanes, _mm_set1_epi32(0x7f));
    let middle = _mm_and_si128(lanes, _mm_set1_epi32(0x3f00));
    let high = _mm_and_si128(lanes, _mm_set1_epi32(0x000f_0000));
    let both = _mm_or_si128(low, _mm_srli_epi32::<2>(middle));
    _mm_or_si128(both, _mm_srli_epi32::<4>(high))
}

/// Packs Latin-1 as UTF-8, eight characters at a time; two bytes for each are touched, and 16 more.
/// Returns how many characters it took, and where their bytes end.
#[target_feature(enable = "avx2,popcnt")]
pub unsafe fn from_latin1(units: &[u8], mut to: *mut u8) -> (usize, *mut u8) {
    let (mut from, end) = (units.as_ptr(), units.as_ptr_range().end);
    while end as usize - from as usize >= 16 {
        let vector = load(from);
        if _mm_movemask_epi8(vector) == 0 {
            _mm_storeu_si128(to.cast(), vector);
            to = to.add(16);
        } else {
            to = put_two(to, _mm_cvtepu8_epi16(vector));
            to = put_two(to, _mm_cvtepu8_epi16(_mm_srli_si128::<8>(vector)));
        }
        from = from.add(16);
    }
    (from as usize - units.as_ptr() as usize, to)
}

/// Packs eight characters below U+0800.
#[inline]
#[target_feature(enable = "avx2,popcnt")]
unsafe fn put_two(to: *mut u8, units: __m128i) -> *mut u8 {
    let ascii = _mm_cmplt_epi16(units, _mm_set1_epi16(0x80));
    let lead = _mm_srli_epi16::<6>(units);
    let tail = _mm_slli_epi16::<8>(_mm_and_si128(units, _mm_set1_epi16(0x3f)));
    let both = _mm_or_si128(_mm_or_si128(lead, tail), _mm_set1_epi16(0x80c0_u16 as i16));
    let bytes = _mm_blendv_epi8(both, units, ascii);
    let wide = !_mm_movemask_epi8(_mm_packs_epi16(ascii, ascii)) as usize & 0xff;
    _mm_storeu_si128(to.cast(), _mm_shuffle_epi8(bytes, load(PACK_TWO[wide].as_ptr())));
    to.add(8 + wide.count_ones() as usize)
}

/// Packs units of 16 bits as UTF-8, eight at a time, up to the first surrogate; 16 bytes more than
/// there are may be touched.
#[target_feature(enable = "avx2,popcnt")]
pub unsafe fn from_ucs2(units: &[u16], mut to: *mut u8) -> (usize, *mut u8) {
    let mut at = 0;
    while units.len() - at >= 8 {
        let vector = load(units.as_ptr().add(at).cast());
        // Whether no unit has a bit of the mask.
        let below = |mask: i16| _mm_testz_si128(vector, _mm_set1_epi16(mask)) != 0;
        if below(0xff80_u16 as i16) {
            _mm_storel_epi64(to.cast(), _mm_packus_epi16(vector, vector));
            to = to.add(8);
        } else if below(0xf800_u16 as i16) {
            to = put_two(to, vector);
        } else {
            let kind = _mm_and_si128(vector, _mm_set1_epi16(0xf800_u16 as i16));
            let surrogate = _mm_cmpeq_epi16(kind, _mm_set1_epi16(0xd800_u16 as i16));
            if _mm_movemask_epi8(surrogate) != 0 {
                break;
            }
            to = put_four_bytes::<false>(to, _mm256_cvtepu16_epi32(vector));
        }
        at += 8;
    }
    (at, to)
}

/// Packs units of 32 bits as UTF-8, eight at a time, up to the first surrogate; 16 bytes more than
/// there are may be touched.
#[target_feature(enable = "avx2,popcnt")]
pub unsafe fn from_ucs4(units: &[u32], mut to: *mut u8) -> (usize, *mut u8) {
    let mut at = 0;
    while units.len() - at >= 8 {
        let vector = _mm256_loadu_si256(units.as_ptr().add(at).cast());
        let kind = _mm256_and_si256(vector, _mm256_set1_epi32(0xffff_f800_u32 as i32));
        if _mm256_testz_si256(vector, _mm256_set1_epi32(!0x7f)) != 0 {
            let narrow = _mm256_packus_epi32(vector, vector);
            let bytes = _mm256_packus_epi16(narrow, narrow);
            let (low, high) = (_mm256_extract_epi32::<0>(bytes), _mm256_extract_epi32::<4>(bytes));
            (to as *mut i32).write_unaligned(low);
            (to.add(4) as *mut i32).write_unaligned(high);
            to = to.add(8);
        } else {
            let surrogate = _mm256_cmpeq_epi32(kind, _mm256_set1_epi32(0xd800));
            if _mm256_movemask_epi8(surrogate) != 0 {
                break;
            }
            to = put_four_bytes::<true>(to, vector);
        }
        at += 8;
    }
    (at, to)
}

/// Packs eight characters of any length; `LARGE`: some may need four bytes.
#[inline]
#[target_feature(enable = "avx2,popcnt")]
unsafe fn put_four_bytes<const LARGE: bool>(mut to: *mut u8, units: __m256i) -> *mut u8 {
    let splat = |number: u32| _mm256_set1_epi32(number as i32);
    let six = splat(0x3f);
    let tail = _mm256_or_si256(_mm256_and_si256(units, six), splat(0x80));
    let middle = _mm256_srli_epi32::<6>(units);
    let middle_tail = _mm256_or_si256(_mm256_and_si256(middle, six), splat(0x80));
    let high = _mm256_srli_epi32::<12>(units);
    let over_80 = _mm256_cmpgt_epi32(units, splat(0x7f));
    let over_800 = _mm256_cmpgt_epi32(units, splat(0x7ff));
    let two = _mm256_or_si256(_mm256_or_si256(middle, splat(0xc0)), _mm256_slli_epi32::<8>(tail));
    let three = _mm256_or_si256(
        _mm256_or_si256(high, splat(0xe0)),
        _mm256_or_si256(_mm256_slli_epi32::<8>(middle_tail), _mm256_slli_epi32::<16>(tail)),
    );
    let mut bytes = _mm256_blendv_epi8(units, two, over_80);
    bytes = _mm256_blendv_epi8(bytes, three, over_800);
    let bits = |mask: __m256i| _mm256_movemask_ps(_mm256_castsi256_ps(mask)) as usize;
    let (mut low, large) = (bits(over_80) ^ bits(over_800), bits(over_800));
    if LARGE {
        let over_10000 = _mm256_cmpgt_epi32(units, splat(0xffff));
        let high_tail = _mm256_or_si256(_mm256_and_si256(high, six), splat(0x80));
        let lead = _mm256_or_si256(_mm256_srli_epi32::<18>(units), splat(0xf0));
        let four = _mm256_or_si256(
            _mm256_or_si256(lead, _mm256_slli_epi32::<8>(high_tail)),
            _mm256_or_si256(_mm256_slli_epi32::<16>(middle_tail), _mm256_slli_epi32::<24>(tail)),
        );
        bytes = _mm256_blendv_epi8(bytes, four, over_10000);
        low ^= bits(over_10000);
    }
    let halves = [
        (_mm256_castsi256_si128(bytes), low & 15 | large << 4 & 0xf0),
        (_mm256_extracti128_si256::<1>(bytes), low >> 4 | large & 0xf0),
    ];
    for (half, index) in halves {
        let packed = _mm_shuffle_epi8(half, load(PACK_FOUR[index].as_ptr()));
        _mm_storeu_si128(to.cast(), packed);
        to = to.add(4 + (index & 15).count_ones() as usize + 2 * (index >> 4).count_ones() as usize);
    }
    to
}
