//! How a type is read whose fields are flattened into another.

use super::{Context, Mode};
use crate::input::Kind;
use proc_macro2::TokenStream;
use quote::quote;
use syn::Type;

impl Context<'_> {
    pub(super) fn unpack_fields_trait(&self) -> TokenStream {
        let krate = self.krate;
        match self.mode {
            Mode::Owned => quote!(#krate::typed::fields::UnpackFields),
            Mode::Borrowed => quote!(#krate::typed::fields::UnpackFieldsBorrowed<'__input>),
        }
    }

    pub(super) fn partial(&self, ty: &Type) -> TokenStream {
        let flat = self.unpack_fields_trait();
        quote!(<#ty as #flat>::Partial)
    }

    /// Returns the implementation that reads the type when it is flattened into another.
    pub(super) fn unpack_fields(
        &self,
        generics: &syn::Generics,
        reader: &TokenStream,
    ) -> TokenStream {
        let Kind::Struct(set) = &self.input.kind else {
            return TokenStream::new();
        };
        if !set.keyed() || set.has_integers() {
            return TokenStream::new();
        }
        let (krate, name, flat) = (self.krate, &self.input.ident, self.unpack_fields_trait());
        let (impl_generics, _, where_clause) = generics.split_for_impl();
        let (_, type_generics, _) = self.input.generics.split_for_impl();
        let types = set.written().map(|field| {
            let ty = &field.ty;
            if field.attrs.flatten.is_some() {
                self.partial(ty)
            } else {
                quote!(::core::option::Option<#ty>)
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
            let (binding, step) = (&field.binding, field.step(krate));
            let names = field.names();
            quote! {
                #(#names)|* => {
                    *#binding = ::core::option::Option::Some(reader.other_field(fields, index, #step, #read)?);
                    ::core::result::Result::Ok(true)
                }
            }
        });
        let offers = set.flattened().map(|field| {
            let (binding, ty) = (&field.binding, &field.ty);
            quote! {
                if <#ty as #flat>::offer(#binding, key, fields, index, reader)? {
                    return ::core::result::Result::Ok(true);
                }
            }
        });
        let (takes, made, deny) = (self.takes(set), set.construct(&quote!(Self)), set.deny);
        quote! {
            #[automatically_derived]
            #[allow(clippy::all, clippy::pedantic)]
            impl #impl_generics #flat for #name #type_generics #where_clause {
                type Partial = #partial;
                const DENY: bool = #deny;

                fn offer(
                    partial: &mut Self::Partial,
                    key: &str,
                    fields: &#krate::typed::fields::Fields,
                    index: usize,
                    reader: &mut #reader,
                ) -> ::core::result::Result<bool, #krate::typed::Failed> {
                    #[allow(unused_variables)]
                    let #pattern = partial;
                    match key {
                        #(#arms)*
                        _ => {
                            #(#offers)*
                            ::core::result::Result::Ok(false)
                        }
                    }
                }

                fn finish(
                    partial: Self::Partial,
                    start: usize,
                    reader: &mut #reader,
                ) -> ::core::result::Result<Self, #krate::typed::Failed> {
                    let #pattern = partial;
                    #takes
                    ::core::result::Result::Ok(#made)
                }
            }
        }
    }
}

/// Returns a tuple of tuples: they have a default up to a length, and the compiler's work is limited in
/// depth.
fn nested(mut parts: Vec<TokenStream>) -> TokenStream {
    const MOST: usize = 12;
    while parts.len() > MOST {
        parts = parts
            .chunks(MOST)
            .map(|part| quote!((#(#part,)*)))
            .collect();
    }
    quote!((#(#parts,)*))
}
