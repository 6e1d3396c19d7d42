//! The code that reads a type: the implementation of one of the two traits of reading.

mod field;
mod flatten;
mod headerless;
mod keyed;
mod variants;

use crate::attrs::Layout;
use crate::fields::{FieldSet, Style};
use crate::generics::implementation;
use crate::input::{Input, Kind};
use field::FieldCodec;
use proc_macro2::TokenStream;
use quote::quote;
use syn::{Lifetime, Path};

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    Owned,
    Borrowed,
}

/// What all parts of the code of one type need.
struct Context<'i> {
    mode: Mode,
    trait_path: Path,
    input: &'i Input,
}

pub fn unpackable(input: &Input, mode: Mode) -> TokenStream {
    let borrowed: Lifetime = syn::parse_quote!('__input);
    let (trait_path, lifetime): (Path, _) = match mode {
        Mode::Owned => (syn::parse_quote!(__derive::Unpackable), quote!('_)),
        Mode::Borrowed => (
            syn::parse_quote!(__derive::UnpackableBorrowed<#borrowed>),
            quote!(#borrowed),
        ),
    };
    let reader = quote!(&mut __derive::Reader<#lifetime>);
    let context = Context {
        mode,
        trait_path,
        input,
    };
    let body = match &input.kind {
        Kind::Struct(set) => context.body(set, &quote!(Self), None),
        Kind::Enum(variants) => context.enum_body(variants),
    };
    let other_form = context.other_form().map(|body| {
        quote! {
            #[cold]
            fn unpack_other_form(reader: #reader) -> __derive::Fallible<Self> {
                #body
            }
        }
    });
    let quick = context.quick().map(|body| {
        quote! {
            #[inline(always)]
            fn quick(cursor: &mut __derive::Cursor<#lifetime>) -> __derive::Option<Self> {
                #body
            }
        }
    });
    let absent = context.absent();
    let items = quote! {
        #[inline]
        fn unpack_from(reader: #reader) -> __derive::Fallible<Self> {
            #body
        }

        #quick
        #absent
        #other_form
    };
    let borrowed = (mode == Mode::Borrowed).then_some(&borrowed);
    let bound = &context.trait_path;
    let unpackable = implementation(input, bound, bound, borrowed, &items);
    let flat = context.unpack_fields(&reader).map(|items| {
        let of = context.unpack_fields_trait();
        implementation(input, &of, bound, borrowed, &items)
    });
    quote!(#unpackable #flat)
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
                fn absent() -> __derive::Option<Self> {
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
                __derive::Some(#made)
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
                return __derive::None;
            }
            #(let #bindings = #quicks(cursor)?;)*
            __derive::Some(#made)
        })
    }

    /// Reads the fields and constructs the value. `tag` is a key that has been read already.
    fn body(&self, set: &FieldSet, constructor: &TokenStream, tag: Option<&str>) -> TokenStream {
        let trait_path = &self.trait_path;
        let made = set.construct(constructor);
        if set.layout == Layout::Headerless {
            let reads = set.written().map(|field| self.headerless(field));
            return quote!(#(#reads)* __derive::Ok(#made));
        }
        if set.style == Style::Unit && tag.is_none() {
            return quote! {
                <() as #trait_path>::unpack_from(reader)?;
                __derive::Ok(#made)
            };
        }
        if let Some(field) = set.newtype() {
            let (read, binding) = (self.codec(field).read, &field.binding);
            return quote! {
                let read = #read;
                let #binding = read(reader)?;
                __derive::Ok(#made)
            };
        }
        if set.keyed() || tag.is_some() {
            let open = self.open(set, &quote!(__derive::fields(reader)), &quote!(fields_or_array));
            return self.keyed(set, constructor, tag, &open);
        }
        let open = self.open(set, &quote!(reader.array()), &quote!(array_or_fields));
        self.positional(set, &made, &open)
    }

    /// Returns the code that opens the container of the fields. It leaves for the other form if a
    /// struct has one and that is next.
    fn open(&self, set: &FieldSet, own: &TokenStream, either: &TokenStream) -> TokenStream {
        if !self.has_other_form(set) {
            return quote!(#own?);
        }
        let trait_path = &self.trait_path;
        quote! {
            match __derive::#either(reader)? {
                __derive::Some(open) => open,
                __derive::None => return <Self as #trait_path>::unpack_other_form(reader),
            }
        }
    }

    fn has_other_form(&self, set: &FieldSet) -> bool {
        matches!(self.input.kind, Kind::Struct(_)) && set.has_two_forms()
    }

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
            self.keyed(set, &constructor, None, &quote!(__derive::fields(reader)?))
        })
    }

    /// Reads the fields in their order, without names.
    fn positional(&self, set: &FieldSet, made: &TokenStream, open: &TokenStream) -> TokenStream {
        let count = set.count();
        let deny = set.deny;
        let reads = set.written().map(|field| {
            let FieldCodec { leaf, quick, read, .. } = self.codec(field);
            let (binding, index, step) = (&field.binding, field.index, field.step());
            let missing = self.missing(field);
            let gap = (field.gap > 0).then(|| {
                let first = index - field.gap;
                quote!(__derive::gap(reader, &mut cursor, &open, #first, #index)?;)
            });
            let read = match field.fallback() {
                Some(default) => quote!(|reader| __derive::unless_left_out(reader, #read, || #default)),
                None => read,
            };
            quote! {
                #gap
                let #binding = if count > #index {
                    __derive::member(reader, &mut cursor, &open, count - #index - 1, #leaf, || #step, |cursor| #quick(cursor), #read)?
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
            let mut cursor = __derive::cursor(reader);
            #(#reads)*
            __derive::go_on(reader, cursor);
            if count > #count {
                __derive::surplus(reader, &open, #count, start, #deny)?;
            }
            reader.close(open);
            __derive::Ok(#made)
        }
    }
}
