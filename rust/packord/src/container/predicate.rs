//! [`Predicate`]: which rows are asked for (`spec/container.md` section 4).

use super::comparable::Comparable;
use super::path::RowPath;
use super::statistics::{PathStatistics, Statistics};
use crate::error::{Error, ErrorKind, Result};
use crate::value::Value;
use alloc::vec::Vec;
use core::cmp::Ordering;
use core::fmt;

/// How a value is compared.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Comparison {
    /// `==`
    Equal,
    /// `!=`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    LessOrEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterOrEqual,
    /// `in`: equal to an element of the constant, an array.
    In,
    /// `is_null`: nil or missing. The constant is not used.
    IsNull,
    /// `is_not_null`: neither nil nor missing. The constant is not used.
    IsNotNull,
}

impl Comparison {
    /// All of them.
    pub const ALL: &'static [Comparison] = &[
        Comparison::Equal,
        Comparison::NotEqual,
        Comparison::Less,
        Comparison::LessOrEqual,
        Comparison::Greater,
        Comparison::GreaterOrEqual,
        Comparison::In,
        Comparison::IsNull,
        Comparison::IsNotNull,
    ];

    /// Returns the operator of the specification.
    ///
    /// ```
    /// assert_eq!(packord::container::Comparison::LessOrEqual.operator(), "<=");
    /// ```
    #[must_use]
    pub const fn operator(self) -> &'static str {
        const OPERATORS: [&str; Comparison::ALL.len()] =
            ["==", "!=", "<", "<=", ">", ">=", "in", "is_null", "is_not_null"];
        OPERATORS[self as usize]
    }

    /// Returns the comparison with an operator.
    ///
    /// ```
    /// use packord::container::Comparison;
    /// assert_eq!(Comparison::from_operator(">="), Some(Comparison::GreaterOrEqual));
    /// assert_eq!(Comparison::from_operator("="), None);
    /// ```
    #[must_use]
    pub fn from_operator(operator: &str) -> Option<Comparison> {
        let mut all = Comparison::ALL.iter().copied();
        all.find(|comparison| comparison.operator() == operator)
    }

    /// Returns whether two values with an order compare so.
    fn holds(self, ordering: Ordering) -> bool {
        match self {
            Comparison::Equal => ordering.is_eq(),
            Comparison::NotEqual => ordering.is_ne(),
            Comparison::Less => ordering.is_lt(),
            Comparison::LessOrEqual => ordering.is_le(),
            Comparison::Greater => ordering.is_gt(),
            Comparison::GreaterOrEqual => ordering.is_ge(),
            Comparison::In | Comparison::IsNull | Comparison::IsNotNull => false,
        }
    }
}

/// One condition: a path, how to compare, and a constant.
#[derive(Clone, Debug, PartialEq)]
pub struct Condition {
    path: RowPath,
    comparison: Comparison,
    constant: Value,
}

impl Condition {
    /// Returns the path.
    #[must_use]
    pub fn path(&self) -> &RowPath {
        &self.path
    }

    /// Returns how values are compared.
    #[must_use]
    pub fn comparison(&self) -> Comparison {
        self.comparison
    }

    /// Returns the constant.
    #[must_use]
    pub fn constant(&self) -> &Value {
        &self.constant
    }

    fn matches(&self, row: &[u8]) -> bool {
        let found = self.path.find(row).map(Comparable::of);
        let found = found.filter(|value| !matches!(value, Comparable::Nil));
        let Some(value) = found else {
            return self.comparison == Comparison::IsNull;
        };
        match self.comparison {
            Comparison::IsNull => false,
            Comparison::IsNotNull => true,
            Comparison::Equal => value.equals(&self.constant),
            Comparison::NotEqual => !value.equals(&self.constant),
            Comparison::In => {
                let mut elements = self.constant.elements();
                elements.any(|element| value.equals(element))
            }
            comparison => Comparable::of_value(&self.constant)
                .and_then(|constant| value.compare(constant))
                .is_some_and(|ordering| comparison.holds(ordering)),
        }
    }

