//! Types as structs of Rust, for serde and for packord's derive.

use std::fmt::Write;

use super::names::{identifiers, snake};
use crate::schema::{Type, Types};

/// Words of Rust, and names that would hide those of the code.
const WORDS: &str = "\
    abstract as async await become box break const continue crate do dyn else enum extern false \
    final fn for gen if impl in let loop macro match mod move mut override priv pub ref return \
    self static struct super trait true try type typeof unsafe unsized use virtual where while \
    yield";

pub fn code(types: &Types, root: &str) -> String {
    let mut code = String::from(
        "// Needs packord with the features derive and serde, and serde with the feature derive.\n\
         use packord::MsgPacker;\nuse serde::{Deserialize, Serialize};\n",
    );
    let words: Vec<&str> = WORDS.split(' ').collect();
    for named in &types.named {
        let _ = write!(
            code,
            "\n#[derive(Debug, Clone, PartialEq, MsgPacker, Serialize, Deserialize)]\n#[msgpacker(map)]\npub struct {} {{\n",
            named.name
        );
        let names = identifiers(&named.fields, &words, snake);
        for (field, name) in named.fields.iter().zip(names) {
            if let Some(note) = note(&field.ty) {
                let _ = writeln!(code, "    /// {note}");
            }
            if name != field.key {
                let _ = writeln!(
                    code,
                    "    #[msgpacker(rename = {0:?})]\n    #[serde(rename = {0:?})]",
                    field.key
                );
            }
            let ty = match &field.ty {
                Type::Nullable(inner) => field_type(types, inner, true),
                ty => field_type(types, ty, field.is_optional),
            };
            if field.is_optional && ty.starts_with("Option<") {
                code.push_str("    #[serde(skip_serializing_if = \"Option::is_none\")]\n");
            }
            let _ = writeln!(code, "    pub {name}: {ty},");
        }
        code.push_str("}\n");
    }
    if !matches!(types.root, Type::Named(_)) {
        let _ = write!(code, "\npub type {root} = {};\n", type_of(types, &types.root));
    }
    code
}

fn field_type(types: &Types, ty: &Type, is_optional: bool) -> String {
    match (is_optional, type_of(types, ty)) {
        (true, ty) => format!("Option<{ty}>"),
        (false, ty) => ty,
    }
}

fn type_of(types: &Types, ty: &Type) -> String {
    match ty {
        Type::Bool => "bool".to_owned(),
        Type::Int(_, high) if *high <= i128::from(i64::MAX) => "i64".to_owned(),
        Type::Int(0.., _) => "u64".to_owned(),
        Type::Float(..) => "f64".to_owned(),
        Type::Str { .. } => "String".to_owned(),
        Type::Bin => "Vec<u8>".to_owned(),
        Type::Time => "packord::Timestamp".to_owned(),
        Type::List(element, _) => format!("Vec<{}>", type_of(types, element)),
        Type::Dictionary(values, true) => {
            format!("std::collections::BTreeMap<String, {}>", type_of(types, values))
        }
        Type::Named(index) => types.name(*index).to_owned(),
        Type::Nullable(inner) => field_type(types, inner, true),
        Type::Any | Type::Nil | Type::Int(..) | Type::Ext(_) | Type::Dictionary(..) | Type::Union(_) => {
            "packord::Value".to_owned()
        }
    }
}

/// Returns what the type does not say.
fn note(ty: &Type) -> Option<String> {
    match ty {
        Type::Str { choices, .. } if !choices.is_empty() => {
            let choices: Vec<_> = choices
                .iter()
                .map(|choice| format!("`{}`", choice.escape_debug()))
                .collect();
            Some(format!("One of {}.", choices.join(", ")))
        }
        Type::Str {
            format: Some(format), ..
        } => Some(format!("Format: {format}.")),
        Type::Union(kinds) => {
            let kinds: Vec<_> = kinds.iter().map(super::table::name).collect();
            Some(format!("One of: {}.", kinds.join(", ")))
        }
        Type::Nullable(inner) | Type::List(inner, _) => note(inner),
        _ => None,
    }
}
