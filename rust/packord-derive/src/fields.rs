//! The fields of a struct or variant.

use crate::attrs::{Case, Codec, Fallback, FieldAttrs, Layout};
use proc_macro2::{Span, TokenStream};
use quote::{format_ident, quote};
use syn::{Error, Fields, Ident, Member, Path, Result, Type};

/// How the fields are written in Rust.
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
    /// The key in maps.
    pub name: String,
    pub aliases: Vec<String>,
    pub index: usize,
    pub attrs: FieldAttrs,
}

pub struct FieldSet {
    pub style: Style,
    pub layout: Layout,
    pub fields: Vec<Field>,
    /// Whether keys that are not fields are errors.
    pub deny: bool,
}

impl FieldSet {
    pub fn new(
        fields: &Fields,
        layout: Layout,
        case: Option<Case>,
        deny: bool,
    ) -> Result<FieldSet> {
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
            if let (Some((span, name)), true) = (
                attrs.keyed,
                matches!(layout, Layout::Array | Layout::Headerless),
            ) {
                let text = format!(
                    "`{name}` needs keys: add `#[msgpacker(map)]` to the type, and a name to the field"
                );
                return Err(Error::new(span, text));
            }
            let rust_name = match &member {
                Member::Named(name) => name.to_string().trim_start_matches("r#").to_owned(),
                Member::Unnamed(index) => index.index.to_string(),
            };
            let renamed = attrs.rename.as_ref().map(syn::LitStr::value);
            let name = renamed.unwrap_or_else(|| {
                case.map_or_else(|| rust_name.clone(), |case| case.apply(&rust_name))
            });
            list.push(Field {
                binding: format_ident!("f{index}"),
                ty: field.ty.clone(),
                aliases: attrs.aliases.iter().map(syn::LitStr::value).collect(),
                member,
                name,
                index: written,
                attrs,
            });
            written += usize::from(!list.last().is_some_and(|field| field.attrs.skip));
        }
        let set = FieldSet {
            style,
            layout,
            fields: list,
            deny,
        };
        set.check_names()?;
        Ok(set)
    }

    /// Checks that no two fields have the same key.
    fn check_names(&self) -> Result<()> {
        if !self.keyed() {
            return Ok(());
        }
        let mut seen: Vec<&str> = Vec::new();
        for field in self.plain() {
            for name in core::iter::once(&field.name).chain(&field.aliases) {
                if seen.contains(&name.as_str()) {
                    let span = match (&field.attrs.rename, &field.member) {
                        (Some(rename), _) => rename.span(),
                        (None, Member::Named(name)) => name.span(),
                        (None, Member::Unnamed(_)) => Span::call_site(),
                    };
                    return Err(Error::new(
                        span,
                        format!("another field has the key {name:?}"),
                    ));
                }
                seen.push(name);
            }
        }
        Ok(())
    }

    pub fn keyed(&self) -> bool {
        matches!(self.layout, Layout::Map | Layout::Record)
    }

    /// Returns the fields that are written.
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
        match &*self.fields {
            [field] if self.style == Style::Tuple && !field.attrs.skip => Some(field),
            _ => None,
        }
    }

    /// Returns the pattern that binds the written fields.
    pub fn pattern(&self, constructor: &TokenStream) -> TokenStream {
        let fields = self.written().map(
            |Field {
                 member, binding, ..
             }| quote!(#member: #binding),
        );
        quote!(#constructor { #(#fields,)* .. })
    }

    /// Returns the expression that constructs the value from the variables.
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
    /// Returns the step to the field in paths.
    pub fn step(&self, krate: &Path) -> TokenStream {
        match &self.member {
            Member::Named(_) => {
                let name = &self.name;
                quote!(#krate::typed::Step::Field(#name))
            }
            Member::Unnamed(_) => {
                let index = self.index;
                quote!(#krate::typed::Step::Index(#index))
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

    /// Returns whether the type is written as an `Option`.
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
