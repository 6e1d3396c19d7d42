//! Which elements of two arrays, or messages of two streams, belong together.
//!
//! Equal items that occur once on either side are fixed points, and so are items that share parts
//! which occur once on either side. Between fixed points a small gap is aligned by similarity, and a
//! large one by index. Memory is linear in the number of items, and so is time but for sorting.

use std::collections::HashMap;
use std::ops::Range;

/// Pairs of items in a gap that are all compared with one another.
const COMPARED: usize = 1 << 12;
/// Rounds of fixed points within fixed points.
const ROUNDS: u32 = 24;
/// Items of the same type are rather a change than a removal and an insertion.
const SAME_KIND: f32 = 0.05;
/// What a key is worth that both have with different values. An equal entry is worth 1.
const SAME_KEY: f32 = 0.1;

/// What two items may have in common.
#[derive(Default)]
pub struct Features {
    /// The type.
    pub kind: u8,
    /// Hashes of the elements or entries.
    pub parts: Vec<u64>,
    /// Hashes of the keys.
    pub keys: Vec<u64>,
}

impl Features {
    /// Sorts the hashes, which makes features comparable.
    #[must_use]
    pub fn sorted(mut self) -> Features {
        self.parts.sort_unstable();
        self.keys.sort_unstable();
        self
    }

    fn similarity(&self, other: &Features) -> f32 {
        if self.kind != other.kind {
            return SAME_KIND / 2.0;
        }
        let parts = common(&self.parts, &other.parts) as f32;
        let keys = common(&self.keys, &other.keys) as f32;
        let most = self.parts.len().max(other.parts.len()).max(1) as f32;
        SAME_KIND + (parts + SAME_KEY * keys) / most
    }
}

/// The number of equal hashes in two sorted lists.
fn common(a: &[u64], b: &[u64]) -> usize {
    let (mut i, mut j, mut count) = (0, 0, 0);
    while let (Some(x), Some(y)) = (a.get(i), b.get(j)) {
        count += usize::from(x == y);
        i += usize::from(x <= y);
        j += usize::from(y <= x);
    }
    count
}

/// A step of the comparison, with indexes of the old and the new side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Two items that belong together, equal or not.
    Both(usize, usize),
    /// An item that was removed.
    Old(usize),
    /// An item that was inserted.
    New(usize),
}

/// A side of the comparison.
#[derive(Clone, Copy)]
pub enum Side {
    /// The old items.
    Old,
    /// The new items.
    New,
}

/// A part of both sides that is not aligned yet.
struct Gap {
    old: Range<usize>,
    new: Range<usize>,
    rounds: u32,
}

/// Aligns two lists of items, of which the hashes are given; `look` returns the features of one.
///
/// # Errors
///
/// Those of `look`.
pub fn align<E>(
    old: &[u64],
    new: &[u64],
    mut look: impl FnMut(Side, usize) -> Result<Features, E>,
) -> Result<Vec<Step>, E> {
    let mut steps = Vec::with_capacity(old.len().max(new.len()));
    let mut gaps = vec![Gap {
        old: 0..old.len(),
        new: 0..new.len(),
        rounds: ROUNDS,
    }];
    while let Some(mut gap) = gaps.pop() {
        while !gap.old.is_empty() && !gap.new.is_empty() && old[gap.old.start] == new[gap.new.start] {
            steps.push(Step::Both(gap.old.start, gap.new.start));
            gap.old.start += 1;
            gap.new.start += 1;
        }
        let is_done = gap.old.is_empty() || gap.new.is_empty();
        let ends = old[gap.old.clone()].iter().rev();
        let same = ends
            .zip(new[gap.new.clone()].iter().rev())
            .take_while(|(a, b)| a == b)
            .count();
        if same > 0 && !is_done {
            let (a, b) = (gap.old.end - same, gap.new.end - same);
            gaps.push(Gap {
                old: a..gap.old.end,
                new: b..gap.new.end,
                rounds: gap.rounds,
            });
            (gap.old.end, gap.new.end) = (a, b);
        }
        if gap.old.is_empty() || gap.new.is_empty() || gap.rounds == 0 {
            by_index(&gap, &mut steps);
            continue;
        }
        let mut features =
            |side, items: Range<usize>| items.map(|item| look(side, item)).collect::<Result<Vec<_>, E>>();
        if gap.old.len().saturating_mul(gap.new.len()) <= COMPARED {
            let (a, b) = (
                features(Side::Old, gap.old.clone())?,
                features(Side::New, gap.new.clone())?,
            );
            by_similarity(&gap, &a, &b, |a, b| old[a] == new[b], &mut steps);
            continue;
        }
        let whole = |items: Range<usize>, hashes: &[u64]| -> Vec<(u64, usize)> {
            items.map(|item| (hashes[item], item)).collect()
        };
        let mut fixed = fixed_points(&whole(gap.old.clone(), old), &whole(gap.new.clone(), new));
        if fixed.is_empty() {
            let mut parts = |side, items: Range<usize>| -> Result<Vec<(u64, usize)>, E> {
                let mut all = Vec::new();
                for item in items {
                    all.extend(look(side, item)?.parts.into_iter().map(|hash| (hash, item)));
                }
                Ok(all)
            };
            fixed = fixed_points(&parts(Side::Old, gap.old.clone())?, &parts(Side::New, gap.new.clone())?);
        }
        if fixed.is_empty() {
            by_index(&gap, &mut steps);
        } else {
            split(&gap, &fixed, &mut gaps);
        }
    }
    Ok(steps)
}

