//! UTF-8 to the units of a `str` and back, by vectors of 16 and 32 bytes.
//!
//! # Safety
//!
//! The processor has AVX2, and the ranges are readable and writable as said at each function. The
//! bytes are well-formed UTF-8; if another process changes them meanwhile, as it can in shared
//! memory, the result is wrong, but nothing outside the ranges is touched.

use std::arch::x86_64::*;

use super::tables::{FOUR, GATHER, LONG_STEPS, PACK_FOUR, PACK_TWO, SIX, STEPS, WITHOUT};

#[inline]
#[target_feature(enable = "avx2")]
unsafe fn load(from: *const u8) -> __m128i {
    _mm_loadu_si128(from.cast())
}

/// How many characters there are, and the largest byte.
#[target_feature(enable = "avx2")]
pub unsafe fn measure(bytes: &[u8]) -> (usize, u8) {
    let blocks = bytes.chunks_exact(32);
    let rest = blocks.remainder();
    let (mut count, mut largest) = (0, 0);
    for &byte in rest {
        count += usize::from((byte as i8) >= -0x40);
        largest = largest.max(byte);
    }
    let mut largest_of = _mm256_setzero_si256();
    let mut counts = _mm256_setzero_si256();
    let mut leads = _mm256_setzero_si256();
    for (index, block) in blocks.enumerate() {
        let vector = _mm256_loadu_si256(block.as_ptr().cast());
        largest_of = _mm256_max_epu8(largest_of, vector);
        let lead = _mm256_cmpgt_epi8(vector, _mm256_set1_epi8(-0x41));
        leads = _mm256_sub_epi8(leads, lead);
        if index % 255 == 254 {
            counts = _mm256_add_epi64(counts, _mm256_sad_epu8(leads, _mm256_setzero_si256()));
            leads = _mm256_setzero_si256();
        }
    }
    counts = _mm256_add_epi64(counts, _mm256_sad_epu8(leads, _mm256_setzero_si256()));
    let mut sums = [0_u64; 4];
    _mm256_storeu_si256(sums.as_mut_ptr().cast(), counts);
    let mut bytes = [0_u8; 32];
    _mm256_storeu_si256(bytes.as_mut_ptr().cast(), largest_of);
    let largest = bytes.iter().fold(largest, |a, &b| a.max(b));
    (count + sums.iter().sum::<u64>() as usize, largest)
}

/// UTF-8 below U+0100 into bytes. Returns how far both have come.
#[target_feature(enable = "avx2,popcnt")]
pub unsafe fn to_latin1(
    mut from: *const u8,
    end: *const u8,
    mut to: *mut u8,
    to_end: *mut u8,
) -> (*const u8, *mut u8) {
    // The last byte of the vector before this one, in the last place.
    let mut before = _mm_setzero_si128();
    while end as usize - from as usize >= 16 && to_end as usize - to as usize >= 16 {
        let vector = load(from);
        from = from.add(16);
        if _mm_movemask_epi8(vector) == 0 {
            _mm_storeu_si128(to.cast(), vector);
            to = to.add(16);
            before = vector;
            continue;
        }
        let previous = _mm_alignr_epi8::<15>(vector, before);
        before = vector;
        // A lead of c3 adds 40 to the byte after it, one of c2 nothing; then the leads go.
        let c3 = _mm_cmpeq_epi8(previous, _mm_set1_epi8(0xc3_u8 as i8));
        let added = _mm_and_si128(c3, _mm_set1_epi8(0x40));
        let units = _mm_add_epi8(vector, added);
        let lead = _mm_cmpeq_epi8(
            _mm_and_si128(vector, _mm_set1_epi8(0xfe_u8 as i8)),
            _mm_set1_epi8(0xc2_u8 as i8),
        );
        let leads = _mm_movemask_epi8(lead) as usize;
        let (low, high) = (leads & 0xff, leads >> 8);
        let low_shuffle = _mm_loadl_epi64(WITHOUT[low].as_ptr().cast());
        let high_shuffle = _mm_loadl_epi64(WITHOUT[high].as_ptr().cast());
        _mm_storel_epi64(to.cast(), _mm_shuffle_epi8(units, low_shuffle));
        to = to.add(8 - low.count_ones() as usize);
        let upper = _mm_shuffle_epi8(_mm_srli_si128::<8>(units), high_shuffle);
        _mm_storel_epi64(to.cast(), upper);
        to = to.add(8 - high.count_ones() as usize);
    }
    // Whoever goes on begins with a whole character.
    if _mm_extract_epi8::<15>(before) & 0xfe == 0xc2 {
        from = from.sub(1);
    }
    (from, to)
}

