//! The code that writes a type.

use crate::attrs::{Codec, Layout, Tagging};
use crate::fields::{Field, FieldSet, Style};
use crate::generics::bounded;
use crate::input::{Input, Kind};
use crate::variants::Variant;
use proc_macro2::{Literal, Span, TokenStream};
use quote::{format_ident, quote};
use syn::spanned::Spanned;
use syn::{Path, Type};

/// Maximum number of fields written by one call: more make types that compile slowly.
const RUN: usize = 24;

pub fn packable(input: &Input) -> TokenStream {
    let krate = &input.krate;
    let name = &input.ident;
    let generics = bounded(
        &input.generics,
        input.fields(),
        &syn::parse_quote!(#krate::Packable),
    );
    let (impl_generics, _, where_clause) = generics.split_for_impl();
    let (_, type_generics, _) = input.generics.split_for_impl();
    let (pack, bound) = match &input.kind {
        Kind::Struct(set) => {
            let pattern = set.pattern(&quote!(Self));
            let (body, bound) = (body(krate, set), bound(krate, set));
            (
                quote!(let #pattern = self; #body),
                quote!(let #pattern = self; #bound),
            )
        }
        Kind::Enum(variants) => (enum_body(input, variants), enum_bound(krate, variants)),
    };
    let flat = pack_fields(input);
    quote! {
        #[automatically_derived]
        #[allow(clippy::all, clippy::pedantic)]
        impl #impl_generics #krate::Packable for #name #type_generics #where_clause {
            #[inline]
            fn pack_into(
                &self,
                writer: &mut #krate::typed::Writer<'_>,
            ) -> ::core::result::Result<(), #krate::typed::Failed> {
                #pack
            }

            #[inline]
            fn packed_len_bound(&self) -> usize {
                #krate::Packable::packed_len_bound_within(self, #krate::typed::BOUND_LEVELS)
            }

            #[inline]
            fn packed_len_bound_within(&self, levels: u32) -> usize {
                let _ = levels;
                #bound
            }
        }
        #flat
    }
}

/// Returns the implementation that writes a flattened value of the type.
fn pack_fields(input: &Input) -> TokenStream {
    let Kind::Struct(set) = &input.kind else {
        return TokenStream::new();
    };
    if !set.keyed() || set.has_integers() {
        return TokenStream::new();
    }
    let krate = &input.krate;
    let name = &input.ident;
    let generics = bounded(
        &input.generics,
        input.fields(),
        &syn::parse_quote!(#krate::Packable),
    );
    let (impl_generics, _, where_clause) = generics.split_for_impl();
    let (_, type_generics, _) = input.generics.split_for_impl();
    let pattern = set.pattern(&quote!(Self));
    let (count, write) = (count(krate, set), entries(krate, set));
    let (originals, variables) = (originals(set), variables(krate, set));
    quote! {
        #[automatically_derived]
        #[allow(clippy::all, clippy::pedantic)]
        impl #impl_generics #krate::typed::fields::PackFields for #name #type_generics #where_clause {
            fn field_count(&self) -> usize {
                #[allow(unused_variables)]
                let #pattern = self;
                #originals
                #count
            }

            fn pack_fields(
                &self,
                writer: &mut #krate::typed::Writer<'_>,
            ) -> ::core::result::Result<(), #krate::typed::Failed> {
                let #pattern = self;
                #variables
                #write
                ::core::result::Result::Ok(())
            }
        }
    }
}

