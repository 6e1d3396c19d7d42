//! The attributes and their errors.

use proc_macro2::Span;
use syn::meta::ParseNestedMeta;
use syn::spanned::Spanned;
use syn::{Attribute, Error, Expr, ExprPath, Ident, LitStr, Path, Result};

/// The layout of a struct, or of the fields of a variant.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Layout {
    Array,
    Map,
    Record,
    Headerless,
}

/// How an enum marks its variant.
#[derive(Clone)]
pub enum Tagging {
    External,
    Internal(LitStr),
    /// The key of the tag, and that of the content.
    Adjacent(LitStr, LitStr),
    Untagged,
    Number,
}

pub struct TypeAttrs {
    pub layout: Layout,
    pub layout_span: Option<Span>,
    pub tagging: Tagging,
    pub tagging_span: Option<Span>,
    pub rename_all: Option<Case>,
    pub deny_unknown_fields: bool,
    pub transparent: Option<Span>,
    pub krate: Path,
}

#[derive(Default)]
pub struct VariantAttrs {
    pub rename: Option<LitStr>,
    pub aliases: Vec<LitStr>,
    pub rename_all: Option<Case>,
}

/// The value of a field that is missing in the input.
#[derive(Default)]
pub enum Fallback {
    #[default]
    None,
    Default,
    Call(ExprPath),
}

/// The form of a field, if it is not that of its type.
#[derive(Default)]
pub enum Codec {
    #[default]
    Own,
    With(ExprPath),
    Binary,
    Array,
    Map,
    Timestamp,
}

#[derive(Clone, Copy)]
pub struct Key {
    pub number: i64,
    pub span: Span,
}

impl Key {
    fn parse(meta: &ParseNestedMeta<'_>) -> Result<Key> {
        let value: Expr = meta.value()?.parse()?;
        let span = value.span();
        let wrong = || Error::new(span, "expected an integer of 64 bits");
        let digits = |literal: &Expr| match literal {
            Expr::Lit(syn::ExprLit {
                lit: syn::Lit::Int(int),
                ..
            }) => int.base10_parse::<i128>().ok(),
            _ => None,
        };
        let number = match &value {
            Expr::Unary(syn::ExprUnary {
                op: syn::UnOp::Neg(_),
                expr,
                ..
            }) => digits(expr).map(|number| -number),
            positive => digits(positive),
        };
        let number = number.and_then(|number| i64::try_from(number).ok());
        number.map(|number| Key { number, span }).ok_or_else(wrong)
    }
}

#[derive(Default)]
pub struct FieldAttrs {
    pub rename: Option<LitStr>,
    /// An integer in place of the name, or of the position in an array.
    pub key: Option<Key>,
    pub aliases: Vec<LitStr>,
    pub skip: bool,
    pub skip_if: Option<ExprPath>,
    pub fallback: Fallback,
    pub codec: Codec,
    pub flatten: Option<Span>,
    /// The first attribute that needs keys.
    pub keyed: Option<(Span, String)>,
}

/// The forms of names that `rename_all` accepts.
#[derive(Clone, Copy)]
pub enum Case {
    Lower,
    Upper,
    Pascal,
    Camel,
    Snake,
    ScreamingSnake,
    Kebab,
    ScreamingKebab,
}