/// UTF-8 into units of `SIZE` bytes: 2 (below U+10000) or 4. Returns how far both have come.
#[target_feature(enable = "avx2")]
pub unsafe fn to_units<const SIZE: usize>(
    mut from: *const u8,
    end: *const u8,
    mut to: *mut u8,
    to_end: *mut u8,
) -> (*const u8, *mut u8) {
    let room = |to: *mut u8| (to_end as usize - to as usize) / SIZE;
    // Where characters end is found out for 64 bytes at once: a step then waits for no load but
    // that of its length.
    while end as usize - from as usize >= 64 + 16 && room(to) >= 64 {
        let (wide, leads) = masks(from);
        if wide == 0 {
            for part in 0..4 {
                put_ascii::<SIZE>(to.add(16 * part * SIZE), load(from.add(16 * part)));
            }
            (from, to) = (from.add(64), to.add(64 * SIZE));
            continue;
        }
        let (mut wide, mut ends, mut at) = (wide, leads >> 1, 0);
        while at < 64 - 12 && room(to) >= 16 {
            let vector = load(from.add(at));
            let (bytes, units) = if wide & 0xffff == 0 && at <= 48 {
                put_ascii::<SIZE>(to, vector);
                (16, 16)
            } else {
                step::<SIZE>(vector, ends, to)
            };
            at += bytes;
            to = to.add(units * SIZE);
            (wide, ends) = (wide >> bytes, ends >> bytes);
        }
        from = from.add(at);
    }
    while end as usize - from as usize >= 16 && room(to) >= 8 {
        let vector = load(from);
        let (bytes, units) = if _mm_movemask_epi8(vector) == 0 && room(to) >= 16 {
            put_ascii::<SIZE>(to, vector);
            (16, 16)
        } else {
            let leads = _mm_cmpgt_epi8(vector, _mm_set1_epi8(-0x41));
            step::<SIZE>(vector, _mm_movemask_epi8(leads) as u64 >> 1, to)
        };
        (from, to) = (from.add(bytes), to.add(units * SIZE));
    }
    (from, to)
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
/// units they are. Up to eight units are touched.
#[inline]
#[target_feature(enable = "avx2")]
unsafe fn step<const SIZE: usize>(vector: __m128i, ends: u64, to: *mut u8) -> (usize, usize) {
    if SIZE == 4 {
        // In text with characters of four bytes nothing can be foreseen: there is one way for all.
        let [index, bytes] = LONG_STEPS[(ends & 0xfff) as usize];
        let index = usize::from(index);
        let lanes = _mm_shuffle_epi8(vector, load(GATHER.get_unchecked(index).as_ptr()));
        _mm_storeu_si128(to.cast(), up_to_four(lanes));
        return (usize::from(bytes), 4 - usize::from(index >= FOUR));
    }
    if ends & 0xfff == 0x924 {
        put_four(to, three_bytes(vector));
        return (12, 4);
    }
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
    (usize::from(bytes), 4 - usize::from(index >= FOUR))
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

/// Four characters of three bytes each.
#[inline]
#[target_feature(enable = "avx2")]
unsafe fn three_bytes(vector: __m128i) -> __m128i {
    up_to_three(_mm_shuffle_epi8(
        vector,
        _mm_setr_epi8(2, 1, 0, -1, 5, 4, 3, -1, 8, 7, 6, -1, 11, 10, 9, -1),
    ))
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

/// Lanes with the bytes of a character of up to four bytes, the last byte lowest.
#[inline]
#[target_feature(enable = "avx2")]
unsafe fn up_to_four(lanes: __m128i) -> __m128i {
    let low = _mm_and_si128(lanes, _mm_set1_epi32(0x7f));
    let middle = _mm_and_si128(lanes, _mm_set1_epi32(0x3f00));
    // The third byte from the end is a continuation, or the lead of three bytes: bit 6 tells, and
    // bit 5 is then none of the number's.
    let lead = _mm_srli_epi32::<1>(_mm_and_si128(lanes, _mm_set1_epi32(0x0040_0000)));
    let high = _mm_andnot_si128(lead, _mm_and_si128(lanes, _mm_set1_epi32(0x003f_0000)));
    let highest = _mm_and_si128(lanes, _mm_set1_epi32(0x0700_0000));
    _mm_or_si128(
        _mm_or_si128(low, _mm_srli_epi32::<2>(middle)),
        _mm_or_si128(_mm_srli_epi32::<4>(high), _mm_srli_epi32::<6>(highest)),
    )
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
    _mm_storeu_si128(
        to.cast(),
        _mm_shuffle_epi8(bytes, load(PACK_TWO[wide].as_ptr())),
    );
    to.add(8 + wide.count_ones() as usize)
}

/// Packs units of 16 bits as UTF-8, eight at a time, up to the first surrogate; 16 bytes more than
/// there are may be touched.
#[target_feature(enable = "avx2,popcnt")]
pub unsafe fn from_ucs2(units: &[u16], mut to: *mut u8) -> (usize, *mut u8) {
    let mut at = 0;
    while units.len() - at >= 8 {
        let vector = load(units.as_ptr().add(at).cast());
        // As unsigned numbers: nothing of what is cut off is set.
        let below = |limit: i16| _mm_testz_si128(vector, _mm_set1_epi16(limit)) != 0;
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
            let (low, high) = (
                _mm256_extract_epi32::<0>(bytes),
                _mm256_extract_epi32::<4>(bytes),
            );
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
    let two = _mm256_or_si256(
        _mm256_or_si256(middle, splat(0xc0)),
        _mm256_slli_epi32::<8>(tail),
    );
    let three = _mm256_or_si256(
        _mm256_or_si256(high, splat(0xe0)),
        _mm256_or_si256(
            _mm256_slli_epi32::<8>(middle_tail),
            _mm256_slli_epi32::<16>(tail),
        ),
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
            _mm256_or_si256(
                _mm256_slli_epi32::<16>(middle_tail),
                _mm256_slli_epi32::<24>(tail),
            ),
        );
        bytes = _mm256_blendv_epi8(bytes, four, over_10000);
        low ^= bits(over_10000);
    }
    let halves = [
        (_mm256_castsi256_si128(bytes), low & 15 | large << 4 & 0xf0),
        (
            _mm256_extracti128_si256::<1>(bytes),
            low >> 4 | large & 0xf0,
        ),
    ];
    for (half, index) in halves {
        let packed = _mm_shuffle_epi8(half, load(PACK_FOUR[index].as_ptr()));
        _mm_storeu_si128(to.cast(), packed);
        to =
            to.add(4 + (index & 15).count_ones() as usize + 2 * (index >> 4).count_ones() as usize);
    }
    to
}
