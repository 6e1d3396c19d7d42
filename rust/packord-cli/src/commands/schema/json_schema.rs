//! Types as JSON Schema 2020-12, for what `unpack` writes.

use serde_json::{Map, Value, json};

use crate::json::conventions::{self, BIN, EXT, FLOAT, TIMESTAMP};
use crate::schema::{Type, Types};

/// Returns the schema. With `has_ranges`, it has the least and the greatest that was seen, too.
pub fn code(types: &Types, root: &str, has_ranges: bool) -> String {
    let writer = SchemaWriter { types, has_ranges };
    let Value::Object(rest) = writer.of(&types.root) else {
        return String::new();
    };
    let mut schema = Map::new();
    schema.insert(
        "$schema".to_owned(),
        json!("https://json-schema.org/draft/2020-12/schema"),
    );
    schema.insert("title".to_owned(), json!(root));
    schema.extend(rest);
    format!("{:#}\n", Value::Object(schema))
}

struct SchemaWriter<'t> {
    types: &'t Types,
    has_ranges: bool,
}

impl SchemaWriter<'_> {
    fn of(&self, ty: &Type) -> Value {
        match ty {
            Type::Any => json!({}),
            Type::Nil => json!({"type": "null"}),
            Type::Bool => json!({"type": "boolean"}),
            Type::Int(low, high) => self.ranged(
                json!({"type": "integer"}),
                ["minimum", "maximum"],
                integer(*low),
                integer(*high),
            ),
            Type::Float(low, high, is_infinite) => {
                let number = self.ranged(
                    json!({"type": "number"}),
                    ["minimum", "maximum"],
                    json!(low),
                    json!(high),
                );
                if *is_infinite {
                    json!({"anyOf": [number, wrapped(FLOAT, json!({"type": "string"}))]})
                } else {
                    number
                }
            }
            Type::Str { choices, .. } if !choices.is_empty() => json!({"enum": choices}),
            Type::Str { format, lens, .. } => {
                let mut schema = json!({"type": "string"});
                if let (Some(format), Value::Object(entries)) = (format, &mut schema) {
                    entries.insert("format".to_owned(), json!(format));
                }
                self.ranged(schema, ["minLength", "maxLength"], json!(lens.0), json!(lens.1))
            }
            Type::Bin => wrapped(BIN, json!({"type": "string", "contentEncoding": "base64"})),
            Type::Time => wrapped(
                TIMESTAMP,
                json!({"anyOf": [
                    {"type": "string", "format": "date-time"},
                    {"type": "array", "items": {"type": "integer"}, "minItems": 2, "maxItems": 2},
                ]}),
            ),
            Type::Ext(kinds) => wrapped(
                EXT,
                json!({"type": "array", "prefixItems": [{"enum": kinds}, {"type": "string"}]}),
            ),
            Type::List(element, lens) => {
                let schema = json!({"type": "array", "items": self.of(element)});
                self.ranged(schema, ["minItems", "maxItems"], json!(lens.0), json!(lens.1))
            }
            Type::Dictionary(values, _) => {
                json!({"type": "object", "additionalProperties": self.of(values)})
            }
            Type::Named(index) => self.object(*index),
            Type::Union(kinds) => {
                let kinds: Vec<_> = kinds.iter().map(|kind| self.of(kind)).collect();
                json!({"anyOf": kinds})
            }
            Type::Nullable(inner) => match self.of(inner) {
                Value::Object(mut schema) if schema.get("type").is_some_and(Value::is_string) => {
                    let kind = schema.insert("type".to_owned(), Value::Null);
                    schema.insert("type".to_owned(), json!([kind, "null"]));
                    Value::Object(schema)
                }
                schema => json!({"anyOf": [schema, {"type": "null"}]}),
            },
        }
    }

    fn object(&self, index: usize) -> Value {
        let fields = self.types.named.get(index).map_or(&[][..], |named| &named.fields);
        let key = |key: &str| conventions::escape(key).into_owned();
        let properties: Map<_, _> = fields
            .iter()
            .map(|field| (key(&field.key), self.of(&field.ty)))
            .collect();
        let required: Vec<_> = fields
            .iter()
            .filter(|field| !field.is_optional)
            .map(|field| key(&field.key))
            .collect();
        json!({"type": "object", "properties": properties, "required": required})
    }

    fn ranged(&self, mut schema: Value, names: [&str; 2], low: Value, high: Value) -> Value {
        if let (true, Value::Object(entries)) = (self.has_ranges, &mut schema) {
            for (name, bound) in names.into_iter().zip([low, high]) {
                // Only values that are not finite were seen.
                if !bound.is_null() {
                    entries.insert(name.to_owned(), bound);
                }
            }
        }
        schema
    }
}

fn integer(number: i128) -> Value {
    i64::try_from(number).map_or_else(|_| json!(number as u64), |number| json!(number))
}

fn wrapped(key: &str, value: Value) -> Value {
    json!({"type": "object", "properties": {key: value}, "required": [key], "maxProperties": 1})
}