impl Case {
    const NAMES: [(&'static str, Case); 8] = [
        ("lowercase", Case::Lower),
        ("UPPERCASE", Case::Upper),
        ("PascalCase", Case::Pascal),
        ("camelCase", Case::Camel),
        ("snake_case", Case::Snake),
        ("SCREAMING_SNAKE_CASE", Case::ScreamingSnake),
        ("kebab-case", Case::Kebab),
        ("SCREAMING-KEBAB-CASE", Case::ScreamingKebab),
    ];

    fn parse(meta: &ParseNestedMeta<'_>) -> Result<Case> {
        let text: LitStr = meta.value()?.parse()?;
        let wanted = text.value();
        let known = Case::NAMES.iter().find(|(name, _)| *name == wanted);
        known.map(|&(_, case)| case).ok_or_else(|| {
            let names: Vec<&str> = Case::NAMES.iter().map(|&(name, _)| name).collect();
            Error::new(
                text.span(),
                format!("unknown case; expected one of: {}", names.join(", ")),
            )
        })
    }

    /// Renames a field (`first_name`) or a variant (`FirstName`).
    pub fn apply(self, name: &str) -> String {
        let words = words(name);
        let capital = |word: &String| {
            let mut letters = word.chars();
            letters
                .next()
                .map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
        };
        let capitals = || words.iter().map(capital);
        match self {
            Case::Lower => words.concat(),
            Case::Upper => words.concat().to_uppercase(),
            Case::Pascal => capitals().collect(),
            Case::Camel => words.first().cloned().into_iter().chain(capitals().skip(1)).collect(),
            Case::Snake => words.join("_"),
            Case::ScreamingSnake => words.join("_").to_uppercase(),
            Case::Kebab => words.join("-"),
            Case::ScreamingKebab => words.join("-").to_uppercase(),
        }
    }
}

/// Returns the words of an identifier in lower case.
fn words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut new = true;
    for letter in name.chars() {
        if letter == '_' {
            new = true;
            continue;
        }
        match words.last_mut() {
            Some(word) if !new && !letter.is_uppercase() => word.push(letter),
            _ => words.push(letter.to_lowercase().collect()),
        }
        new = false;
    }
    words
}

