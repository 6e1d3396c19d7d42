//! Types as records of Java, for `Unpacker.unpack`.

use std::fmt::Write;

use super::names::{is_name, literal};
use crate::schema::{Type, Types};

/// Words of Java, and methods that a component cannot be named after.
const WORDS: &str = "\
    _ abstract assert boolean break byte case catch char class const continue default do double \
    else enum extends false final finally float for goto if implements import instanceof int \
    interface long native new null package private protected public return short static strictfp \
    super switch synchronized this throw throws transient true try void volatile while clone \
    finalize getClass hashCode notify notifyAll toString wait";

pub fn code(types: &Types, root: &str) -> String {
    let mut code = String::from("import java.time.Instant;\nimport java.util.List;\nimport java.util.Map;\n\n");
    let (main, name) = match &types.root {
        Type::Named(index) => (Some(*index), root),
        _ => (None, root),
    };
    match main {
        Some(index) => {
            record(&mut code, types, index, "");
            code.truncate(code.len() - "}\n".len());
        }
        None => {
            let _ = write!(
                code,
                "/** The messages are {}. */\npublic final class {name} {{\n    private {name}() {{}}\n",
                boxed(types, &types.root).replace('<', "&lt;").replace('>', "&gt;")
            );
        }
    }
    for index in (0..types.named.len()).rev().filter(|index| Some(*index) != main) {
        code.push('\n');
        record(&mut code, types, index, "    ");
    }
    code + "}\n"
}

fn record(code: &mut String, types: &Types, index: usize, indent: &str) {
    let Some(named) = types.named.get(index) else {
        return;
    };
    let (fields, others): (Vec<_>, Vec<_>) = named
        .fields
        .iter()
        .partition(|field| is_name(&field.key, "_$") && !WORDS.split(' ').any(|word| word == field.key));
    for field in others {
        let _ = writeln!(
            code,
            "{indent}// Left out, because it is not a name of Java: {}",
            literal(&field.key)
        );
    }
    let components = fields.iter().map(|field| {
        let ty = if field.is_optional {
            boxed(types, &field.ty)
        } else {
            type_of(types, &field.ty)
        };
        format!("{ty} {}", field.key)
    });
    let components: Vec<_> = components.collect();
    let _ = writeln!(
        code,
        "{indent}public record {}({}) {{",
        named.name,
        components.join(", ")
    );
    let _ = writeln!(code, "{indent}}}");
}

fn type_of(types: &Types, ty: &Type) -> String {
    match ty {
        Type::Bool => "boolean".to_owned(),
        Type::Int(_, high) if *high <= i128::from(i64::MAX) => "long".to_owned(),
        Type::Float(..) => "double".to_owned(),
        ty => boxed(types, ty),
    }
}

fn boxed(types: &Types, ty: &Type) -> String {
    match ty {
        Type::Any | Type::Nil | Type::Ext(_) | Type::Union(_) => "Object".to_owned(),
        Type::Bool => "Boolean".to_owned(),
        Type::Int(_, high) if *high <= i128::from(i64::MAX) => "Long".to_owned(),
        Type::Int(..) => "java.math.BigInteger".to_owned(),
        Type::Float(..) => "Double".to_owned(),
        Type::Str { .. } => "String".to_owned(),
        Type::Bin => "byte[]".to_owned(),
        Type::Time => "Instant".to_owned(),
        Type::List(element, _) => format!("List<{}>", boxed(types, element)),
        Type::Dictionary(values, true) => format!("Map<String, {}>", boxed(types, values)),
        Type::Dictionary(..) => "Map<Object, Object>".to_owned(),
        Type::Named(index) => types.name(*index).to_owned(),
        Type::Nullable(inner) => boxed(types, inner),
    }
}
