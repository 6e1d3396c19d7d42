//! Bounds and lifetimes of the implementations.

use crate::fields::Field;
use proc_macro2::TokenTree;
use quote::ToTokens;
use syn::{GenericParam, Generics, Ident, Lifetime, LifetimeParam, Path, Type};

/// Returns the generics with `bound` on each type parameter that a field mentions.
pub fn bounded<'f>(
    generics: &Generics,
    fields: impl Iterator<Item = &'f Field>,
    bound: &Path,
) -> Generics {
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

/// Returns the generics with the lifetime of the input first, which outlives all others.
pub fn with_input(generics: &Generics, input: &Lifetime) -> Generics {
    let mut generics = generics.clone();
    let outlived: Vec<Lifetime> = generics
        .lifetimes()
        .map(|parameter| parameter.lifetime.clone())
        .collect();
    let mut parameter = LifetimeParam::new(input.clone());
    parameter.bounds.extend(outlived);
    generics.params.insert(0, GenericParam::Lifetime(parameter));
    generics
}
