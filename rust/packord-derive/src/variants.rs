//! The variants of an enum.

use crate::attrs::{Layout, Tagging, TypeAttrs, VariantAttrs};
use crate::fields::{FieldSet, Style};
use proc_macro2::TokenStream;
use quote::quote;
use syn::{DataEnum, Error, Expr, Ident, LitInt, Result};

pub struct Variant {
    pub ident: Ident,
    pub name: String,
    pub aliases: Vec<String>,
    /// The number that a headerless enum writes.
    pub number: Expr,
    pub fields: FieldSet,
}

impl Variant {
    pub fn constructor(&self) -> TokenStream {
        let ident = &self.ident;
        quote!(Self::#ident)
    }

    pub fn names(&self) -> impl Iterator<Item = &String> {
        core::iter::once(&self.name).chain(&self.aliases)
    }
}

pub fn parse(data: &DataEnum, attrs: &TypeAttrs) -> Result<Vec<Variant>> {
    let mut variants: Vec<Variant> = Vec::new();
    for (index, variant) in data.variants.iter().enumerate() {
        let own = VariantAttrs::parse(&variant.attrs)?;
        // Fields next to a tag have keys.
        let layout = match (attrs.layout, &attrs.tagging) {
            (Layout::Array, Tagging::Internal(_)) => Layout::Map,
            (layout, _) => layout,
        };
        let fields = FieldSet::new(&variant.fields, layout, own.rename_all, attrs.deny_unknown_fields)?;
        check(variant, &fields, &attrs.tagging)?;
        let rust_name = variant.ident.to_string();
        let name = match (&own.rename, attrs.rename_all) {
            (Some(name), _) => name.value(),
            (None, Some(case)) => case.apply(&rust_name),
            (None, None) => rust_name,
        };
        let aliases: Vec<String> = own.aliases.iter().map(syn::LitStr::value).collect();
        let taken = |name: &String| variants.iter().any(|other| other.names().any(|known| known == name));
        if let Some(name) = core::iter::once(&name).chain(&aliases).find(|name| taken(name)) {
            let text = format!("another variant has the name {name:?}");
            return Err(Error::new(variant.ident.span(), text));
        }
        let number = match &variant.discriminant {
            Some((_, number)) => number.clone(),
            None => {
                let number = LitInt::new(&index.to_string(), variant.ident.span());
                syn::parse_quote!(#number)
            }
        };
        variants.push(Variant {
            ident: variant.ident.clone(),
            name,
            aliases,
            number,
            fields,
        });
    }
    Ok(variants)
}

fn check(variant: &syn::Variant, fields: &FieldSet, tagging: &Tagging) -> Result<()> {
    let wrong = |text: &str| Err(Error::new(variant.ident.span(), text));
    match tagging {
        Tagging::Number if fields.style != Style::Unit => wrong("a variant of a `c_enum` cannot have fields"),
        Tagging::Internal(_) if fields.style == Style::Tuple && fields.newtype().is_none() => {
            wrong("the fields of a variant with a tag need names")
        }
        Tagging::Internal(tag) => match fields.plain().find(|field| field.name == tag.value()) {
            Some(_) => wrong("a field has the same key as the tag"),
            None => Ok(()),
        },
        _ => Ok(()),
    }
}
