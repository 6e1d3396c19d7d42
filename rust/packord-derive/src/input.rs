//! The type that the macros are applied to.

use crate::attrs::{Layout, Tagging, TypeAttrs};
use crate::fields::{Field, FieldSet, Style};
use crate::variants::{self, Variant};
use syn::{Data, DeriveInput, Error, Generics, Ident, Path, Result};

pub struct Input {
    pub ident: Ident,
    pub generics: Generics,
    pub krate: Path,
    pub layout: Layout,
    pub tagging: Tagging,
    pub kind: Kind,
}

pub enum Kind {
    Struct(FieldSet),
    Enum(Vec<Variant>),
}

impl Input {
    pub fn parse(input: DeriveInput) -> Result<Input> {
        let is_enum = matches!(input.data, Data::Enum(_));
        let attrs = TypeAttrs::parse(&input.attrs, is_enum)?;
        let kind = match &input.data {
            Data::Struct(data) => {
                let mut set = FieldSet::new(&data.fields, attrs.layout, attrs.rename_all, attrs.deny_unknown_fields)?;
                if let Some(span) = attrs.transparent {
                    set.make_transparent(span)?;
                }
                if let (Some(span), Style::Tuple | Style::Unit) = (attrs.layout_span, set.style) {
                    if matches!(attrs.layout, Layout::Map | Layout::Record) {
                        return Err(Error::new(span, "a map needs fields with names as keys"));
                    }
                }
                Kind::Struct(set)
            }
            Data::Enum(data) => Kind::Enum(variants::parse(data, &attrs)?),
            Data::Union(data) => {
                return Err(Error::new(data.union_token.span, "unions are not supported"));
            }
        };
        Ok(Input {
            ident: input.ident,
            generics: input.generics,
            krate: attrs.krate,
            layout: attrs.layout,
            tagging: attrs.tagging,
            kind,
        })
    }

    pub fn flattens(&self) -> Option<&FieldSet> {
        match &self.kind {
            Kind::Struct(set) if set.keyed() && !set.has_integers() => Some(set),
            _ => None,
        }
    }

    pub fn fields(&self) -> Box<dyn Iterator<Item = &Field> + '_> {
        match &self.kind {
            Kind::Struct(set) => Box::new(set.fields.iter()),
            Kind::Enum(variants) => Box::new(variants.iter().flat_map(|variant| &variant.fields.fields)),
        }
    }
}
