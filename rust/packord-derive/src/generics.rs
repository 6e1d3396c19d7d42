//! The implementations' first lines: bounds and lifetimes.

use crate::fields::Field;
use crate::input::Input;
use proc_macro2::{TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::{GenericParam, Generics, Ident, Lifetime, LifetimeParam, Path, Type};

/// Returns the implementation of a trait with these items. Type parameters get `bound`; `lifetime` is that of
/// what the value borrows from, if it does.
pub fn implementation(
    input: &Input,
    of: &impl ToTokens,
    bound: &Path,
    lifetime: Option<&Lifetime>,
    items: &TokenStream,
) -> TokenStream {
    let mut generics = bounded(&input.generics, input.fields(), bound);
    if let Some(lifetime) = lifetime {
        add_input(&mut generics, lifetime);
    }
    let (impl_generics, _, where_clause) = generics.split_for_impl();
    let (name, (_, type_generics, _)) = (&input.ident, input.generics.split_for_impl());
    quote! {
        #[automatically_derived]
        impl #impl_generics #of for #name #type_generics #where_clause {
            #items
        }
    }
}

/// Returns the generics with `bound` on each type parameter that a field mentions.
fn bounded<'f>(generics: &Generics, fields: impl Iterator<Item = &'f Field>, bound: &Path) -> Generics {
    let mut used: Vec<Ident> = Vec::new();
    for field in fields.filter(|field| field.needs_bound() && !is_phantom(&field.ty)) {
        mentioned(field.ty.to_token_stream().into_iter(), &mut used);
    }
    let mut generics = generics.clone();
    for parameter in generics.type_params_mut() {
        if used.contains(&parameter.ident) {
            parameter.bounds.push(syn::parse_quote!(#bound));
        }
    }
    generics
}

fn mentioned(tokens: impl Iterator<Item = TokenTree>, used: &mut Vec<Ident>) {
    for token in tokens {
        match token {
            TokenTree::Ident(ident) => used.push(ident),
            TokenTree::Group(group) => mentioned(group.stream().into_iter(), used),
            _ => {}
        }
    }
}

fn is_phantom(ty: &Type) -> bool {
    matches!(ty, Type::Path(path) if path.path.segments.last().is_some_and(|last| last.ident == "PhantomData"))
}

/// Adds the lifetime of the input, which outlives all others, as the first.
fn add_input(generics: &mut Generics, input: &Lifetime) {
    let mut parameter = LifetimeParam::new(input.clone());
    let outlived = generics.lifetimes();
    parameter
        .bounds
        .extend(outlived.map(|outlived| outlived.lifetime.clone()));
    generics.params.insert(0, GenericParam::Lifetime(parameter));
}
