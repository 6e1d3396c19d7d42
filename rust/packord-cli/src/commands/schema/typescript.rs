//! Types as interfaces of TypeScript, for what the JavaScript package returns.

use std::fmt::Write;

use super::names::{is_name, literal, literals};
use crate::schema::{Type, Types};

/// The greatest integer that a number holds exactly.
const SAFE: i128 = (1 << 53) - 1;

pub fn code(types: &Types, root: &str) -> String {
    let mut code = String::new();
    for named in types.named.iter().rev() {
        let _ = writeln!(code, "export interface {} {{", named.name);
        for field in &named.fields {
            if let Type::Str {
                format: Some(format), ..
            } = &field.ty
            {
                let _ = writeln!(code, "  /** Format: {format}. */");
            }
            let mark = if field.is_optional { "?" } else { "" };
            let _ = writeln!(code, "  {}{mark}: {};", key(&field.key), type_of(types, &field.ty));
        }
        code.push_str("}\n\n");
    }
    if !matches!(types.root, Type::Named(_)) {
        let _ = write!(code, "export type {root} = {};\n\n", type_of(types, &types.root));
    }
    code.truncate(code.trim_end().len());
    code + "\n"
}

fn key(key: &str) -> String {
    if is_name(key, "_$") {
        key.to_owned()
    } else {
        literal(key)
    }
}

fn type_of(types: &Types, ty: &Type) -> String {
    match ty {
        Type::Any | Type::Ext(_) => "unknown".to_owned(),
        Type::Nil => "null".to_owned(),
        Type::Bool => "boolean".to_owned(),
        Type::Int(low, high) if *low < -SAFE || *high > SAFE => "number | bigint".to_owned(),
        Type::Int(..) | Type::Float(..) => "number".to_owned(),
        Type::Str { choices, .. } if choices.is_empty() => "string".to_owned(),
        Type::Str { choices, .. } => literals(choices, " | "),
        Type::Bin => "Uint8Array".to_owned(),
        Type::Time => "Date".to_owned(),
        Type::List(element, _) => format!("Array<{}>", type_of(types, element)),
        Type::Dictionary(values, true) => format!("Record<string, {}>", type_of(types, values)),
        Type::Dictionary(values, false) => format!("Map<unknown, {}>", type_of(types, values)),
        Type::Named(index) => types.name(*index).to_owned(),
        Type::Union(kinds) => {
            let kinds: Vec<_> = kinds.iter().map(|kind| type_of(types, kind)).collect();
            kinds.join(" | ")
        }
        Type::Nullable(inner) => format!("{} | null", type_of(types, inner)),
    }
}
