//! How a type is read whose fields are flattened into another.

use super::{Context, Mode};
use proc_macro2::TokenStream;
use quote::quote;
use syn::Type;

impl Context<'_> {
    pub(super) fn unpack_fields_trait(&self) -> TokenStream {
        match self.mode {
            Mode::Owned => quote!(__derive::UnpackFields),
            Mode::Borrowed => quote!(__derive::UnpackFieldsBorrowed<'__input>),
        }
    }

    pub(super) fn partial(&self, ty: &Type) -> TokenStream {
        let flat = self.unpack_fields_trait();
        quote!(<#ty as #flat>::Partial)
    }

    /// Returns the items of the implementation that reads the type when it is flattened into another.
    pub(super) fn unpack_fields(&self, reader: &TokenStream) -> Option<TokenStream> {
        let (set, flat) = (self.input.flattens()?, self.unpack_fields_trait());
        let types = set.written().map(|field| {
            let ty = &field.ty;
            if field.attrs.flatten.is_some() {
                self.partial(ty)
            } else {
                quote!(__derive::Option<#ty>)
            }
        });
        let partial = nested(types.collect());
        let bindings = set.written().map(|field| {
            let binding = &field.binding;
            quote!(#binding)
        });
        let pattern = nested(bindings.collect());
        let arms = set.plain().map(|field| {
            let read = self.codec(field).read;
            let (binding, step) = (&field.binding, field.step());
            let (names, once) = (field.names(), Context::once(field, &quote!(fields)));
            quote! {
                #(#names)|* => {
                    #once
                    *#binding = __derive::Some(__derive::other_field(reader, fields, index, #step, #read)?);
                    __derive::Ok(true)
                }
            }
        });
        let offers = set.flattened().map(|field| {
            let (binding, ty) = (&field.binding, &field.ty);
            quote! {
                if <#ty as #flat>::offer(#binding, key, fields, index, key_at, reader)? {
                    return __derive::Ok(true);
                }
            }
        });
        let (takes, made, deny) = (self.takes(set), set.construct(&quote!(Self)), set.deny);
        Some(quote! {
            type Partial = #partial;
            const DENY: bool = #deny;

            fn offer(
                partial: &mut Self::Partial,
                key: &str,
                fields: &__derive::Fields,
                index: usize,
                #[allow(unused_variables)]
                key_at: usize,
                reader: #reader,
            ) -> __derive::Fallible<bool> {
                #[allow(unused_variables)]
                let #pattern = partial;
                match key {
                    #(#arms)*
                    _ => {
                        #(#offers)*
                        __derive::Ok(false)
                    }
                }
            }

            fn finish(partial: Self::Partial, start: usize, reader: #reader) -> __derive::Fallible<Self> {
                let #pattern = partial;
                #takes
                __derive::Ok(#made)
            }
        })
    }
}

/// Returns a tuple of tuples: they have a default up to a length, and the compiler's work is limited in
/// depth.
fn nested(mut parts: Vec<TokenStream>) -> TokenStream {
    const MOST: usize = 12;
    while parts.len() > MOST {
        parts = parts.chunks(MOST).map(|part| quote!((#(#part,)*))).collect();
    }
    quote!((#(#parts,)*))
}
