//! The code that reads a type: the implementation of one of the two traits of reading.

mod field;
mod flatten;
mod headerless;
mod keyed;
mod variants;

use crate::attrs::Layout;
use crate::fields::{FieldSet, Style};
use crate::generics::{bounded, with_input};
use crate::input::{Input, Kind};
use field::FieldCodec;
use proc_macro2::TokenStream;
use quote::quote;
use syn::{Lifetime, Path};

/// Which of the two traits of reading is implemented.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    Owned,
    Borrowed,
}

/// What all parts of the code of one type need.
struct Context<'i> {
    krate: &'i Path,
    mode: Mode,
    /// The trait, with its lifetime if it has one.
    trait_path: Path,
    input: &'i Input,
}

pub fn unpackable(input: &Input, mode: Mode) -> TokenStream {
    let krate = &input.krate;
    let lifetime: Lifetime = syn::parse_quote!('__input);
    let trait_path: Path = match mode {
        Mode::Owned => syn::parse_quote!(#krate::Unpackable),
        Mode::Borrowed => syn::parse_quote!(#krate::UnpackableBorrowed<#lifetime>),
    };
    let context = Context {
        krate,
        mode,
        trait_path,
        input,
    };
    let trait_path = &context.trait_path;
    let name = &input.ident;
    let generics = bounded(&input.generics, input.fields(), trait_path);
    let generics = if mode == Mode::Borrowed {
        with_input(&generics, &lifetime)
    } else {
        generics
    };
    let (impl_generics, _, where_clause) = generics.split_for_impl();
    let (_, type_generics, _) = input.generics.split_for_impl();
    let reader = match mode {
        Mode::Owned => quote!(#krate::typed::Reader<'_>),
        Mode::Borrowed => quote!(#krate::typed::Reader<#lifetime>),
    };
    let body = match &input.kind {
        Kind::Struct(set) => context.body(set, &quote!(Self), None),
        Kind::Enum(variants) => context.enum_body(variants),
    };
    let flat = context.unpack_fields(&generics, &reader);
    let absent = context.absent();
    quote! {
        #[automatically_derived]
        impl #impl_generics #trait_path for #name #type_generics #where_clause {
            #[inline]
            fn unpack_from(
                reader: &mut #reader,
            ) -> ::core::result::Result<Self, #krate::typed::Failed> {
                #body
            }

            #absent
        }
        #flat
    }
}

impl Context<'_> {
    /// Returns the value of a missing field of a transparent type: that of its own field.
    fn absent(&self) -> TokenStream {
        let Kind::Struct(set) = &self.input.kind else {
            return TokenStream::new();
        };
        set.transparent().map_or_else(TokenStream::new, |field| {
            let (binding, absent) = (&field.binding, self.codec(field).absent);
            let made = set.construct(&quote!(Self));
            quote! {
                fn absent() -> ::core::option::Option<Self> {
                    let absent = #absent;
                    absent.map(|#binding| #made)
                }
            }
        })
    }

    /// Reads the fields and constructs the value. `tag` is a key that has been read already.
    fn body(&self, set: &FieldSet, constructor: &TokenStream, tag: Option<&str>) -> TokenStream {
        let (krate, trait_path) = (self.krate, &self.trait_path);
        let made = set.construct(constructor);
        if set.layout == Layout::Headerless {
            let reads = set.written().map(|field| self.headerless(field));
            return quote!(#(#reads)* ::core::result::Result::Ok(#made));
        }
        if set.style == Style::Unit && tag.is_none() {
            return quote! {
                <() as #trait_path>::unpack_from(reader)?;
                ::core::result::Result::Ok(#made)
            };
        }
        if let Some(field) = set.newtype() {
            let (read, binding) = (self.codec(field).read, &field.binding);
            return quote! {
                let read = #read;
                let #binding = read(reader)?;
                ::core::result::Result::Ok(#made)
            };
        }
        if set.keyed() || tag.is_some() {
            return self.keyed(set, constructor, tag);
        }
        let count = set.count();
        let deny = set.deny;
        let reads = set.written().map(|field| {
            let FieldCodec { leaf, quick, read, .. } = self.codec(field);
            let (binding, index, step) = (&field.binding, field.index, field.step(krate));
            let missing = self.missing(field);
            let gap = (field.gap > 0).then(|| {
                let first = index - field.gap;
                quote!(reader.gap(&mut cursor, &open, #first, #index)?;)
            });
            // What a newer writer has dropped is nil.
            let dropped = field
                .fallback()
                .filter(|_| field.attrs.key.is_some())
                .map(|value| quote!(if count > #index && reader.nil_at(&mut cursor) { #value } else));
            quote! {
                #gap
                let #binding = #dropped if count > #index {
                    reader.member(&mut cursor, &open, count - #index - 1, #leaf, || #step, #quick, #read)?
                } else {
                    #missing
                };
            }
        });
        quote! {
            let start = reader.position();
            let open = reader.array()?;
            let count = open.count();
            #[allow(unused_mut)]
            let mut cursor = reader.cursor();
            #(#reads)*
            reader.go_on(cursor);
            if count > #count {
                reader.surplus(&open, #count, start, #deny)?;
            }
            reader.close(open);
            ::core::result::Result::Ok(#made)
        }
    }
}