    /// Returns whether statistics show that no row of `count` meets the condition.
    fn is_ruled_out(&self, of: &PathStatistics, count: u64) -> bool {
        if self.comparison == Comparison::IsNull {
            return of.nulls == 0;
        }
        if of.nulls == count {
            return true;
        }
        let (min, max) = (of.min.as_ref(), of.max.as_ref());
        // Whether a bound is there and does not compare so with a constant. A bound of another type rules out all
        // values of the constant's type.
        let fails = |bound: Option<&Value>, comparison: Comparison, constant: &Value| {
            bound.is_some_and(|bound| {
                let (bound, constant) = (Comparable::of_value(bound), Comparable::of_value(constant));
                let ordering = bound.zip(constant).and_then(|(a, b)| a.compare(b));
                !ordering.is_some_and(|ordering| comparison.holds(ordering))
            })
        };
        let is_not_equal = |constant: &Value| {
            fails(min, Comparison::LessOrEqual, constant) || fails(max, Comparison::GreaterOrEqual, constant)
        };
        let constant = &self.constant;
        match self.comparison {
            Comparison::Less | Comparison::LessOrEqual => fails(min, self.comparison, constant),
            Comparison::Greater | Comparison::GreaterOrEqual => fails(max, self.comparison, constant),
            Comparison::Equal => is_not_equal(constant),
            Comparison::In => (min.is_some() || max.is_some()) && constant.elements().all(is_not_equal),
            Comparison::NotEqual => [min, max]
                .into_iter()
                .all(|bound| bound.is_some() && !fails(bound, Comparison::Equal, constant)),
            Comparison::IsNull | Comparison::IsNotNull => false,
        }
    }
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.path, self.comparison.operator())?;
        match self.comparison {
            Comparison::IsNull | Comparison::IsNotNull => Ok(()),
            _ => write!(f, " {}", self.constant),
        }
    }
}

/// Conditions of which a row meets all, as far as it matches. Rows are compared as packed bytes, without a tree.
///
/// ```
/// use packord::Value;
/// use packord::container::{Comparison, Predicate};
///
/// let predicate = Predicate::new()
///     .and("size", Comparison::Greater, 100)?
///     .and("town", Comparison::In, Value::from(["Oslo", "Graz"]))?;
/// let row = packord::to_vec(&packord::value!({"size": 120.5, "town": "Graz"}))?;
/// assert!(predicate.matches(&row));
/// assert_eq!(predicate.to_string(), r#"size > 100 and town in ["Oslo", "Graz"]"#);
/// # Ok::<(), packord::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Predicate {
    conditions: Vec<Condition>,
}

impl Predicate {
    /// Returns a predicate without conditions, which every row matches.
    #[must_use]
    pub const fn new() -> Predicate {
        Predicate { conditions: Vec::new() }
    }

    /// Adds a condition.
    ///
    /// # Errors
    ///
    /// `custom` if the constant of `in` is not an array.
    pub fn and(mut self, path: &str, comparison: Comparison, constant: impl Into<Value>) -> Result<Predicate> {
        let constant = constant.into();
        if comparison == Comparison::In && !constant.is_array() {
            let error = Error::new(ErrorKind::Custom).with_path(path);
            return Err(error.with_detail("the constant of in is an array"));
        }
        self.conditions.push(Condition {
            path: RowPath::new(path),
            comparison,
            constant,
        });
        Ok(self)
    }

    /// Adds a condition whose operator is one of the specification: `==`, `in` …
    ///
    /// # Errors
    ///
    /// As for [`and`](Predicate::and); `custom` for another operator.
    ///
    /// ```
    /// use packord::container::Predicate;
    /// let predicate = Predicate::new().and_op("id", "<=", 7)?;
    /// assert!(predicate.matches(b"\x81\xa2id\x07"));
    /// assert!(Predicate::new().and_op("id", "=", 7).is_err());
    /// # Ok::<(), packord::Error>(())
    /// ```
    pub fn and_op(self, path: &str, operator: &str, constant: impl Into<Value>) -> Result<Predicate> {
        let Some(comparison) = Comparison::from_operator(operator) else {
            let error = Error::new(ErrorKind::Custom).with_path(path);
            return Err(error.with_detail(alloc::format!("operator {operator} is not known")));
        };
        self.and(path, comparison, constant)
    }

    /// Returns the conditions.
    #[must_use]
    pub fn conditions(&self) -> &[Condition] {
        &self.conditions
    }

    /// Returns whether a row matches. It is one packed message, without columns.
    #[must_use]
    pub fn matches(&self, row: &[u8]) -> bool {
        self.conditions.iter().all(|condition| condition.matches(row))
    }

    /// Returns whether statistics show that no row of a block of `count` rows matches.
    #[must_use]
    pub fn rules_out(&self, statistics: &Statistics, count: u64) -> bool {
        self.conditions.iter().any(|condition| {
            let of = statistics.get(condition.path.as_str());
            of.is_some_and(|of| condition.is_ruled_out(of, count))
        })
    }
}

impl fmt::Display for Predicate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, condition) in self.conditions.iter().enumerate() {
            if number > 0 {
                f.write_str(" and ")?;
            }
            write!(f, "{condition}")?;
        }
        Ok(())
    }
}