/// Adds the gaps between fixed points, and the fixed points, the last first.
fn split(gap: &Gap, fixed: &[(usize, usize)], gaps: &mut Vec<Gap>) {
    let (mut old_end, mut new_end) = (gap.old.end, gap.new.end);
    for &(a, b) in fixed.iter().rev() {
        for (old, new, rounds) in [
            (a + 1..old_end, b + 1..new_end, gap.rounds - 1),
            // No round is left for this pair: it belongs together.
            (a..a + 1, b..b + 1, 0),
        ] {
            gaps.push(Gap { old, new, rounds });
        }
        (old_end, new_end) = (a, b);
    }
    gaps.push(Gap {
        old: gap.old.start..old_end,
        new: gap.new.start..new_end,
        rounds: gap.rounds - 1,
    });
}

fn by_index(gap: &Gap, steps: &mut Vec<Step>) {
    let both = gap.old.len().min(gap.new.len());
    let (old, new) = (gap.old.clone(), gap.new.clone());
    steps.extend(old.clone().zip(new.clone()).map(|(a, b)| Step::Both(a, b)));
    steps.extend(old.skip(both).map(Step::Old));
    steps.extend(new.skip(both).map(Step::New));
}

/// Aligns a small gap so that the sum of similarities is the greatest.
fn by_similarity(
    gap: &Gap,
    old: &[Features],
    new: &[Features],
    is_equal: impl Fn(usize, usize) -> bool,
    steps: &mut Vec<Step>,
) {
    let width = new.len() + 1;
    let mut best = vec![0_f32; (old.len() + 1) * width];
    let mut pair = vec![0_f32; old.len() * width];
    for i in (0..old.len()).rev() {
        for j in (0..new.len()).rev() {
            let alike = if is_equal(gap.old.start + i, gap.new.start + j) {
                2.0
            } else {
                old[i].similarity(&new[j])
            };
            pair[i * width + j] = alike;
            best[i * width + j] = (best[(i + 1) * width + j])
                .max(best[i * width + j + 1])
                .max(best[(i + 1) * width + j + 1] + alike);
        }
    }
    let (mut i, mut j) = (0, 0);
    while i < old.len() || j < new.len() {
        let here = best[i * width + j];
        let (a, b) = (gap.old.start + i, gap.new.start + j);
        // The sums were computed with the same operations, so equality is exact.
        if i < old.len() && j < new.len() && here <= best[(i + 1) * width + j + 1] + pair[i * width + j] {
            steps.push(Step::Both(a, b));
            (i, j) = (i + 1, j + 1);
        } else if i < old.len() && (j == new.len() || here <= best[(i + 1) * width + j]) {
            steps.push(Step::Old(a));
            i += 1;
        } else {
            steps.push(Step::New(b));
            j += 1;
        }
    }
}

