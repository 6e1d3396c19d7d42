//! How one field is read.

use super::{Context, Mode};
use crate::attrs::Codec;
use crate::fields::Field;
use proc_macro2::TokenStream;
use quote::quote;

/// How a field is read.
pub(super) struct FieldCodec {
    /// Whether it opens no container.
    pub leaf: TokenStream,
    /// The function for the usual encodings of leaves.
    pub quick: TokenStream,
    /// The function for all encodings.
    pub read: TokenStream,
    /// The value of the field if it is missing.
    pub absent: TokenStream,
}

impl Context<'_> {
    /// Returns how a field is read.
    pub(super) fn codec(&self, field: &Field) -> FieldCodec {
        let (krate, trait_path, ty) = (self.krate, &self.trait_path, &field.ty);
        let none = quote!(::core::option::Option::None);
        let nested = |read, absent| FieldCodec {
            leaf: quote!(false),
            quick: quote!(#krate::typed::fields::quick_none),
            read,
            absent,
        };
        match &field.attrs.codec {
            Codec::Own => FieldCodec {
                leaf: quote!(<#ty as #trait_path>::LEAF),
                quick: quote!(<#ty as #trait_path>::quick),
                read: quote!(<#ty as #trait_path>::unpack_from),
                absent: quote!(<#ty as #trait_path>::absent()),
            },
            Codec::With(module) => {
                let mut unpack = module.clone();
                unpack.path.segments.push(syn::parse_quote!(unpack));
                nested(quote!(|reader| #unpack(reader)), none)
            }
            Codec::Binary => {
                let option = field.is_option();
                let (quick, read) = match (self.mode, option) {
                    (Mode::Owned, false) => (quote!(quick_binary), quote!(read_binary)),
                    (Mode::Owned, true) => {
                        (quote!(quick_binary_option), quote!(read_binary_option))
                    }
                    (Mode::Borrowed, false) => (quote!(quick_binary_ref), quote!(read_binary_ref)),
                    (Mode::Borrowed, true) => (
                        quote!(quick_binary_ref_option),
                        quote!(read_binary_ref_option),
                    ),
                };
                let absent = if option {
                    quote!(::core::option::Option::Some(#none))
                } else {
                    none
                };
                FieldCodec {
                    leaf: quote!(true),
                    quick: quote!(#krate::typed::fields::#quick),
                    read: quote!(#krate::typed::fields::#read),
                    absent,
                }
            }
            Codec::Array => {
                let call = quote!(#krate::typed::fields::read_array(reader, |reader| <_ as #trait_path>::unpack_from(reader)));
                nested(quote!(|reader| #call), none)
            }
            Codec::Map => {
                let part = quote!(|reader| <_ as #trait_path>::unpack_from(reader));
                let call = quote!(#krate::typed::fields::read_map(reader, #part, #part));
                nested(quote!(|reader| #call), none)
            }
            Codec::Timestamp => nested(
                quote!(<#ty as #krate::typed::TimestampLike>::read),
                quote!(<#ty as #krate::typed::TimestampLike>::absent()),
            ),
        }
    }

    /// Returns the function that reads the value of an entry.
    pub(super) fn entry(&self, field: &Field) -> TokenStream {
        let read = self.codec(field).read;
        match field.fallback() {
            Some(default) => quote!(|reader| reader.unless_undefined(#read, || #default)),
            None => read,
        }
    }

    /// Returns the value of a field that is missing, or the error.
    pub(super) fn missing(&self, field: &Field) -> TokenStream {
        let absent = self.codec(field).absent;
        let step = field.step(self.krate);
        field
            .fallback()
            .unwrap_or_else(|| quote!(reader.missing(start, #step, #absent)?))
    }
}
