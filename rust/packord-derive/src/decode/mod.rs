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
    let other_form = context.other_form().map(|body| {
        quote! {
            #[cold]
            fn unpack_other_form(
                reader: &mut #reader,
            ) -> ::core::result::Result<Self, #krate::typed::Failed> {
                #body
            }
        }
    });
    let flat = context.unpack_fields(&generics, &reader);
    let quick = context.quick().map(|body| {
        let cursor = match mode {
            Mode::Owned => quote!(#krate::typed::Cursor<'_>),
            Mode::Borrowed => quote!(#krate::typed::Cursor<#lifetime>),
        };
        quote! {
            #[inline(always)]
            fn quick(cursor: &mut #cursor) -> ::core::option::Option<Self> {
                #body
            }
        }
    });
    let absent = context.absent();
    quote! {
        #[automatically_derived]
        #[allow(clippy::all, clippy::pedantic)]
        impl #impl_generics #trait_path for #name #type_generics #where_clause {
            #[inline]
            fn unpack_from(
                reader: &mut #reader,
            ) -> ::core::result::Result<Self, #krate::typed::Failed> {
                #body
            }

            #quick
            #absent
            #other_form
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

    /// Reads the usual encoding of a struct of a few plain fields without names, or of a newtype.
    fn quick(&self) -> Option<TokenStream> {
        /// More code is not worth it: with more fields the set-up of a reader counts less.
        const MOST: usize = 6;
        let Kind::Struct(set) = &self.input.kind else {
            return None;
        };
        if set.layout == Layout::Headerless || set.style == Style::Unit {
            return None;
        }
        let made = set.construct(&quote!(Self));
        if let Some(field) = set.newtype() {
            let (quick, binding) = (self.codec(field).quick, &field.binding);
            return Some(quote! {
                let #binding = #quick(cursor)?;
                ::core::option::Option::Some(#made)
            });
        }
        let count = set.count();
        if set.keyed() || !(1..=MOST).contains(&count) || set.written().any(|field| field.gap > 0) {
            return None;
        }
        let codecs: Vec<FieldCodec> = set.written().map(|field| self.codec(field)).collect();
        let leaves = codecs.iter().map(|codec| &codec.leaf);
        let bindings = set.written().map(|field| &field.binding);
        let quicks = codecs.iter().map(|codec| &codec.quick);
        Some(quote! {
            if !(true #(&& #leaves)*) || !cursor.take_array(#count) {
                return ::core::option::Option::None;
            }
            #(let #bindings = #quicks(cursor)?;)*
            ::core::option::Option::Some(#made)
        })
    }

    /// Reads the fields and constructs the value. `tag` is a key that has been read already.
    fn body(&self, set: &FieldSet, constructor: &TokenStream, tag: Option<&str>) -> TokenStream {
        let trait_path = &self.trait_path;
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
            let open = self.open(set, &quote!(fields), &quote!(fields_or_array));
            return self.keyed(set, constructor, tag, &open);
        }
        let open = self.open(set, &quote!(array), &quote!(array_or_fields));
        self.positional(set, &made, &open)
    }

    /// Returns the code that opens the container of the fields. It leaves for the other form if a
    /// struct has one and that is next.
    fn open(&self, set: &FieldSet, own: &TokenStream, either: &TokenStream) -> TokenStream {
        if !self.has_other_form(set) {
            return quote!(reader.#own()?);
        }
        let trait_path = &self.trait_path;
        quote! {
            match reader.#either()? {
                ::core::option::Option::Some(open) => open,
                ::core::option::Option::None => return <Self as #trait_path>::unpack_other_form(reader),
            }
        }
    }

    /// Returns whether the type is a struct that is read in two forms.
    fn has_other_form(&self, set: &FieldSet) -> bool {
        matches!(self.input.kind, Kind::Struct(_)) && set.has_two_forms()
    }

    /// Reads the form in which the type is not written.
    fn other_form(&self) -> Option<TokenStream> {
        let Kind::Struct(set) = &self.input.kind else {
            return None;
        };
        if !self.has_other_form(set) {
            return None;
        }
        let constructor = quote!(Self);
        Some(if set.keyed() {
            self.positional(set, &set.construct(&constructor), &quote!(reader.array()?))
        } else {
            self.keyed(set, &constructor, None, &quote!(reader.fields()?))
        })
    }

    /// Reads the fields in their order, without names.
    fn positional(&self, set: &FieldSet, made: &TokenStream, open: &TokenStream) -> TokenStream {
        let krate = self.krate;
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
            let read = match field.fallback() {
                Some(default) => quote!(|reader| reader.unless_left_out(#read, || #default)),
                None => read,
            };
            quote! {
                #gap
                let #binding = if count > #index {
                    reader.member(&mut cursor, &open, count - #index - 1, #leaf, || #step, |cursor| #quick(cursor), #read)?
                } else {
                    #missing
                };
            }
        });
        quote! {
            let start = reader.position();
            let open = #open;
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