/// Returns the pairs of items whose hash occurs once on either side, in the order of both sides: the
/// longest such list.
fn fixed_points(old: &[(u64, usize)], new: &[(u64, usize)]) -> Vec<(usize, usize)> {
    let mut seen: HashMap<u64, [Option<Option<usize>>; 2]> = HashMap::new();
    for (side, items) in [old, new].into_iter().enumerate() {
        for &(hash, item) in items {
            let places = seen.entry(hash).or_default();
            // The second occurrence makes it none.
            places[side] = Some(if places[side].is_none() { Some(item) } else { None });
        }
    }
    let mut votes: HashMap<(usize, usize), usize> = HashMap::new();
    for places in seen.into_values() {
        if let [Some(Some(a)), Some(Some(b))] = places {
            *votes.entry((a, b)).or_default() += 1;
        }
    }
    let mut pairs: Vec<(usize, usize, usize)> = votes.into_iter().map(|((a, b), count)| (a, b, count)).collect();
    // For each old item the new one with the most votes.
    pairs.sort_unstable_by_key(|&(a, b, count)| (a, std::cmp::Reverse(count), b));
    pairs.dedup_by_key(|pair| pair.0);
    longest_rise(&pairs)
}

/// Returns the longest list of pairs in which both indexes rise. The pairs come in the order of the
/// first.
fn longest_rise(pairs: &[(usize, usize, usize)]) -> Vec<(usize, usize)> {
    // The pair that ends the best list of each length, and the pair before each.
    let mut ends: Vec<usize> = Vec::new();
    let mut before: Vec<Option<usize>> = Vec::new();
    for (index, pair) in pairs.iter().enumerate() {
        let len = ends.partition_point(|&end| pairs[end].1 < pair.1);
        before.push(len.checked_sub(1).map(|last| ends[last]));
        if len == ends.len() {
            ends.push(index);
        } else {
            ends[len] = index;
        }
    }
    let mut rise = Vec::new();
    let mut next = ends.last().copied();
    while let Some(index) = next {
        rise.push((pairs[index].0, pairs[index].1));
        next = before[index];
    }
    rise.reverse();
    rise
}

#[cfg(test)]
mod tests {
    use super::*;

    fn changes(old: &[u64], new: &[u64]) -> Vec<Step> {
        let look = |side, item: usize| {
            let value: u64 = match side {
                Side::Old => old[item],
                Side::New => new[item],
            };
            // The tens are one part of an item, and the ones another.
            let parts = vec![value / 10, 1_000_000 + value % 10];
            let features = Features {
                parts,
                ..Features::default()
            };
            Ok::<_, ()>(features.sorted())
        };
        let steps = align(old, new, look).unwrap();
        let mut seen = (0, 0);
        for step in &steps {
            match *step {
                Step::Both(a, b) => {
                    assert_eq!((a, b), seen);
                    seen = (a + 1, b + 1);
                }
                Step::Old(a) => {
                    assert_eq!(a, seen.0);
                    seen.0 += 1;
                }
                Step::New(b) => {
                    assert_eq!(b, seen.1);
                    seen.1 += 1;
                }
            }
        }
        assert_eq!(seen, (old.len(), new.len()));
        steps
            .into_iter()
            .filter(|step| !matches!(*step, Step::Both(a, b) if old[a] == new[b]))
            .collect()
    }

    #[test]
    fn items_are_aligned_in_small_and_large_gaps() {
        assert_eq!(changes(&[1, 2, 3], &[1, 9, 2, 3]), [Step::New(1)]);
        assert_eq!(changes(&[1, 2], &[]), [Step::Old(0), Step::Old(1)]);
        let old: Vec<u64> = (0..5000).map(|item| item * 10).collect();
        let mut new = old.clone();
        new[4000] += 3;
        new.remove(2000);
        new.insert(10, 77_777_777);
        assert_eq!(
            changes(&old, &new),
            [Step::New(10), Step::Old(2000), Step::Both(4000, 4000)]
        );
        // All items differ, and each has a part that is its own.
        let changed: Vec<u64> = new.iter().map(|item| item + 1).collect();
        let steps = changes(&old, &changed);
        let apart = steps.iter().filter(|step| !matches!(step, Step::Both(..)));
        assert_eq!(apart.count(), 2);
    }

    #[test]
    fn every_item_is_in_the_result_once_whatever_repeats() {
        let mut random = fastrand::Rng::with_seed(7);
        for size in [3, 40, 300] {
            for _ in 0..40 {
                let mut list = |len| (0..len).map(|_| random.u64(0..60)).collect::<Vec<_>>();
                let (old, new) = (list(size), list(size + size / 3));
                changes(&old, &new);
                changes(&new, &old);
            }
        }
    }
}
