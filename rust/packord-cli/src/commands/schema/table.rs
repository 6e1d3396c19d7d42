//! Types as a table: a line for each path.

use std::fmt::Write;

use packord::Value;

use crate::schema::{Type, Types};
use crate::values::path;

pub fn code(types: &Types) -> String {
    let mut lines = Vec::new();
    line(types, &types.root, "$".to_owned(), None, &mut lines);
    let width = |column: usize| {
        let lens = lines.iter().filter_map(|line: &[String; 4]| line.get(column));
        lens.map(|cell| cell.chars().count()).max().unwrap_or(0).min(48)
    };
    let widths = [width(0), width(1), width(2)];
    let mut text = String::new();
    for [place, name, present, values] in &lines {
        let mut line = String::new();
        let [first, second, third] = widths;
        let _ = write!(line, "  {place:first$}  {name:second$}  {present:third$}  {values}");
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

fn line(types: &Types, ty: &Type, place: String, present: Option<(u64, u64)>, lines: &mut Vec<[String; 4]>) {
    let present = match present {
        Some((some, all)) if some < all => format!("{:.1} %", some as f64 / all as f64 * 100.0),
        _ => String::new(),
    };
    lines.push([place.clone(), name(ty), present, values(ty)]);
    inner(types, ty, &place, lines);
}

/// Adds the lines of what is within a value.
fn inner(types: &Types, ty: &Type, place: &str, lines: &mut Vec<[String; 4]>) {
    match ty {
        Type::Nullable(ty) => inner(types, ty, place, lines),
        Type::Union(kinds) => kinds.iter().for_each(|kind| inner(types, kind, place, lines)),
        Type::List(element, _) => line(types, element, format!("{place}[*]"), None, lines),
        Type::Dictionary(values, _) => line(types, values, format!("{place}.*"), None, lines),
        Type::Named(index) => {
            for field in types.named.get(*index).into_iter().flat_map(|named| &named.fields) {
                let mut place = place.to_owned();
                path::push_name(&mut place, &field.key);
                line(types, &field.ty, place, Some(field.present), lines);
            }
        }
        _ => {}
    }
}

/// Returns the name of a type.
pub fn name(ty: &Type) -> String {
    match ty {
        Type::Any => "any".to_owned(),
        Type::Nil => "nil".to_owned(),
        Type::Bool => "bool".to_owned(),
        Type::Int(..) => "int".to_owned(),
        Type::Float(..) => "float".to_owned(),
        Type::Str {
            format: Some(format), ..
        } => format!("str ({format})"),
        Type::Str { .. } => "str".to_owned(),
        Type::Bin => "bin".to_owned(),
        Type::Time => "timestamp".to_owned(),
        Type::Ext(kinds) => {
            let kinds: Vec<_> = kinds.iter().map(i8::to_string).collect();
            format!("ext {}", kinds.join(", "))
        }
        Type::List(..) => "array".to_owned(),
        Type::Dictionary(..) => "map of any keys".to_owned(),
        Type::Named(_) => "map".to_owned(),
        Type::Union(kinds) => kinds.iter().map(name).collect::<Vec<_>>().join(" or "),
        Type::Nullable(inner) => format!("{} or nil", name(inner)),
    }
}

/// Returns which values were seen.
fn values(ty: &Type) -> String {
    fn range<T: PartialEq + ToString>(low: T, high: T) -> String {
        if low == high {
            low.to_string()
        } else {
            format!("{} to {}", low.to_string(), high.to_string())
        }
    }
    match ty {
        Type::Int(low, high) => range(*low, *high),
        // The printer of floats of the notation.
        Type::Float(low, high, _) if low <= high => range(Value::F64(*low), Value::F64(*high)),
        Type::Str { choices, .. } if !choices.is_empty() => {
            let choices: Vec<_> = choices
                .iter()
                .map(|choice| Value::from(&**choice).to_string())
                .collect();
            choices.join(", ")
        }
        Type::Str { format: None, lens, .. } => format!("{} characters", range(lens.0, lens.1)),
        Type::List(_, lens) => format!("{} elements", range(lens.0, lens.1)),
        Type::Nullable(inner) => values(inner),
        Type::Union(kinds) => {
            let parts: Vec<_> = kinds.iter().map(values).filter(|part| !part.is_empty()).collect();
            parts.join("; ")
        }
        _ => String::new(),
    }
}
