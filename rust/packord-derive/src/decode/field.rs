//! How one field is read.

use super::{Context, Mode};
use crate::attrs::Codec;
use crate::fields::Field;
use proc_macro2::TokenStream;
use quote::quote;

pub(super) struct FieldCodec {
    /// Whether it opens no container.
    pub leaf: TokenStream,
    /// The function for the usual encodings of leaves.
    pub quick: TokenStream,
    /// The function for all encodings.
    pub read: TokenStream,
    pub absent: TokenStream,
}

impl Context<'_> {
    pub(super) fn codec(&self, field: &Field) -> FieldCodec {
        let (trait_path, ty) = (&self.trait_path, &field.ty);
        let none = quote!(__derive::None);
        let nested = |read, absent| FieldCodec {
            leaf: quote!(false),
            quick: quote!(__derive::quick_none),
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
                let (quick, read) = match self.mode {
                    Mode::Owned => (quote!(__derive::quick_binary), quote!(__derive::read_binary)),
                    Mode::Borrowed => (quote!(__derive::quick_binary_ref), quote!(__derive::read_binary_ref)),
                };
                let leaf = quote!(true);
                if !field.is_option() {
                    return FieldCodec {
                        leaf,
                        quick,
                        read,
                        absent: none,
                    };
                }
                FieldCodec {
                    leaf,
                    quick: quote!((|cursor| __derive::quick_optional(cursor, #quick))),
                    read: quote!(|reader| __derive::optional(reader, #read)),
                    absent: quote!(__derive::Some(#none)),
                }
            }
            Codec::Array => {
                let call = quote! {
                    __derive::read_array(
                        reader,
                        |reader| <_ as #trait_path>::unpack_from(reader),
                        |reader| <_ as #trait_path>::unpack_vec(reader),
                    )
                };
                nested(quote!(|reader| #call), none)
            }
            Codec::Map => {
                let part = quote!(|reader| <_ as #trait_path>::unpack_from(reader));
                let name = quote!(|reader, name, at| <_ as #trait_path>::from_name(reader, name, at));
                let call = quote!(__derive::read_map(reader, #part, #name, #part));
                nested(quote!(|reader| #call), none)
            }
            Codec::Timestamp => nested(
                quote!(<#ty as __derive::TimestampLike>::read),
                quote!(<#ty as __derive::TimestampLike>::absent()),
            ),
        }
    }

    pub(super) fn entry(&self, field: &Field) -> TokenStream {
        let read = self.codec(field).read;
        match field.fallback() {
            Some(default) => {
                quote!(|reader| __derive::unless_undefined(reader, #read, || #default))
            }
            None => read,
        }
    }

    /// Returns the value of a field that is missing, or the error.
    pub(super) fn missing(&self, field: &Field) -> TokenStream {
        let absent = self.codec(field).absent;
        let step = field.step();
        field
            .fallback()
            .unwrap_or_else(|| quote!(__derive::missing(reader, start, #step, #absent)?))
    }
}
