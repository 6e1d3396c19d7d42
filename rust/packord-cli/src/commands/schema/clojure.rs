//! Types as specs of Clojure, for data that was read with keyword keys.

use std::fmt::Write;

use super::names::{literal, literals, snake};
use crate::schema::{Type, Types};

pub fn code(types: &Types, root: &str) -> String {
    let space = kebab(root);
    let mut code = format!(
        ";; Describes what (packord.core/unpack bytes {{:key-fn keyword}}) returns.\n\
         (ns {space}\n  (:require [clojure.spec.alpha :as s]))\n"
    );
    for named in &types.named {
        let name = kebab(&named.name);
        code.push('\n');
        let (mut required, mut optional) = (Vec::new(), Vec::new());
        for field in &named.fields {
            if !is_name(&field.key) {
                let _ = writeln!(
                    code,
                    ";; Not checked, because it is not a name of Clojure: {}",
                    literal(&field.key)
                );
                continue;
            }
            let spec = format!(":{space}.{name}/{}", field.key);
            let _ = writeln!(code, "(s/def {spec} {})", spec_of(types, &field.ty));
            if field.is_optional {
                optional.push(spec);
            } else {
                required.push(spec);
            }
        }
        let _ = write!(code, "(s/def ::{name} (s/keys");
        for (option, specs) in [(":req-un", required), (":opt-un", optional)] {
            if !specs.is_empty() {
                let _ = write!(code, "\n  {option} [{}]", specs.join(" "));
            }
        }
        code.push_str("))\n");
    }
    if !matches!(types.root, Type::Named(_)) {
        let _ = write!(code, "\n(s/def ::{space} {})\n", spec_of(types, &types.root));
    }
    code
}

fn kebab(name: &str) -> String {
    snake(name).replace('_', "-")
}

fn is_name(key: &str) -> bool {
    let is_letter = |letter: char| letter.is_ascii_alphabetic() || "_*!?+<>=".contains(letter);
    key.starts_with(is_letter)
        && key
            .chars()
            .all(|letter| is_letter(letter) || letter.is_ascii_digit() || "-.'".contains(letter))
}

fn spec_of(types: &Types, ty: &Type) -> String {
    match ty {
        Type::Any | Type::Ext(_) => "any?".to_owned(),
        Type::Nil => "nil?".to_owned(),
        Type::Bool => "boolean?".to_owned(),
        Type::Int(..) => "integer?".to_owned(),
        Type::Float(..) => "number?".to_owned(),
        Type::Str { choices, .. } if choices.is_empty() => "string?".to_owned(),
        Type::Str { choices, .. } => format!("#{{{}}}", literals(choices, " ")),
        Type::Bin => "bytes?".to_owned(),
        Type::Time => "inst?".to_owned(),
        Type::List(element, _) => format!("(s/coll-of {})", spec_of(types, element)),
        Type::Dictionary(values, true) => format!("(s/map-of keyword? {})", spec_of(types, values)),
        Type::Dictionary(values, false) => format!("(s/map-of any? {})", spec_of(types, values)),
        Type::Named(index) => format!("::{}", kebab(types.name(*index))),
        Type::Union(kinds) => {
            let kinds: Vec<_> = kinds
                .iter()
                .map(|kind| format!(":{} {}", label(kind), spec_of(types, kind)))
                .collect();
            format!("(s/or {})", kinds.join(" "))
        }
        Type::Nullable(inner) => format!("(s/nilable {})", spec_of(types, inner)),
    }
}

fn label(ty: &Type) -> &'static str {
    match ty {
        Type::Bool => "bool",
        Type::Int(..) => "int",
        Type::Float(..) => "number",
        Type::Str { .. } => "str",
        Type::Bin => "bin",
        Type::Time => "time",
        Type::Ext(_) => "ext",
        Type::List(..) => "array",
        Type::Dictionary(..) | Type::Named(_) => "map",
        Type::Any | Type::Nil | Type::Union(_) | Type::Nullable(_) => "any",
    }
}
