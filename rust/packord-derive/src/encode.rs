//! The code that writes a type.

use crate::attrs::{Codec, Layout, Tagging};
use crate::fields::{Field, FieldSet, Style};
use crate::generics::implementation;
use crate::input::{Input, Kind};
use crate::variants::Variant;
use proc_macro2::{Literal, Span, TokenStream};
use quote::{format_ident, quote};
use syn::spanned::Spanned;
use syn::{Path, Type};

/// Maximum number of fields written by one call: more make types that compile slowly.
const RUN: usize = 24;

pub fn packable(input: &Input) -> TokenStream {
    let (pack, bound) = match &input.kind {
        Kind::Struct(set) => {
            let pattern = set.pattern(&quote!(Self));
            let (body, bound) = (body(set), bound(set));
            (quote!(let #pattern = self; #body), quote!(let #pattern = self; #bound))
        }
        Kind::Enum(variants) => (enum_body(input, variants), enum_bound(variants)),
    };
    let items = quote! {
        #[inline]
        fn pack_into(&self, writer: &mut __derive::Writer<'_>) -> __derive::Fallible<()> {
            #pack
        }

        #[inline]
        fn packed_len_bound(&self) -> usize {
            __derive::Packable::packed_len_bound_within(self, __derive::BOUND_LEVELS)
        }

        #[inline]
        fn packed_len_bound_within(&self, levels: u32) -> usize {
            let _ = levels;
            #bound
        }
    };
    let bound: Path = syn::parse_quote!(__derive::Packable);
    let packable = implementation(input, &bound, &bound, None, &items);
    let Some(items) = pack_fields(input) else {
        return packable;
    };
    let flat = implementation(input, &quote!(__derive::PackFields), &bound, None, &items);
    quote!(#packable #flat)
}

/// Returns the items of the implementation that writes a flattened value of the type.
fn pack_fields(input: &Input) -> Option<TokenStream> {
    let set = input.flattens()?;
    let pattern = set.pattern(&quote!(Self));
    let (count, write) = (count(set), entries(set));
    let (originals, variables) = (originals(set), variables(set));
    Some(quote! {
        fn field_count(&self) -> usize {
            #[allow(unused_variables)]
            let #pattern = self;
            #originals
            #count
        }

        fn pack_fields(&self, writer: &mut __derive::Writer<'_>) -> __derive::Fallible<()> {
            let #pattern = self;
            #variables
            #write
            __derive::Ok(())
        }
    })
}

/// Converts the variables of fields with an attribute to the form that is written.
fn variables(set: &FieldSet) -> TokenStream {
    let originals = originals(set);
    let variables = set.written().map(variable);
    quote!(#originals #(#variables)*)
}

fn variable(field: &Field) -> TokenStream {
    let binding = &field.binding;
    let via = |call: TokenStream| {
        quote! {
            let #binding = &__derive::Via(|writer: &mut __derive::Writer<'_>| #call);
        }
    };
    match &field.attrs.codec {
        Codec::Own => TokenStream::new(),
        Codec::With(module) => {
            let mut pack = module.clone();
            pack.path.segments.push(syn::parse_quote!(pack));
            via(quote!(#pack(#binding, writer)))
        }
        Codec::Array => via(quote!(__derive::write_array(#binding, writer))),
        Codec::Map => via(quote!(__derive::write_map(#binding, writer))),
        Codec::Timestamp => via(quote!(__derive::TimestampLike::write(#binding, writer))),
        Codec::Binary if field.is_option() => quote! {
            let #binding = &#binding.as_ref().map(::core::convert::AsRef::<[u8]>::as_ref);
        },
        Codec::Binary => quote!(let #binding = ::core::convert::AsRef::<[u8]>::as_ref(#binding);),
    }
}

/// Writes fields, each after its key if there are keys. A closure makes the list a second time, so
/// that it is in memory only if there is a fault or no room.
fn write<'f>(fields: impl Iterator<Item = &'f Field>, keyed: bool, mut head: Vec<u8>) -> TokenStream {
    let (mut parts, mut steps) = (Vec::new(), Vec::new());
    let same = quote!(__derive::Step::Same);
    for field in fields {
        if keyed {
            head.extend(key_bytes(field));
        } else {
            head.extend(core::iter::repeat_n(NIL, field.gap));
        }
        if let Some(head) = constant(&mut head) {
            parts.push(head);
            steps.push(same.clone());
        }
        let binding = &field.binding;
        // A type that cannot be packed is reported at its field.
        let place = field.ty.span();
        let call = at(place, quote!(__derive::Field));
        let binding = at(place, quote!(#binding));
        parts.push(quote!(#call(#binding)));
        steps.push(field.step());
    }
    parts.extend(constant(&mut head));
    let list = parts
        .into_iter()
        .rev()
        .fold(quote!(()), |rest, part| quote!((#part, #rest)));
    quote! {
        if let __derive::Err(stop) = __derive::try_fields(writer, #list) {
            __derive::resume(writer, stop, || #list, &[#(#steps),*])?;
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

fn constant(bytes: &mut Vec<u8>) -> Option<TokenStream> {
    if bytes.is_empty() {
        return None;
    }
    let literal = Literal::byte_string(&core::mem::take(bytes));
    Some(quote!(__derive::ListHead(#literal)))
}

/// Returns the calls that write the fields, in runs.
fn runs(fields: &[&Field], keyed: bool, mut head: Vec<u8>) -> TokenStream {
    let mut calls = TokenStream::new();
    let mut chunks = fields.chunks(RUN);
    loop {
        let chunk = chunks.next();
        let head = core::mem::take(&mut head);
        if chunk.is_none() && head.is_empty() {
            return calls;
        }
        calls.extend(write(chunk.unwrap_or_default().iter().copied(), keyed, head));
    }
}

fn body(set: &FieldSet) -> TokenStream {
    let variables = variables(set);
    let fields: Vec<&Field> = set.written().collect();
    if set.layout == Layout::Headerless {
        let parts = fields.iter().map(|field| headerless(field));
        return quote!(#variables #(#parts)* __derive::Ok(()));
    }
    if set.style == Style::Unit {
        return quote!(writer.nil());
    }
    if let Some(field) = set.newtype() {
        let binding = &field.binding;
        return quote!(#variables __derive::Packable::pack_into(#binding, writer));
    }
    let calls = if set.keyed() {
        keyed(set)
    } else {
        runs(&fields, false, array_header(set.count()))
    };
    quote! {
        #variables
        writer.nested(|writer| {
            #calls
            __derive::Ok(())
        })
    }
}

fn keyed(set: &FieldSet) -> TokenStream {
    let fields: Vec<&Field> = set.written().collect();
    let count = count(set);
    let constant = set
        .written()
        .all(|field| field.attrs.skip_if.is_none() && field.attrs.flatten.is_none());
    if !constant {
        let entries = entries(set);
        return quote!(__derive::map_header(writer, #count)?; #entries);
    }
    let map = runs(&fields, true, map_header(fields.len()));
    if set.layout != Layout::Record {
        return map;
    }
    let values = runs(&fields, false, Vec::new());
    let record = record_type(&fields);
    quote! {
        #record
        if __derive::record(writer, &RECORD)? {
            #values
        } else {
            #map
        }
    }
}

pub fn record_type(fields: &[&Field]) -> TokenStream {
    let keys = fields.iter().map(|field| &field.name);
    let mut packed = array_header(fields.len());
    for field in fields {
        packed.extend(str_bytes(&field.name));
    }
    let packed = Literal::byte_string(&packed);
    let record = quote!(__derive::RecordType);
    quote!(static RECORD: #record = #record::new(&[#(#keys),*], #packed);)
}

fn count(set: &FieldSet) -> TokenStream {
    let always = set.plain().filter(|field| field.attrs.skip_if.is_none()).count();
    let sometimes = set.plain().filter_map(|field| {
        let (skip, original) = (field.attrs.skip_if.as_ref()?, original(field));
        Some(quote!(+ usize::from(!#skip(#original))))
    });
    let flattened = set.flattened().map(|field| {
        let binding = &field.binding;
        quote!(+ __derive::PackFields::field_count(#binding))
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
fn entries(set: &FieldSet) -> TokenStream {
    let mut calls = TokenStream::new();
    let mut run: Vec<&Field> = Vec::new();
    for field in set.written() {
        let binding = &field.binding;
        let call = if let Some(skip) = &field.attrs.skip_if {
            let original = original(field);
            let write = write([field].into_iter(), true, Vec::new());
            quote!(if !#skip(#original) { #write })
        } else if field.attrs.flatten.is_some() {
            quote!(__derive::PackFields::pack_fields(#binding, writer)?;)
        } else {
            run.push(field);
            continue;
        };
        calls.extend(runs(&run, true, Vec::new()));
        run.clear();
        calls.extend(call);
    }
    calls.extend(runs(&run, true, Vec::new()));
    calls
}

/// Writes a field as msgpacker does: arrays and tuples element by element.
fn headerless(field: &Field) -> TokenStream {
    let binding = &field.binding;
    if matches!(field.attrs.codec, Codec::Own) {
        headerless_value(&field.ty, &quote!(#binding))
    } else {
        quote!(__derive::Packable::pack_into(#binding, writer)?;)
    }
}

fn headerless_value(ty: &Type, value: &TokenStream) -> TokenStream {
    match ty {
        Type::Array(array) => {
            let each = headerless_value(&array.elem, &quote!(item));
            quote!(for item in #value { #each })
        }
        Type::Tuple(tuple) if !tuple.elems.is_empty() => {
            let parts = tuple.elems.iter().enumerate().map(|(index, ty)| {
                let index = syn::Index::from(index);
                headerless_value(ty, &quote!((&(#value).#index)))
            });
            quote!(#(#parts)*)
        }
        _ => quote!(__derive::Packable::pack_into(#value, writer)?;),
    }
}

fn bound(set: &FieldSet) -> TokenStream {
    let keys: usize = if set.keyed() {
        set.plain().map(|field| field.name.len() + 9).sum()
    } else {
        0
    };
    let constant = keys + 5 + set.count();
    let parts = set.written().map(|field| {
        let binding = &field.binding;
        match field.attrs.codec {
            Codec::Own => quote!(.wrapping_add(__derive::Packable::packed_len_bound_within(#binding, levels))),
            Codec::Binary if field.is_option() => quote! {
                .wrapping_add(#binding.as_ref().map_or(1, |bytes| 5 + ::core::convert::AsRef::<[u8]>::as_ref(bytes).len()))
            },
            Codec::Binary => quote!(.wrapping_add(5 + ::core::convert::AsRef::<[u8]>::as_ref(#binding).len())),
            _ => quote!(.wrapping_add({ let _ = #binding; 64 })),
        }
    });
    quote!(#constant #(#parts)*)
}

fn enum_bound(variants: &[Variant]) -> TokenStream {
    if variants.is_empty() {
        return quote!(match *self {});
    }
    let arms = variants.iter().map(|variant| {
        let (pattern, bound) = (variant.fields.pattern(&variant.constructor()), bound(&variant.fields));
        let name = variant.name.len() + 16;
        quote!(#pattern => (#bound).wrapping_add(#name),)
    });
    quote!(match self { #(#arms)* })
}

fn enum_body(input: &Input, variants: &[Variant]) -> TokenStream {
    if variants.is_empty() {
        return quote!(match *self {});
    }
    let arms = variants.iter().map(|variant| {
        let set = &variant.fields;
        let pattern = set.pattern(&variant.constructor());
        let body = match &input.tagging {
            _ if set.layout == Layout::Headerless => {
                let (number, body) = (&variant.number, body(set));
                quote!(__derive::Packable::pack_into(&((#number) as u32), writer)?; #body)
            }
            Tagging::Number => {
                let ident = &variant.ident;
                quote!(__derive::Packable::pack_into(&(Self::#ident as i128), writer))
            }
            Tagging::Untagged => body(set),
            Tagging::External => external(variant),
            Tagging::Internal(tag) => internal(variant, &tag.value()),
            Tagging::Adjacent(tag, content) => adjacent(variant, &tag.value(), &content.value()),
        };
        quote!(#pattern => { #body })
    });
    quote!(match self { #(#arms)* })
}

/// Writes the name alone, or a map from it to the content.
fn external(variant: &Variant) -> TokenStream {
    let mut head = str_bytes(&variant.name);
    if variant.fields.style == Style::Unit {
        let write = write(core::iter::empty(), false, head);
        return quote!(#write __derive::Ok(()));
    }
    head.splice(0..0, map_header(1));
    content(variant, head, &variant.name)
}

/// Writes a map of the tag, and of the content unless it is empty.
fn adjacent(variant: &Variant, tag: &str, key: &str) -> TokenStream {
    let unit = variant.fields.style == Style::Unit;
    let mut head = map_header(if unit { 1 } else { 2 });
    head.extend(str_bytes(tag));
    head.extend(str_bytes(&variant.name));
    if unit {
        let write = write(core::iter::empty(), false, head);
        return quote!(writer.nested(|writer| { #write __derive::Ok(()) }));
    }
    head.extend(str_bytes(key));
    content(variant, head, key)
}

/// Writes the content of a variant in a map, after these bytes.
fn content(variant: &Variant, head: Vec<u8>, key: &str) -> TokenStream {
    let head = write(core::iter::empty(), false, head);
    let content = body(&variant.fields);
    quote! {
        writer.nested(|writer| {
            #head
            writer.part(__derive::Step::Field(#key), |writer| { #content })
        })
    }
}

/// Writes a map of the tag and the fields.
fn internal(variant: &Variant, tag: &str) -> TokenStream {
    let set = &variant.fields;
    let mut head = str_bytes(tag);
    head.extend(str_bytes(&variant.name));
    let head = write(core::iter::empty(), false, head);
    let variables = variables(set);
    let (count, entries) = if let Some(field) = set.newtype() {
        let binding = &field.binding;
        let flat = quote!(__derive::PackFields);
        (
            quote!(#flat::field_count(#binding)),
            quote!(#flat::pack_fields(#binding, writer)?;),
        )
    } else {
        (count(set), entries(set))
    };
    quote! {
        #variables
        writer.nested(|writer| {
            __derive::map_header(writer, 1 + #count)?;
            #head
            #entries
            __derive::Ok(())
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

pub fn str_bytes(text: &str) -> Vec<u8> {
    let len = text.len();
    let mut bytes = match len {
        0..32 => vec![0xa0 | len as u8],
        32..0x100 => vec![0xd9, len as u8],
        _ => [&[0xda][..], &u16::try_from(len).unwrap_or(u16::MAX).to_be_bytes()].concat(),
    };
    bytes.extend(text.bytes());
    bytes
}
