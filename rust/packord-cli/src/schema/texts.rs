//! What the strings at a path have in common.

use std::collections::BTreeMap;
use std::net::{Ipv4Addr, Ipv6Addr};

use packord::Timestamp;

/// Distinct strings that are kept, and how long each may be.
const CHOICES: usize = 16;
const CHOICE_LEN: usize = 64;
/// A choice is one of few: on average, each was seen this number of times.
const SEEN_EACH: u64 = 10;

/// A format of strings, named as in JSON Schema.
struct TextFormat {
    name: &'static str,
    fits: fn(&str) -> bool,
}

const FORMATS: [TextFormat; 8] = [
    TextFormat {
        name: "uuid",
        fits: is_uuid,
    },
    TextFormat {
        name: "date-time",
        fits: |text| is_date_time(text) && text.parse::<Timestamp>().is_ok(),
    },
    TextFormat {
        name: "date",
        fits: |text| text.len() == 10 && is_date_time(&format!("{text}T00:00:00Z")),
    },
    TextFormat {
        name: "time",
        fits: |text| text.ends_with('Z') && is_date_time(&format!("2000-01-01T{text}")),
    },
    TextFormat {
        name: "ipv4",
        fits: |text| text.parse::<Ipv4Addr>().is_ok(),
    },
    TextFormat {
        name: "ipv6",
        fits: |text| text.parse::<Ipv6Addr>().is_ok(),
    },
    TextFormat {
        name: "uri",
        fits: is_uri,
    },
    TextFormat {
        name: "email",
        fits: is_email,
    },
];

fn is_uuid(text: &str) -> bool {
    text.len() == 36
        && text.bytes().enumerate().all(|(at, byte)| match at {
            8 | 13 | 18 | 23 => byte == b'-',
            _ => byte.is_ascii_hexdigit(),
        })
}

/// Whether the length and the places of the signs are those of RFC 3339; the parser does the rest.
fn is_date_time(text: &str) -> bool {
    let bytes = text.as_bytes();
    let sign = |at: usize, sign: u8| bytes.get(at) == Some(&sign);
    (20..=40).contains(&bytes.len())
        && sign(4, b'-')
        && sign(7, b'-')
        && sign(10, b'T')
        && sign(13, b':')
        && text.parse::<Timestamp>().is_ok()
}

/// Web addresses of ASCII letters, which every checker takes for a URI.
fn is_uri(text: &str) -> bool {
    let rest = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"));
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~:/?#@!$&'()*+,;=".contains(&byte);
    rest.is_some_and(|rest| {
        rest.starts_with(|letter: char| letter.is_ascii_alphanumeric())
            && rest.bytes().all(is_plain)
            && rest.matches('#').count() < 2
    })
}

fn is_email(text: &str) -> bool {
    let is_plain = |part: &str| {
        !part.is_empty()
            && part
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || b"-_+".contains(&byte))
    };
    text.len() <= 254
        && text
            .split_once('@')
            .is_some_and(|(name, host)| host.contains('.') && name.split('.').chain(host.split('.')).all(is_plain))
}

/// The strings that were seen at a path.
#[derive(Clone, Debug)]
pub struct Texts {
    /// How many.
    pub count: u64,
    /// The lengths in characters: the least and the greatest.
    pub lens: (u64, u64),
    /// A bit for each format that fits all of them.
    formats: u8,
    /// How often each was seen, while they are few.
    choices: Option<BTreeMap<String, u64>>,
}

impl Texts {
    /// Begins with one string.
    #[must_use]
    pub fn new(text: &str) -> Texts {
        let mut texts = Texts {
            count: 0,
            lens: (u64::MAX, 0),
            formats: u8::MAX,
            choices: Some(BTreeMap::new()),
        };
        texts.add(text);
        texts
    }

    /// Adds a string.
    pub fn add(&mut self, text: &str) {
        self.count += 1;
        let len = text.chars().count() as u64;
        self.lens = (self.lens.0.min(len), self.lens.1.max(len));
        for (index, format) in FORMATS.iter().enumerate() {
            if self.formats & (1 << index) != 0 && !(format.fits)(text) {
                self.formats &= !(1 << index);
            }
        }
        self.choose(text, 1);
    }

    fn choose(&mut self, text: &str, count: u64) {
        let Some(choices) = &mut self.choices else {
            return;
        };
        if let Some(seen) = choices.get_mut(text) {
            *seen += count;
        } else if choices.len() < CHOICES && text.len() <= CHOICE_LEN {
            choices.insert(text.to_owned(), count);
        } else {
            self.choices = None;
        }
    }

    /// Adds all strings that others were made of.
    pub fn merge(&mut self, other: Texts) {
        self.count += other.count;
        self.lens = (self.lens.0.min(other.lens.0), self.lens.1.max(other.lens.1));
        self.formats &= other.formats;
        match other.choices {
            None => self.choices = None,
            Some(choices) => {
                for (text, count) in choices {
                    self.choose(&text, count);
                }
            }
        }
    }

    /// Returns the format that fits all strings.
    #[must_use]
    pub fn format(&self) -> Option<&'static str> {
        let fits = |(index, _): &(usize, &TextFormat)| self.formats & (1 << index) != 0;
        FORMATS.iter().enumerate().find(fits).map(|(_, format)| format.name)
    }

    /// Returns the strings if they are few, and each was seen often.
    #[must_use]
    pub fn choices(&self) -> Option<Vec<String>> {
        let choices = self.choices.as_ref()?;
        let is_few = self.count >= SEEN_EACH * choices.len() as u64;
        (is_few && self.format().is_none()).then(|| choices.keys().cloned().collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_are_those_that_all_strings_have() {
        for (texts, format) in [
            (
                &["2026-01-02T03:04:05Z", "2026-01-02T03:04:05.25+02:00"][..],
                Some("date-time"),
            ),
            (&["2026-01-02"], Some("date")),
            (&["2026-01-02", "2026-02-30"], None),
            (&["03:04:05Z"], Some("time")),
            (&["123e4567-e89b-12d3-a456-426614174000"], Some("uuid")),
            (&["123e4567-e89b-12d3-a456-42661417400g"], None),
            (&["10.0.0.1"], Some("ipv4")),
            (&["::1", "fe80::2"], Some("ipv6")),
            (&["https://a.org/x?y=1#z", "http://b.org"], Some("uri")),
            (&["https://a b"], None),
            (&["ada@example.org"], Some("email")),
            (&["a@b", "@b.org"], None),
            (&[""], None),
        ] {
            let mut seen = Texts::new(texts[0]);
            texts.iter().skip(1).for_each(|text| seen.add(text));
            assert_eq!(seen.format(), format, "{texts:?}");
        }
    }

    #[test]
    fn choices_are_few_and_seen_often() {
        let mut seen = Texts::new("a");
        assert_eq!(seen.choices(), None);
        (0..19).for_each(|number| seen.add(["a", "b"][number % 2]));
        assert_eq!(seen.choices(), Some(vec!["a".to_owned(), "b".to_owned()]));
        (0..100).for_each(|number| seen.add(&number.to_string()));
        assert_eq!(seen.choices(), None);
        let mut long = Texts::new(&"x".repeat(65));
        (0..100).for_each(|_| long.add("a"));
        assert_eq!(long.choices(), None);
    }
}
