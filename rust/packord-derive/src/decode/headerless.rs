//! Fields one after another without a header, as msgpacker writes them.

use super::Context;
use crate::attrs::Codec;
use crate::fields::Field;
use proc_macro2::TokenStream;
use quote::quote;
use syn::Type;

impl Context<'_> {
    pub(super) fn headerless(&self, field: &Field) -> TokenStream {
        let (binding, step) = (&field.binding, field.step());
        let value = if matches!(field.attrs.codec, Codec::Own) {
            self.headerless_value(&field.ty)
        } else {
            let read = self.codec(field).read;
            quote!({ let read = #read; read(reader) })
        };
        quote! {
            let #binding = __derive::within(reader, #step, |reader| #value)?;
        }
    }

    pub(super) fn headerless_value(&self, ty: &Type) -> TokenStream {
        let trait_path = &self.trait_path;
        match ty {
            Type::Array(array) => {
                let each = self.headerless_value(&array.elem);
                quote!(__derive::headerless_array(reader, |reader| #each))
            }
            Type::Tuple(tuple) if !tuple.elems.is_empty() => {
                let parts = tuple.elems.iter().map(|ty| self.headerless_value(ty));
                quote!(__derive::Ok((#(#parts?,)*)))
            }
            _ => quote!(<#ty as #trait_path>::unpack_from(reader)),
        }
    }
}
