//! What a test asks of single values, for readers that can tell without the values that none of them has it.

use packord::Value;

use super::grammar::{Comparator, Operand, QueryPath, QueryStep, Test};
use crate::values::path::PathStep;

/// Holds for every value for which the test holds, and for others too.
#[derive(Clone, Debug, PartialEq)]
pub enum Bound {
    /// Any value.
    Always,
    /// All of them hold.
    All(Vec<Bound>),
    /// One of them holds.
    Any(Vec<Bound>),
    /// The value at a path compares so with a constant. The path is one of `spec/container.md`.
    Compared(String, Comparator, Value),
    /// The value at a path is nil.
    Nil(String),
}

impl Test {
    /// Returns what the test asks of single values.
    #[must_use]
    pub fn bound(&self) -> Bound {
        match self {
            Test::Or(tests) => Bound::Any(tests.iter().map(Test::bound).collect()),
            Test::And(tests) => Bound::All(tests.iter().map(Test::bound).collect()),
            Test::Compare(Operand::At(path), comparator, Operand::Literal(value)) => compared(path, *comparator, value),
            Test::Compare(Operand::Literal(value), comparator, Operand::At(path)) => {
                compared(path, comparator.flipped(), value)
            }
            Test::StartsWith(Operand::At(path), Operand::Literal(Value::Str(prefix))) => starting(path, prefix),
            // A path that selects nothing meets these, too.
            _ => Bound::Always,
        }
    }
}

impl Test {
    /// Returns str of which the bytes of every value for which the test holds have one.
    #[must_use]
    pub fn needles(&self) -> Option<Vec<&str>> {
        match self {
            Test::Or(tests) => {
                let needles: Option<Vec<_>> = tests.iter().map(Test::needles).collect();
                needles.map(|needles| needles.concat())
            }
            Test::And(tests) => tests.iter().filter_map(Test::needles).min_by_key(Vec::len),
            Test::Compare(Operand::At(_), Comparator::Equal, Operand::Literal(value))
            | Test::Compare(Operand::Literal(value), Comparator::Equal, Operand::At(_))
            | Test::Contains(Operand::At(_), Operand::Literal(value))
            | Test::StartsWith(Operand::At(_), Operand::Literal(value))
            | Test::EndsWith(Operand::At(_), Operand::Literal(value)) => {
                let text = value.as_str().filter(|text| !text.is_empty());
                text.map(|text| vec![text])
            }
            _ => None,
        }
    }
}

impl Comparator {
    /// Returns the comparator for the operands in the other order.
    fn flipped(self) -> Comparator {
        match self {
            Comparator::Less => Comparator::Greater,
            Comparator::AtMost => Comparator::AtLeast,
            Comparator::Greater => Comparator::Less,
            Comparator::AtLeast => Comparator::AtMost,
            same => same,
        }
    }
}

fn compared(path: &QueryPath, comparator: Comparator, value: &Value) -> Bound {
    let comparator = match (comparator, value) {
        // They have no order, and are at most and at least themselves.
        (Comparator::AtMost | Comparator::AtLeast, Value::Nil | Value::Bool(_)) => Comparator::Equal,
        (comparator, _) => comparator,
    };
    match (path.in_container(), comparator, value) {
        (None, ..) | (_, Comparator::Unequal, _) => Bound::Always,
        (Some(path), Comparator::Equal, Value::Nil) => Bound::Nil(path),
        (Some(path), ..) => Bound::Compared(path, comparator, value.clone()),
    }
}

/// Returns the bound of all str that begin with a prefix.
fn starting(path: &QueryPath, prefix: &str) -> Bound {
    let Some(path) = path.in_container() else {
        return Bound::Always;
    };
    let least = Bound::Compared(path.clone(), Comparator::AtLeast, Value::from(prefix));
    let mut above = prefix.to_owned();
    while let Some(last) = above.pop() {
        let next = if last == '\u{d7ff}' {
            Some('\u{e000}')
        } else {
            char::from_u32(u32::from(last) + 1)
        };
        if let Some(next) = next {
            above.push(next);
            let most = Bound::Compared(path, Comparator::Less, Value::from(above));
            return Bound::All(vec![least, most]);
        }
    }
    least
}

impl QueryPath {
    /// Returns the path as `spec/container.md` writes it, if it names one value.
    fn in_container(&self) -> Option<String> {
        let steps = self.0.iter().map(|step| match step {
            QueryStep::Into(PathStep::Key(key)) => key.as_str().map(ToOwned::to_owned),
            QueryStep::Into(PathStep::Index(index)) if *index >= 0 => Some(index.to_string()),
            _ => None,
        });
        let names: Option<Vec<String>> = steps.collect();
        let is_name = |name: &String| !name.is_empty() && !name.contains('.');
        names
            .filter(|names| names.iter().all(is_name))
            .map(|names| names.join("."))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bound(test: &str) -> Bound {
        Test::parse(test).unwrap().bound()
    }

    #[test]
    fn a_comparison_with_a_constant_bounds_its_path() {
        let at = |path: &str, comparator, value: Value| Bound::Compared(path.to_owned(), comparator, value);
        assert_eq!(bound("a > 1"), at("a", Comparator::Greater, 1.into()));
        assert_eq!(bound("1 >= a.b"), at("a.b", Comparator::AtMost, 1.into()));
        assert_eq!(bound("a[2] == 'x'"), at("a.2", Comparator::Equal, "x".into()));
        for test in ["a == null", "a <= null", "null <= a"] {
            assert_eq!(bound(test), Bound::Nil("a".to_owned()), "{test}");
        }
        assert_eq!(bound("a >= true"), at("a", Comparator::Equal, true.into()));
        assert_eq!(
            bound("a > 1 && (b < 2 || !c)"),
            Bound::All(vec![
                at("a", Comparator::Greater, 1.into()),
                Bound::Any(vec![at("b", Comparator::Less, 2.into()), Bound::Always])
            ])
        );
        assert_eq!(
            bound("a in (1, 'x')"),
            Bound::Any(vec![
                at("a", Comparator::Equal, 1.into()),
                at("a", Comparator::Equal, "x".into())
            ])
        );
        assert_eq!(
            bound("starts_with(a, 'x\u{10ffff}')"),
            Bound::All(vec![
                at("a", Comparator::AtLeast, "x\u{10ffff}".into()),
                at("a", Comparator::Less, "y".into())
            ])
        );
    }

    #[test]
    fn a_test_for_a_str_has_it_as_needle() {
        for (test, needles) in [
            ("a == 'x' && b > 1", Some(&["x"][..])),
            ("'x' == a || contains(b, 'y')", Some(&["x", "y"])),
            ("a in ('x', 'y') && starts_with(b, 'z')", Some(&["z"])),
            ("a in ('x', 1)", None),
            ("a == 'x' || b", None),
            ("a != 'x'", None),
            ("!(a == 'x')", None),
            ("a == ''", None),
            ("contains('xy', a)", None),
        ] {
            let test = Test::parse(test).unwrap();
            assert_eq!(test.needles().as_deref(), needles, "{test:?}");
        }
    }

    #[test]
    fn what_a_missing_value_meets_bounds_nothing() {
        for test in [
            "a != 1",
            "!a",
            "!(a > 1)",
            "a",
            "a > b",
            "a[-1] > 1",
            "a[*] > 1",
            "@['x.y'] > 1",
            "length(a) > 1",
            "contains(a, 'x')",
            "ends_with(a, 'x')",
            "a =~ 'x'",
        ] {
            assert_eq!(bound(test), Bound::Always, "{test}");
        }
    }
}