/// Converts the variables of fields with an attribute to the form that is written.
fn variables(krate: &Path, set: &FieldSet) -> TokenStream {
    let originals = originals(set);
    let variables = set.written().map(|field| variable(krate, field));
    quote!(#originals #(#variables)*)
}

fn variable(krate: &Path, field: &Field) -> TokenStream {
    let binding = &field.binding;
    let via = |call: TokenStream| {
        quote! {
            let #binding = &#krate::typed::fields::Via(|writer: &mut #krate::typed::Writer<'_>| #call);
        }
    };
    match &field.attrs.codec {
        Codec::Own => TokenStream::new(),
        Codec::With(module) => {
            let mut pack = module.clone();
            pack.path.segments.push(syn::parse_quote!(pack));
            via(quote!(#pack(#binding, writer)))
        }
        Codec::Array => via(quote!(#krate::typed::fields::write_array(#binding, writer))),
        Codec::Map => via(quote!(#krate::typed::fields::write_map(#binding, writer))),
        Codec::Timestamp => via(quote!(#krate::typed::TimestampLike::write(#binding, writer))),
        Codec::Binary if field.is_option() => quote! {
            let #binding = &#binding.as_ref().map(::core::convert::AsRef::<[u8]>::as_ref);
        },
        Codec::Binary => quote!(let #binding = ::core::convert::AsRef::<[u8]>::as_ref(#binding);),
    }
}

/// Writes fields, each after its key if there are keys. A closure makes the list a second time, so
/// that it is in memory only if there is a fault or no room.
fn write<'f>(
    krate: &Path,
    fields: impl Iterator<Item = &'f Field>,
    keyed: bool,
    mut head: Vec<u8>,
) -> TokenStream {
    let (mut parts, mut steps) = (Vec::new(), Vec::new());
    let same = quote!(#krate::typed::Step::Same);
    for field in fields {
        if keyed {
            head.extend(key_bytes(field));
        } else {
            head.extend(core::iter::repeat_n(NIL, field.gap));
        }
        if let Some(head) = constant(krate, &mut head) {
            parts.push(head);
            steps.push(same.clone());
        }
        let binding = &field.binding;
        // A type that cannot be packed is reported at its field.
        let place = field.ty.span();
        let call = at(place, quote!(#krate::typed::fields::Field));
        let binding = at(place, quote!(#binding));
        parts.push(quote!(#call(#binding)));
        steps.push(field.step(krate));
    }
    parts.extend(constant(krate, &mut head));
    let list = parts
        .into_iter()
        .rev()
        .fold(quote!(()), |rest, part| quote!((#part, #rest)));
    quote! {
        if let ::core::result::Result::Err(stop) = writer.try_fields(#list) {
            writer.resume(stop, || #list, &[#(#steps),*])?;
        }
    }
}

/// Returns the tokens with another place.
fn at(place: Span, tokens: TokenStream) -> TokenStream {
    let moved = tokens.into_iter().map(|mut token| {
        token.set_span(place.resolved_at(token.span()));
        token
    });
    moved.collect()
}

fn constant(krate: &Path, bytes: &mut Vec<u8>) -> Option<TokenStream> {
    if bytes.is_empty() {
        return None;
    }
    let literal = Literal::byte_string(&core::mem::take(bytes));
    Some(quote!(#krate::typed::fields::ListHead(#literal)))
}

/// Returns the calls that write the fields, in runs.
fn runs(krate: &Path, fields: &[&Field], keyed: bool, mut head: Vec<u8>) -> TokenStream {
    let mut calls = TokenStream::new();
    let mut chunks = fields.chunks(RUN);
    loop {
        let chunk = chunks.next();
        let head = core::mem::take(&mut head);
        if chunk.is_none() && head.is_empty() {
            return calls;
        }
        calls.extend(write(
            krate,
            chunk.unwrap_or_default().iter().copied(),
            keyed,
            head,
        ));
    }
}

/// Writes the fields that the variables hold.
fn body(krate: &Path, set: &FieldSet) -> TokenStream {
    let variables = variables(krate, set);
    let fields: Vec<&Field> = set.written().collect();
    if set.layout == Layout::Headerless {
        let parts = fields.iter().map(|field| headerless(krate, field));
        return quote!(#variables #(#parts)* ::core::result::Result::Ok(()));
    }
    if set.style == Style::Unit {
        return quote!(writer.nil());
    }
    if let Some(field) = set.newtype() {
        let binding = &field.binding;
        return quote!(#variables #krate::Packable::pack_into(#binding, writer));
    }
    let calls = if set.keyed() {
        keyed(krate, set)
    } else {
        runs(krate, &fields, false, array_header(set.count()))
    };
    quote! {
        #variables
        writer.nested(|writer| {
            #calls
            ::core::result::Result::Ok(())
        })
    }
}

/// Writes a map, or a record.
fn keyed(krate: &Path, set: &FieldSet) -> TokenStream {
    let fields: Vec<&Field> = set.written().collect();
    let count = count(krate, set);
    let constant = set
        .written()
        .all(|field| field.attrs.skip_if.is_none() && field.attrs.flatten.is_none());
    if !constant {
        let entries = entries(krate, set);
        return quote!(writer.map_header(#count)?; #entries);
    }
    let map = runs(krate, &fields, true, map_header(fields.len()));
    if set.layout != Layout::Record {
        return map;
    }
    let values = runs(krate, &fields, false, Vec::new());
    let record = record_type(krate, &fields);
    quote! {
        #record
        if writer.record(&RECORD)? {
            #values
        } else {
            #map
        }
    }
}

/// Returns a static with the keys of a record.
pub fn record_type(krate: &Path, fields: &[&Field]) -> TokenStream {
    let keys = fields.iter().map(|field| &field.name);
    let mut packed = array_header(fields.len());
    for field in fields {
        packed.extend(str_bytes(&field.name));
    }
    let packed = Literal::byte_string(&packed);
    let record = quote!(#krate::typed::fields::RecordType);
    quote!(static RECORD: #record = #record::new(&[#(#keys),*], #packed);)
}

/// Returns the number of entries.
fn count(krate: &Path, set: &FieldSet) -> TokenStream {
    let always = set
        .plain()
        .filter(|field| field.attrs.skip_if.is_none())
        .count();
    let sometimes = set.plain().filter_map(|field| {
        let (skip, original) = (field.attrs.skip_if.as_ref()?, original(field));
        Some(quote!(+ usize::from(!#skip(#original))))
    });
    let flattened = set.flattened().map(|field| {
        let binding = &field.binding;
        quote!(+ #krate::typed::fields::PackFields::field_count(#binding))
    });
    quote!(#always #(#sometimes)* #(#flattened)*)
}

/// Returns the variable that keeps the field itself, if the other one is converted.
fn original(field: &Field) -> proc_macro2::Ident {
    format_ident!("original_{}", field.binding)
}

/// Returns variables for the fields that have a condition.
fn originals(set: &FieldSet) -> TokenStream {
    let asked = set.written().filter(|field| field.attrs.skip_if.is_some());
    asked
        .map(|field| {
            let (original, binding) = (original(field), &field.binding);
            quote!(let #original = #binding;)
        })
        .collect()
}

/// Writes entries, some of which may be left out.
fn entries(krate: &Path, set: &FieldSet) -> TokenStream {
    let fields: Vec<&Field> = set.written().collect();
    let mut calls = TokenStream::new();
    let mut run: Vec<&Field> = Vec::new();
    for field in fields {
        let binding = &field.binding;
        let call = if let Some(skip) = &field.attrs.skip_if {
            let original = original(field);
            let write = write(krate, [field].into_iter(), true, Vec::new());
            quote!(if !#skip(#original) { #write })
        } else if field.attrs.flatten.is_some() {
            quote!(#krate::typed::fields::PackFields::pack_fields(#binding, writer)?;)
        } else {
            run.push(field);
            continue;
        };
        calls.extend(runs(krate, &run, true, Vec::new()));
        run.clear();
        calls.extend(call);
    }
    calls.extend(runs(krate, &run, true, Vec::new()));
    calls
}

/// Writes a field as msgpacker does: arrays and tuples element by element.
fn headerless(krate: &Path, field: &Field) -> TokenStream {
    let binding = &field.binding;
    if matches!(field.attrs.codec, Codec::Own) {
        headerless_value(krate, &field.ty, &quote!(#binding))
    } else {
        quote!(#krate::Packable::pack_into(#binding, writer)?;)
    }
}

fn headerless_value(krate: &Path, ty: &Type, value: &TokenStream) -> TokenStream {
    match ty {
        Type::Array(array) => {
            let each = headerless_value(krate, &array.elem, &quote!(item));
            quote!(for item in #value { #each })
        }
        Type::Tuple(tuple) if !tuple.elems.is_empty() => {
            let parts = tuple.elems.iter().enumerate().map(|(index, ty)| {
                let index = syn::Index::from(index);
                headerless_value(krate, ty, &quote!((&(#value).#index)))
            });
            quote!(#(#parts)*)
        }
        _ => quote!(#krate::Packable::pack_into(#value, writer)?;),
    }
}

fn bound(krate: &Path, set: &FieldSet) -> TokenStream {
    let keys: usize = if set.keyed() {
        set.plain().map(|field| field.name.len() + 9).sum()
    } else {
        0
    };
    let constant = keys + 5 + set.count();
    let parts = set.written().map(|field| {
        let binding = &field.binding;
        match field.attrs.codec {
            Codec::Own => quote!(.wrapping_add(#krate::Packable::packed_len_bound_within(#binding, levels))),
            Codec::Binary if field.is_option() => quote! {
                .wrapping_add(#binding.as_ref().map_or(1, |bytes| 5 + ::core::convert::AsRef::<[u8]>::as_ref(bytes).len()))
            },
            Codec::Binary => quote!(.wrapping_add(5 + ::core::convert::AsRef::<[u8]>::as_ref(#binding).len())),
            _ => quote!(.wrapping_add({ let _ = #binding; 64 })),
        }
    });
    quote!(#constant #(#parts)*)
}

fn enum_bound(krate: &Path, variants: &[Variant]) -> TokenStream {
    if variants.is_empty() {
        return quote!(match *self {});
    }
    let arms = variants.iter().map(|variant| {
        let (pattern, bound) = (
            variant.fields.pattern(&variant.constructor()),
            bound(krate, &variant.fields),
        );
        let name = variant.name.len() + 16;
        quote!(#pattern => (#bound).wrapping_add(#name),)
    });
    quote!(match self { #(#arms)* })
}

fn enum_body(input: &Input, variants: &[Variant]) -> TokenStream {
    if variants.is_empty() {
        return quote!(match *self {});
    }
    let krate = &input.krate;
    let arms = variants.iter().map(|variant| {
        let set = &variant.fields;
        let pattern = set.pattern(&variant.constructor());
        let body = match &input.tagging {
            _ if set.layout == Layout::Headerless => {
                let (number, body) = (&variant.number, body(krate, set));
                quote!(#krate::Packable::pack_into(&((#number) as u32), writer)?; #body)
            }
            Tagging::Number => {
                let ident = &variant.ident;
                quote!(#krate::Packable::pack_into(&(Self::#ident as i128), writer))
            }
            Tagging::Untagged => body(krate, set),
            Tagging::External => external(krate, variant),
            Tagging::Internal(tag) => internal(krate, variant, &tag.value()),
            Tagging::Adjacent(tag, content) => {
                adjacent(krate, variant, &tag.value(), &content.value())
            }
        };
        quote!(#pattern => { #body })
    });
    quote!(match self { #(#arms)* })
}

/// Writes the name alone, or a map from it to the content.
fn external(krate: &Path, variant: &Variant) -> TokenStream {
    let mut head = str_bytes(&variant.name);
    if variant.fields.style == Style::Unit {
        let write = write(krate, core::iter::empty(), false, head);
        return quote!(#write ::core::result::Result::Ok(()));
    }
    head.splice(0..0, map_header(1));
    content(krate, variant, head, &variant.name)
}

/// Writes a map of the tag, and of the content unless it is empty.
fn adjacent(krate: &Path, variant: &Variant, tag: &str, key: &str) -> TokenStream {
    let unit = variant.fields.style == Style::Unit;
    let mut head = map_header(if unit { 1 } else { 2 });
    head.extend(str_bytes(tag));
    head.extend(str_bytes(&variant.name));
    if unit {
        let write = write(krate, core::iter::empty(), false, head);
        return quote!(writer.nested(|writer| { #write ::core::result::Result::Ok(()) }));
    }
    head.extend(str_bytes(key));
    content(krate, variant, head, key)
}

/// Writes the content of a variant in a map, after these bytes.
fn content(krate: &Path, variant: &Variant, head: Vec<u8>, key: &str) -> TokenStream {
    let head = write(krate, core::iter::empty(), false, head);
    let content = body(krate, &variant.fields);
    quote! {
        writer.nested(|writer| {
            #head
            writer.part(#krate::typed::Step::Field(#key), |writer| { #content })
        })
    }
}

/// Writes a map of the tag and the fields.
fn internal(krate: &Path, variant: &Variant, tag: &str) -> TokenStream {
    let set = &variant.fields;
    let mut head = str_bytes(tag);
    head.extend(str_bytes(&variant.name));
    let head = write(krate, core::iter::empty(), false, head);
    let variables = variables(krate, set);
    let (count, entries) = if let Some(field) = set.newtype() {
        let binding = &field.binding;
        let flat = quote!(#krate::typed::fields::PackFields);
        (
            quote!(#flat::field_count(#binding)),
            quote!(#flat::pack_fields(#binding, writer)?;),
        )
    } else {
        (count(krate, set), entries(krate, set))
    };
    quote! {
        #variables
        writer.nested(|writer| {
            writer.map_header(1 + #count)?;
            #head
            #entries
            ::core::result::Result::Ok(())
        })
    }
}

fn header(count: usize, fix: u8, short: u8) -> Vec<u8> {
    match u8::try_from(count) {
        Ok(count) if count < 16 => vec![fix | count],
        _ => {
            let [high, low] = u16::try_from(count).unwrap_or(u16::MAX).to_be_bytes();
            vec![short, high, low]
        }
    }
}

fn array_header(count: usize) -> Vec<u8> {
    header(count, 0x90, 0xdc)
}

fn map_header(count: usize) -> Vec<u8> {
    header(count, 0x80, 0xde)
}

const NIL: u8 = 0xc0;

/// Returns the bytes of the key of a field.
pub fn key_bytes(field: &Field) -> Vec<u8> {
    match field.attrs.key {
        Some(key) => int_bytes(key.number),
        None => str_bytes(&field.name),
    }
}

/// Returns the bytes of an integer, in its minimal form.
fn int_bytes(number: i64) -> Vec<u8> {
    let all = number.to_be_bytes();
    let (marker, len) = match number {
        -32..=0x7f => return vec![number as u8],
        0x80..=0xff => (0xcc, 1),
        0x100..=0xffff => (0xcd, 2),
        0x1_0000..=0xffff_ffff => (0xce, 4),
        0x1_0000_0000.. => (0xcf, 8),
        -0x80..=-33 => (0xd0, 1),
        -0x8000..=-0x81 => (0xd1, 2),
        -0x8000_0000..=-0x8001 => (0xd2, 4),
        _ => (0xd3, 8),
    };
    [&[marker], &all[8 - len..]].concat()
}

/// Returns the bytes of a str.
pub fn str_bytes(text: &str) -> Vec<u8> {
    let len = text.len();
    let mut bytes = match len {
        0..32 => vec![0xa0 | len as u8],
        32..0x100 => vec![0xd9, len as u8],
        _ => [
            &[0xda][..],
            &u16::try_from(len).unwrap_or(u16::MAX).to_be_bytes(),
        ]
        .concat(),
    };
    bytes.extend(text.bytes());
    bytes
}
