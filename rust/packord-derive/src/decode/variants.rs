//! How enums are read.

use super::Context;
use crate::attrs::{Layout, Tagging};
use crate::fields::{Field, Style};
use crate::variants::Variant;
use proc_macro2::TokenStream;
use quote::quote;

impl Context<'_> {
    pub(super) fn enum_body(&self, variants: &[Variant]) -> TokenStream {
        match &self.input.tagging {
            _ if self.input.layout == Layout::Headerless => self.headerless_enum(variants),
            Tagging::Number => self.numbered(variants),
            Tagging::Untagged => self.untagged(variants),
            Tagging::External => self.external(variants),
            Tagging::Internal(tag) => self.internal(variants, &tag.value()),
            Tagging::Adjacent(tag, content) => self.adjacent(variants, &tag.value(), &content.value()),
        }
    }

    pub(super) fn headerless_enum(&self, variants: &[Variant]) -> TokenStream {
        let trait_path = &self.trait_path;
        let arms = variants.iter().map(|variant| {
            let (number, body) = (
                &variant.number,
                self.body(&variant.fields, &variant.constructor(), None),
            );
            quote!(if number == (#number) as u32 { #body } else)
        });
        quote! {
            let start = reader.position();
            let number = <u32 as #trait_path>::unpack_from(reader)?;
            #(#arms)* {
                __derive::Err(__derive::unknown_number(reader, start))
            }
        }
    }

    pub(super) fn numbered(&self, variants: &[Variant]) -> TokenStream {
        let trait_path = &self.trait_path;
        let arms = variants.iter().map(|variant| {
            let ident = &variant.ident;
            quote!(if number == Self::#ident as i128 { __derive::Ok(Self::#ident) } else)
        });
        quote! {
            let start = reader.position();
            let number = <i128 as #trait_path>::unpack_from(reader)?;
            #(#arms)* {
                __derive::Err(__derive::unknown_number(reader, start))
            }
        }
    }

    pub(super) fn untagged(&self, variants: &[Variant]) -> TokenStream {
        let tries = variants.iter().map(|variant| {
            let body = self.body(&variant.fields, &variant.constructor(), None);
            quote! {
                if let __derive::Some(value) = __derive::attempt(reader, &mark, |reader| { #body })? {
                    return __derive::Ok(value);
                }
            }
        });
        quote! {
            let mark = __derive::mark(reader);
            #(#tries)*
            __derive::Err(__derive::no_variant(reader))
        }
    }

    pub(super) fn external(&self, variants: &[Variant]) -> TokenStream {
        let (units, others): (Vec<&Variant>, Vec<&Variant>) =
            variants.iter().partition(|variant| variant.fields.style == Style::Unit);
        let names = units.iter().map(|variant| {
            let (names, constructor) = (variant.names(), variant.constructor());
            let made = variant.fields.construct(&constructor);
            quote!(#(#names)|* => __derive::Ok(#made),)
        });
        let maps = others.iter().map(|variant| {
            let (names, name) = (variant.names(), &variant.name);
            let body = self.content(variant);
            quote! {
                #(__derive::Some(#names))|* => {
                    let value = __derive::field(reader, &fields, 0, false, __derive::Step::Field(#name), |reader| { #body })?;
                    __derive::end_fields(reader, fields);
                    __derive::Ok(value)
                }
            }
        });
        // A variant in the wrong form has another error than a name that the enum does not have.
        let names_of = |variants: &[&Variant]| -> Vec<String> {
            variants.iter().flat_map(|variant| variant.names()).cloned().collect()
        };
        let (unit_names, other_names) = (names_of(&units), names_of(&others));
        let wrong_str = (!other_names.is_empty()).then(|| {
            quote! {
                #(#other_names)|* => __derive::Err(
                    __derive::unexpected_form(reader, "a map of one entry", start)
                ),
            }
        });
        let wrong_map = (!unit_names.is_empty()).then(|| {
            quote! {
                #(__derive::Some(#unit_names))|* => __derive::Err(
                    __derive::unexpected_form(reader, "a variant", start)
                ),
            }
        });
        quote! {
            let start = reader.position();
            if let __derive::Some(name) = __derive::unit_name(reader)? {
                return match name {
                    #(#names)*
                    #wrong_str
                    name => __derive::Err(
                        __derive::unknown_variant(reader, __derive::Some(name), start)
                    ),
                };
            }
            let fields = __derive::variant(reader)?;
            match __derive::field_key(reader, &fields, 0)? {
                #(#maps)*
                #wrong_map
                name => __derive::Err(__derive::unknown_variant(reader, name, start)),
            }
        }
    }

    pub(super) fn internal(&self, variants: &[Variant], tag: &str) -> TokenStream {
        self.by_tag(variants, tag, |variant| match variant.fields.newtype() {
            Some(field) => self.tagged_newtype(variant, field, tag),
            None => self.body(&variant.fields, &variant.constructor(), Some(tag)),
        })
    }

    /// Reads a newtype from all entries but the tag, as it is written.
    fn tagged_newtype(&self, variant: &Variant, field: &Field, tag: &str) -> TokenStream {
        let (ty, binding, flat) = (&field.ty, &field.binding, self.unpack_fields_trait());
        let (deny, made) = (variant.fields.deny, variant.fields.construct(&variant.constructor()));
        quote! {
            let start = reader.position();
            let fields = __derive::fields(reader)?;
            let mut #binding: <#ty as #flat>::Partial = ::core::default::Default::default();
            for index in 0..fields.count() {
                let key_at = reader.position();
                let key = __derive::field_key(reader, &fields, index)?;
                let is_taken = match key {
                    __derive::Some(#tag) => {
                        __derive::skip_field(reader, &fields, index)?;
                        true
                    }
                    __derive::Some(key) => {
                        <#ty as #flat>::offer(&mut #binding, key, &fields, index, key_at, reader)?
                    }
                    __derive::None => false,
                };
                if !is_taken {
                    __derive::unknown_field(reader, &fields, index, key, key_at, #deny || <#ty as #flat>::DENY)?;
                }
            }
            __derive::end_fields(reader, fields);
            let #binding = <#ty as #flat>::finish(#binding, start, reader)?;
            __derive::Ok(#made)
        }
    }

    /// Reads the fields of a variant that has a place of its own: with or without their names.
    fn content(&self, variant: &Variant) -> TokenStream {
        let (set, constructor) = (&variant.fields, variant.constructor());
        if !set.has_two_forms() {
            return self.body(set, &constructor, None);
        }
        let made = set.construct(&constructor);
        let fields = self.keyed(set, &constructor, None, &quote!(__derive::fields(reader)?));
        let array = self.positional(set, &made, &quote!(reader.array()?));
        if set.keyed() {
            quote!(if __derive::at_array(reader)? { #array } else { #fields })
        } else {
            quote!(if __derive::at_fields(reader)? { #fields } else { #array })
        }
    }

    fn adjacent(&self, variants: &[Variant], tag: &str, content: &str) -> TokenStream {
        self.by_tag(variants, tag, |variant| {
            let (set, constructor) = (&variant.fields, variant.constructor());
            let (body, made) = (self.content(variant), set.construct(&constructor));
            let absent = if set.style == Style::Unit {
                quote!(__derive::Some(#made))
            } else if let Some(field) = set.newtype() {
                let (binding, absent) = (&field.binding, self.codec(field).absent);
                quote!({ let absent = #absent; absent.map(|#binding| #made) })
            } else {
                quote!(__derive::None)
            };
            let deny = set.deny;
            quote!(__derive::adjacent(reader, #tag, #content, #deny, #absent, |reader| { #body }))
        })
    }

    /// Reads the variant that the tag names by the code that `read` makes.
    fn by_tag(&self, variants: &[Variant], tag: &str, read: impl Fn(&Variant) -> TokenStream) -> TokenStream {
        let arms = variants.iter().map(|variant| {
            let (names, read) = (variant.names(), read(variant));
            quote!(#(#names)|* => { #read })
        });
        quote! {
            let at = reader.position();
            let variant = __derive::tag(reader, #tag)?;
            match &*variant {
                #(#arms)*
                name => __derive::Err(
                    __derive::unknown_variant(reader, __derive::Some(name), at)
                ),
            }
        }
    }
}
