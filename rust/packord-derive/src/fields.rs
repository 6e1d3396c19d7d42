//! The fields of a struct or variant.

use crate::attrs::{Case, Codec, Fallback, FieldAttrs, Layout};
use proc_macro2::{Span, TokenStream};
use quote::{format_ident, quote};
use syn::spanned::Spanned;
use syn::{Error, Fields, Ident, Member, Result, Type};

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Style {
    Named,
    Tuple,
    Unit,
}

pub struct Field {
    pub member: Member,
    /// The variable that holds the field, or a reference to it.
    pub binding: Ident,
    pub ty: Type,
    pub name: String,
    pub aliases: Vec<String>,
    pub index: usize,
    /// Number of elements before it in the array that belong to no field.
    pub gap: usize,
    pub attrs: FieldAttrs,
}

/// Maximum key of an array's field, so that an array of gaps stays small.
const MAX_INDEX: i64 = 1023;

pub struct FieldSet {
    pub style: Style,
    pub layout: Layout,
    pub fields: Vec<Field>,
    /// Whether keys that are not fields are errors.
    pub deny: bool,
    /// Whether the value is that of the one field that is written.
    transparent: bool,
}

impl FieldSet {
    pub fn new(fields: &Fields, layout: Layout, case: Option<Case>, deny: bool) -> Result<FieldSet> {
        let style = match fields {
            Fields::Named(_) => Style::Named,
            Fields::Unnamed(_) => Style::Tuple,
            Fields::Unit => Style::Unit,
        };
        // Only names can be keys.
        let layout = match (layout, style) {
            (Layout::Map | Layout::Record, Style::Tuple | Style::Unit) => Layout::Array,
            _ => layout,
        };
        let mut list = Vec::new();
        let mut written = 0;
        for (index, (field, member)) in fields.iter().zip(fields.members()).enumerate() {
            let attrs = FieldAttrs::parse(&field.attrs)?;
            if let (Some((span, name)), true) = (&attrs.keyed, matches!(layout, Layout::Array | Layout::Headerless)) {
                let text = format!("`{name}` needs keys: add `#[msgpacker(map)]` to the type, and a name to the field");
                return Err(Error::new(*span, text));
            }
            let rust_name = match &member {
                Member::Named(name) => name.to_string().trim_start_matches("r#").to_owned(),
                Member::Unnamed(index) => index.index.to_string(),
            };
            let renamed = attrs.rename.as_ref().map(syn::LitStr::value);
            let name = renamed.unwrap_or_else(|| case.map_or_else(|| rust_name.clone(), |case| case.apply(&rust_name)));
            list.push(Field {
                binding: format_ident!("f{index}"),
                ty: field.ty.clone(),
                aliases: attrs.aliases.iter().map(syn::LitStr::value).collect(),
                member,
                name,
                index: written,
                gap: 0,
                attrs,
            });
            written += usize::from(!list.last().is_some_and(|field| field.attrs.skip));
        }
        let mut set = FieldSet {
            style,
            layout,
            fields: list,
            deny,
            transparent: false,
        };
        set.check_names()?;
        set.place_keys()?;
        Ok(set)
    }

    /// Checks the keys that are integers, and puts the fields of an array in the places of theirs.
    fn place_keys(&mut self) -> Result<()> {
        let wrong = |span, text: &str| Err(Error::new(span, text));
        let mut seen: Vec<i64> = Vec::new();
        for key in self.written().filter_map(|field| field.attrs.key) {
            if seen.contains(&key.number) {
                return wrong(key.span, "another field has this key");
            }
            match self.layout {
                Layout::Record => return wrong(key.span, "the keys of a record are names"),
                Layout::Headerless => return wrong(key.span, "headerless fields have no keys"),
                Layout::Array if !(0..=MAX_INDEX).contains(&key.number) => {
                    return wrong(key.span, "a key of an array is from 0 to 1023");
                }
                Layout::Array | Layout::Map => seen.push(key.number),
            }
        }
        if self.keyed() || seen.is_empty() {
            return Ok(());
        }
        for field in &mut self.fields {
            match field.attrs.key {
                Some(key) => field.index = key.number as usize,
                None if field.attrs.skip => {}
                None => {
                    let span = field.ty.span();
                    return wrong(span, "each field of the array needs a key, as others have one");
                }
            }
        }
        self.fields.sort_by_key(|field| field.index);
        let mut next = 0;
        for field in self.fields.iter_mut().filter(|field| !field.attrs.skip) {
            field.gap = field.index - next;
            next = field.index + 1;
        }
        Ok(())
    }

