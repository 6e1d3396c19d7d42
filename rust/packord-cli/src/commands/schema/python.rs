//! Types as dataclasses of Python, for typed decoding.

use std::fmt::Write;

use super::names::{identifiers, is_name, literal, literals, snake};
use crate::schema::{Type, Types};

/// Words of Python, and names that the types of fields use.
const WORDS: &str = "\
    False None True and as assert async await break class continue def del elif else except \
    finally for from global if import in is lambda nonlocal not or pass raise return try while \
    with yield bool int float str bytes list dict datetime packord dataclasses typing";

pub fn code(types: &Types, root: &str) -> String {
    let mut code = String::from("import dataclasses\nimport datetime\nimport typing\n\nimport packord\n");
    // In a class, a field hides a type of the same name.
    let types_of_fields = types.named.iter().map(|named| named.name.as_str());
    let words: Vec<&str> = WORDS.split(' ').chain(types_of_fields).collect();
    for named in &types.named {
        let _ = write!(
            code,
            "\n\n@dataclasses.dataclass(kw_only=True)\nclass {}:\n",
            named.name
        );
        if named.fields.is_empty() {
            code.push_str("    pass\n");
        }
        let names = identifiers(&named.fields, &words, |key| {
            if is_name(key, "_") && !key.starts_with('_') {
                key.to_owned()
            } else {
                snake(key).trim_start_matches('_').to_owned()
            }
        });
        for (field, name) in named.fields.iter().zip(names) {
            let mut ty = type_of(types, &field.ty);
            if field.is_optional && !matches!(field.ty, Type::Nullable(_) | Type::Any | Type::Nil) {
                ty.push_str(" | None");
            }
            if name != field.key {
                ty = format!("typing.Annotated[{ty}, packord.Field(name={})]", literal(&field.key));
            }
            let default = if field.is_optional { " = None" } else { "" };
            let note = match &field.ty {
                Type::Str {
                    format: Some(format), ..
                } => format!("  # format: {format}"),
                _ => String::new(),
            };
            let _ = writeln!(code, "    {name}: {ty}{default}{note}");
        }
    }
    if !matches!(types.root, Type::Named(_)) {
        let _ = write!(code, "\n\n{root} = {}\n", type_of(types, &types.root));
    }
    code
}

fn type_of(types: &Types, ty: &Type) -> String {
    match ty {
        Type::Any | Type::Ext(_) => "typing.Any".to_owned(),
        Type::Nil => "None".to_owned(),
        Type::Bool => "bool".to_owned(),
        Type::Int(..) => "int".to_owned(),
        Type::Float(..) => "float".to_owned(),
        Type::Str { choices, .. } if choices.is_empty() => "str".to_owned(),
        Type::Str { choices, .. } => {
            format!("typing.Literal[{}]", literals(choices, ", "))
        }
        Type::Bin => "bytes".to_owned(),
        Type::Time => "datetime.datetime".to_owned(),
        Type::List(element, _) => format!("list[{}]", type_of(types, element)),
        Type::Dictionary(values, true) => format!("dict[str, {}]", type_of(types, values)),
        // Keys of several types, and unions of types that only their contents tell apart, are not checked.
        Type::Dictionary(_, false) => "dict[typing.Any, typing.Any]".to_owned(),
        Type::Named(index) => types.name(*index).to_owned(),
        Type::Union(kinds) => {
            let kinds: Vec<_> = kinds.iter().map(|kind| type_of(types, kind)).collect();
            if kinds.iter().any(|kind| kind == "typing.Any") {
                "typing.Any".to_owned()
            } else {
                kinds.join(" | ")
            }
        }
        Type::Nullable(inner) => match type_of(types, inner) {
            any if any == "typing.Any" => any,
            ty => format!("{ty} | None"),
        },
    }
}
