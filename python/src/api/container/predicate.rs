//! Conditions on rows, from lists of `(path, op, constant)`.

use packord::container::{Comparison, Predicate};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple};

use super::settings::value;

pub fn predicate(object: &Bound<'_, PyAny>) -> PyResult<Predicate> {
    let mut predicate = Predicate::new();
    for condition in object.try_iter()? {
        let condition = condition?;
        let is_sequence = condition.is_instance_of::<PyTuple>() || condition.is_instance_of::<PyList>();
        let parts: Vec<Bound<'_, PyAny>> = if is_sequence { condition.extract()? } else { Vec::new() };
        let (path, op, constant) = match &parts[..] {
            [path, op] => (path, op, None),
            [path, op, constant] => (path, op, Some(constant)),
            _ => {
                let text = "a condition is (path, op, constant)";
                return Err(PyTypeError::new_err(text));
            }
        };
        let (path, op): (String, String) = (path.extract()?, op.extract()?);
        let Some(comparison) = Comparison::from_operator(&op) else {
            let known: Vec<_> = Comparison::ALL.iter().map(|known| known.operator()).collect();
            let known = known.join(", ");
            return Err(PyValueError::new_err(format!("op must be one of {known}, not {op:?}")));
        };
        let constant = match (comparison, constant) {
            (Comparison::IsNull | Comparison::IsNotNull, _) => packord::Value::default(),
            (_, None) => {
                let text = format!("a condition with {op} needs a constant");
                return Err(PyTypeError::new_err(text));
            }
            // A set has no order, and here none is needed.
            (Comparison::In, Some(constant)) => {
                value(PyList::new(constant.py(), constant.try_iter()?.collect::<PyResult<Vec<_>>>()?)?.as_any())?
            }
            (_, Some(constant)) => value(constant)?,
        };
        let added = predicate.and(&path, comparison, constant);
        predicate = added.map_err(|error| PyValueError::new_err(error.to_string()))?;
    }
    Ok(predicate)
}