/// Calls `read` for each item of each `#[msgpacker(…)]`.
fn each(attrs: &[Attribute], mut read: impl FnMut(&ParseNestedMeta<'_>, &str) -> Result<()>) -> Result<()> {
    for attr in attrs.iter().filter(|attr| attr.path().is_ident("msgpacker")) {
        attr.parse_nested_meta(|meta| {
            let name = meta.path.get_ident().map(ToString::to_string).unwrap_or_default();
            read(&meta, &name)
        })?;
    }
    Ok(())
}

fn path(meta: &ParseNestedMeta<'_>) -> Result<ExprPath> {
    match meta.value()?.parse()? {
        Expr::Path(path) => Ok(path),
        Expr::Lit(syn::ExprLit {
            lit: syn::Lit::Str(text),
            ..
        }) => text.parse(),
        other => Err(Error::new(other.span(), "expected a path")),
    }
}

impl TypeAttrs {
    pub fn parse(attrs: &[Attribute], is_enum: bool) -> Result<TypeAttrs> {
        let mut all = TypeAttrs {
            layout: Layout::Array,
            layout_span: None,
            tagging: Tagging::External,
            tagging_span: None,
            rename_all: None,
            deny_unknown_fields: false,
            transparent: None,
            krate: {
                let name = Ident::new(&crate::package::name(), Span::call_site());
                syn::parse_quote!(::#name)
            },
        };
        let mut content: Option<LitStr> = None;
        each(attrs, |meta, name| {
            let span = meta.path.span();
            match name {
                "array" => all.set_layout(Layout::Array, span)?,
                "map" => all.set_layout(Layout::Map, span)?,
                "record" => all.set_layout(Layout::Record, span)?,
                "headerless" => all.set_layout(Layout::Headerless, span)?,
                "rename_all" => all.rename_all = Some(Case::parse(meta)?),
                "deny_unknown_fields" => all.deny_unknown_fields = true,
                "crate" => all.krate = path(meta)?.path,
                "untagged" | "tag" | "content" | "c_enum" if !is_enum => {
                    return Err(meta.error(format!("`{name}` is allowed on enums only")));
                }
                "transparent" if is_enum => {
                    return Err(meta.error("`transparent` is allowed on structs only"));
                }
                "transparent" => all.transparent = Some(span),
                "content" => content = Some(meta.value()?.parse()?),
                "untagged" => all.set_tagging(Tagging::Untagged, span)?,
                "tag" => all.set_tagging(Tagging::Internal(meta.value()?.parse()?), span)?,
                "c_enum" => all.set_tagging(Tagging::Number, span)?,
                _ => return Err(meta.error(UNKNOWN_OF_TYPE)),
            }
            Ok(())
        })?;
        if let Some(content) = content {
            match all.tagging {
                Tagging::Internal(tag) if tag.value() == content.value() => {
                    return Err(Error::new(content.span(), "the tag has the same key"));
                }
                Tagging::Internal(tag) => all.tagging = Tagging::Adjacent(tag, content),
                _ => return Err(Error::new(content.span(), "`content` needs `tag`")),
            }
        }
        if let (Some(span), Some(_)) = (all.transparent, all.layout_span) {
            return Err(Error::new(span, "a `transparent` type has no layout"));
        }
        if let (Layout::Headerless, Some(span)) = (all.layout, all.tagging_span) {
            return Err(Error::new(span, "the variants of a headerless enum are always numbers"));
        }
        Ok(all)
    }

    fn set_layout(&mut self, layout: Layout, span: Span) -> Result<()> {
        if self.layout_span.replace(span).is_some() {
            return Err(Error::new(span, "only one layout is allowed"));
        }
        self.layout = layout;
        Ok(())
    }

    fn set_tagging(&mut self, tagging: Tagging, span: Span) -> Result<()> {
        if self.tagging_span.replace(span).is_some() {
            return Err(Error::new(
                span,
                "only one of `untagged`, `tag` and `c_enum` is allowed",
            ));
        }
        self.tagging = tagging;
        Ok(())
    }
}

const UNKNOWN_OF_TYPE: &str = "unknown attribute; expected one of: array, map, record, headerless, rename_all, \
                               deny_unknown_fields, transparent, untagged, tag, content, c_enum, crate";
const UNKNOWN_OF_FIELD: &str = "unknown attribute; expected one of: rename, key, alias, skip, skip_if, default, with, flatten, \
                                binary, array, map, timestamp";
const UNKNOWN_OF_VARIANT: &str = "unknown attribute; expected one of: rename, alias, rename_all";

impl VariantAttrs {
    pub fn parse(attrs: &[Attribute]) -> Result<VariantAttrs> {
        let mut all = VariantAttrs::default();
        each(attrs, |meta, name| {
            match name {
                "rename" => all.rename = Some(meta.value()?.parse()?),
                "alias" => all.aliases.push(meta.value()?.parse()?),
                "rename_all" => all.rename_all = Some(Case::parse(meta)?),
                _ => return Err(meta.error(UNKNOWN_OF_VARIANT)),
            }
            Ok(())
        })?;
        Ok(all)
    }
}

impl FieldAttrs {
    pub fn parse(attrs: &[Attribute]) -> Result<FieldAttrs> {
        let mut all = FieldAttrs::default();
        each(attrs, |meta, name| {
            let span = meta.path.span();
            match name {
                "rename" => all.rename = Some(meta.value()?.parse()?),
                "alias" => all.aliases.push(meta.value()?.parse()?),
                "key" => all.key = Some(Key::parse(meta)?),
                "skip" => all.skip = true,
                "skip_if" => all.skip_if = Some(path(meta)?),
                "default" if meta.input.peek(syn::Token![=]) => all.fallback = Fallback::Call(path(meta)?),
                "default" => all.fallback = Fallback::Default,
                "flatten" => all.flatten = Some(span),
                "with" => all.set_codec(Codec::With(path(meta)?), span)?,
                "binary" => all.set_codec(Codec::Binary, span)?,
                "array" => all.set_codec(Codec::Array, span)?,
                "map" => all.set_codec(Codec::Map, span)?,
                "timestamp" => all.set_codec(Codec::Timestamp, span)?,
                _ => return Err(meta.error(UNKNOWN_OF_FIELD)),
            }
            if matches!(name, "rename" | "alias" | "skip_if" | "flatten") {
                all.keyed.get_or_insert_with(|| (span, name.to_owned()));
            }
            Ok(())
        })?;
        if let (Some(key), Some(_)) = (all.key, &all.rename) {
            return Err(Error::new(key.span, "only one of `rename` and `key` is allowed"));
        }
        if let (Some(key), true) = (all.key, all.skip || all.flatten.is_some()) {
            return Err(Error::new(key.span, "this field is written without a key"));
        }
        if let (Some(span), false) = (all.flatten, matches!(all.codec, Codec::Own)) {
            return Err(Error::new(
                span,
                "a flattened field cannot have another attribute for its form",
            ));
        }
        Ok(all)
    }

    fn set_codec(&mut self, codec: Codec, span: Span) -> Result<()> {
        if !matches!(self.codec, Codec::Own) {
            return Err(Error::new(
                span,
                "only one of `with`, `binary`, `array`, `map` and `timestamp` is allowed",
            ));
        }
        self.codec = codec;
        Ok(())
    }
}
