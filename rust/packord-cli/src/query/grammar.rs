//! The parts of a query.

use packord::Value;
use regex::bytes::Regex;

use crate::values::path::PathStep;

/// Selects messages, and values in them.
#[derive(Clone, Debug)]
pub struct Query {
    /// The numbers of the messages; `None` means all.
    pub messages: Option<PathStep>,
    pub(super) steps: Vec<QueryStep>,
}

/// One step.
#[derive(Clone, Debug)]
pub(super) enum QueryStep {
    /// Into a container.
    Into(PathStep),
    /// Into a container and all those within it: `..name`.
    Within(PathStep),
    /// The elements, entries or fields for which a test holds: `[?age > 30]`.
    Where(Test),
    /// A new map: `{id, name}`.
    Project(Entries),
}

/// The entries of a new map, each with the path of its value.
#[derive(Clone, Debug)]
pub struct Entries(pub(super) Vec<(String, Vec<QueryStep>)>);

/// What is true or false of a value.
#[derive(Clone, Debug)]
pub enum Test {
    /// One of them holds.
    Or(Vec<Test>),
    /// All of them hold.
    And(Vec<Test>),
    /// The test does not hold.
    Not(Box<Test>),
    /// The path selects something.
    Exists(QueryPath),
    /// Two operands compare so.
    Compare(Operand, Comparator, Operand),
    /// A function of two operands: of two str, or of an array and an element.
    Contains(Operand, Operand),
    /// The first str begins with the second.
    StartsWith(Operand, Operand),
    /// The first str ends with the second.
    EndsWith(Operand, Operand),
    /// A part of the str is as the expression says.
    Matches(Operand, Regex),
}

/// The steps from the value that is tested.
#[derive(Clone, Debug)]
pub struct QueryPath(pub(super) Vec<QueryStep>);

/// One side of a comparison.
#[derive(Clone, Debug)]
pub enum Operand {
    /// A number, a str, a time, true, false or null.
    Literal(Value),
    /// The value at a path: the first one.
    At(QueryPath),
    /// The number of elements, entries or characters.
    Length(QueryPath),
}

/// How two operands compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparator {
    /// `==`
    Equal,
    /// `!=`
    Unequal,
    /// `<`
    Less,
    /// `<=`
    AtMost,
    /// `>`
    Greater,
    /// `>=`
    AtLeast,
}

impl Test {
    /// Calls `take` with each path in the test.
    pub(super) fn each_path(&self, take: &mut impl FnMut(&QueryPath)) {
        let sides = match self {
            Test::Or(tests) | Test::And(tests) => {
                return tests.iter().for_each(|test| test.each_path(take));
            }
            Test::Not(test) => return test.each_path(take),
            Test::Exists(path) => return take(path),
            Test::Compare(left, _, right)
            | Test::Contains(left, right)
            | Test::StartsWith(left, right)
            | Test::EndsWith(left, right) => [Some(left), Some(right)],
            Test::Matches(text, _) => [Some(text), None],
        };
        for side in sides.into_iter().flatten() {
            if let Operand::At(path) | Operand::Length(path) = side {
                take(path);
            }
        }
    }
}

impl Test {
    /// Returns a name with which the test compares another value: quotes may have been forgotten.
    #[must_use]
    pub fn compared_name(&self) -> Option<&str> {
        match self {
            Test::Or(tests) | Test::And(tests) => tests.iter().find_map(Test::compared_name),
            Test::Not(test) => test.compared_name(),
            Test::Compare(Operand::At(_), _, Operand::At(QueryPath(steps))) => match &steps[..] {
                [QueryStep::Into(PathStep::Key(key))] => key.as_str(),
                _ => None,
            },
            _ => None,
        }
    }
}

impl Query {
    /// Returns whether it selects messages as they are.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.steps.is_empty()
    }

    /// Returns the steps before the first that is none into a container.
    #[must_use]
    pub fn plain_steps(&self) -> Vec<&PathStep> {
        let steps = self.steps.iter().map_while(|step| match step {
            QueryStep::Into(step) => Some(step),
            _ => None,
        });
        steps.collect()
    }

    /// Returns whether all steps go into containers.
    #[must_use]
    pub fn is_plain(&self) -> bool {
        self.plain_steps().len() == self.steps.len()
    }

    /// Returns the range of the numbers of messages, each bound counted from the end if it is negative.
    #[must_use]
    pub fn range(&self) -> (i64, Option<i64>) {
        match self.messages {
            Some(PathStep::Index(index)) => (index, index.checked_add(1).filter(|to| *to != 0)),
            Some(PathStep::Range(from, to)) => (from.unwrap_or(0), to),
            _ => (0, None),
        }
    }

    /// Returns whether which messages it selects depends on their number.
    #[must_use]
    pub fn counts_from_end(&self) -> bool {
        let (from, to) = self.range();
        from < 0 || to.is_some_and(|to| to < 0)
    }
}
