//! Inputs that are damaged at random, the same ones for the same seed.

use super::support::{Case, cases};

/// A small generator, so that a failure can be repeated by its seed.
pub struct Random(pub u64);

impl Random {
    pub fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit.max(1) as u64) as usize
    }
}

/// Changes bytes in a few places: flips bits, cuts, joins and repeats parts of others.
pub fn damage(bytes: &mut Vec<u8>, corpus: &[Vec<u8>], random: &mut Random) {
    for _ in 0..=random.below(4) {
        let at = random.below(bytes.len());
        match random.below(6) {
            0 if !bytes.is_empty() => bytes[at] ^= 1 << random.below(8),
            1 if !bytes.is_empty() => bytes[at] = random.below(256) as u8,
            2 => bytes.truncate(at),
            3 => bytes.insert(at, random.below(256) as u8),
            4 => bytes.extend_from_slice(&corpus[random.below(corpus.len())]),
            _ => {
                let other = &corpus[random.below(corpus.len())];
                let from = random.below(other.len());
                bytes.splice(at..at, other[from..].iter().copied());
            }
        }
    }
    bytes.truncate(2000);
}

/// The byte strings of vectors that are small enough to be damaged often.
pub fn corpus(classes: &[&str], smaller_than: usize) -> Vec<Vec<u8>> {
    let mut corpus: Vec<Vec<u8>> = Vec::new();
    for class in classes {
        let cases = cases(class);
        // Cases of several steps have no bytes of their own.
        let with_bytes = cases.iter().filter(|case| case.has("bytes"));
        corpus.extend(with_bytes.map(Case::bytes).filter(|bytes| bytes.len() < smaller_than));
    }
    corpus.sort();
    corpus
}