    pub fn make_transparent(&mut self, span: Span) -> Result<()> {
        let written: Vec<&Field> = self.written().collect();
        let wrong = match written[..] {
            [field] if field.attrs.key.is_some() || field.attrs.flatten.is_some() => {
                "the field of a `transparent` struct has no key"
            }
            [_] => {
                self.transparent = true;
                return Ok(());
            }
            _ => "a `transparent` struct has one field that is not skipped",
        };
        Err(Error::new(span, wrong))
    }

    pub fn count(&self) -> usize {
        self.written().last().map_or(0, |field| field.index + 1)
    }

    pub fn has_integers(&self) -> bool {
        self.keyed() && self.plain().any(|field| field.attrs.key.is_some())
    }

    /// Returns whether serde, too, would write the fields with or without their names.
    pub fn has_two_forms(&self) -> bool {
        self.style == Style::Named
            && self.layout != Layout::Headerless
            && self.flattened().next().is_none()
            && self.transparent().is_none()
            && !self.has_integers()
    }

    fn check_names(&self) -> Result<()> {
        if !self.keyed() {
            return Ok(());
        }
        let mut seen: Vec<&str> = Vec::new();
        for field in self.plain() {
            for name in field.names() {
                if seen.contains(&name.as_str()) {
                    let span = match (&field.attrs.rename, &field.member) {
                        (Some(rename), _) => rename.span(),
                        (None, Member::Named(name)) => name.span(),
                        (None, Member::Unnamed(_)) => Span::call_site(),
                    };
                    return Err(Error::new(span, format!("another field has the key {name:?}")));
                }
                seen.push(name);
            }
        }
        Ok(())
    }

    pub fn keyed(&self) -> bool {
        matches!(self.layout, Layout::Map | Layout::Record)
    }

    pub fn written(&self) -> impl Iterator<Item = &Field> + Clone {
        self.fields.iter().filter(|field| !field.attrs.skip)
    }

    /// Returns the fields that have a key of their own.
    pub fn plain(&self) -> impl Iterator<Item = &Field> + Clone {
        self.written().filter(|field| field.attrs.flatten.is_none())
    }

    pub fn flattened(&self) -> impl Iterator<Item = &Field> + Clone {
        self.written().filter(|field| field.attrs.flatten.is_some())
    }

    /// Returns the field of a struct with one unnamed field, which is written as that field.
    pub fn newtype(&self) -> Option<&Field> {
        if self.transparent {
            return self.written().next();
        }
        match &*self.fields {
            [field] if self.style == Style::Tuple && !field.attrs.skip && field.attrs.key.is_none() => Some(field),
            _ => None,
        }
    }

    pub fn transparent(&self) -> Option<&Field> {
        self.newtype().filter(|_| self.transparent)
    }

    pub fn pattern(&self, constructor: &TokenStream) -> TokenStream {
        let fields = self
            .written()
            .map(|Field { member, binding, .. }| quote!(#member: #binding));
        quote!(#constructor { #(#fields,)* .. })
    }

    pub fn construct(&self, constructor: &TokenStream) -> TokenStream {
        let fields = self.fields.iter().map(|field| {
            let (member, binding) = (&field.member, &field.binding);
            if field.attrs.skip {
                let value = field
                    .fallback()
                    .unwrap_or_else(|| quote!(::core::default::Default::default()));
                quote!(#member: #value)
            } else {
                quote!(#member: #binding)
            }
        });
        quote!(#constructor { #(#fields),* })
    }
}

impl Field {
    pub fn names(&self) -> impl Iterator<Item = &String> {
        let name = self.attrs.key.is_none().then_some(&self.name);
        name.into_iter().chain(&self.aliases)
    }

    pub fn step(&self) -> TokenStream {
        match &self.member {
            Member::Named(_) => {
                let name = &self.name;
                quote!(__derive::Step::Field(#name))
            }
            Member::Unnamed(_) => {
                let index = self.index;
                quote!(__derive::Step::Index(#index))
            }
        }
    }

    /// Returns the value of the field if it is missing, if an attribute sets it.
    pub fn fallback(&self) -> Option<TokenStream> {
        match &self.attrs.fallback {
            Fallback::None => None,
            Fallback::Default => Some(quote!(::core::default::Default::default())),
            Fallback::Call(path) => Some(quote!(#path())),
        }
    }

    pub fn is_option(&self) -> bool {
        let Type::Path(path) = &self.ty else {
            return false;
        };
        path.path
            .segments
            .last()
            .is_some_and(|last| last.ident == "Option" && !last.arguments.is_empty())
    }

    /// Returns whether the type itself must be packable.
    pub fn needs_bound(&self) -> bool {
        !self.attrs.skip && matches!(self.attrs.codec, Codec::Own | Codec::Array | Codec::Map)
    }
}
