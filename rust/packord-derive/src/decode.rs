//! Reading.

use crate::attrs::{Codec, Layout, Tagging};
use crate::encode::{record_type, str_bytes};
use crate::fields::{Field, FieldSet, Style};
use crate::generics::{bounded, with_input};
use crate::input::{Input, Kind, Variant};
use proc_macro2::{Literal, TokenStream};
use quote::quote;
use syn::{Lifetime, Path, Type};

/// Which of the two traits of reading is implemented.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    Owned,
    Borrowed,
}

/// What the code of one type needs everywhere.
struct Context<'i> {
    krate: &'i Path,
    mode: Mode,
    /// The trait, with its lifetime if it has one.
    trait_path: Path,
    input: &'i Input,
}

pub fn unpackable(input: &Input, mode: Mode) -> TokenStream {
    let krate = &input.krate;
    let lifetime: Lifetime = syn::parse_quote!('__input);
    let trait_path: Path = match mode {
        Mode::Owned => syn::parse_quote!(#krate::Unpackable),
        Mode::Borrowed => syn::parse_quote!(#krate::UnpackableBorrowed<#lifetime>),
    };
    let context = Context {
        krate,
        mode,
        trait_path,
        input,
    };
    let trait_path = &context.trait_path;
    let name = &input.ident;
    let generics = bounded(&input.generics, input.fields(), trait_path);
    let generics = if mode == Mode::Borrowed {
        with_input(&generics, &lifetime)
    } else {
        generics
    };
    let (impl_generics, _, where_clause) = generics.split_for_impl();
    let (_, type_generics, _) = input.generics.split_for_impl();
    let reader = match mode {
        Mode::Owned => quote!(#krate::typed::Reader<'_>),
        Mode::Borrowed => quote!(#krate::typed::Reader<#lifetime>),
    };
    let body = match &input.kind {
        Kind::Struct(set) => context.body(set, &quote!(Self), None),
        Kind::Enum(variants) => context.enum_body(variants),
    };
    let flat = context.unpack_fields(&generics, &reader);
    quote! {
        #[automatically_derived]
        impl #impl_generics #trait_path for #name #type_generics #where_clause {
            #[inline]
            fn unpack_from(
                reader: &mut #reader,
            ) -> ::core::result::Result<Self, #krate::typed::Failed> {
                #body
            }
        }
        #flat
    }
}

/// How a field is read.
struct FieldCodec {
    /// Whether it opens no container.
    leaf: TokenStream,
    /// The function for the usual encodings of leafs.
    quick: TokenStream,
    /// The function for all of them.
    read: TokenStream,
    /// What the field is if it is absent.
    absent: TokenStream,
}

impl Context<'_> {
    /// How a field is read.
    fn codec(&self, field: &Field) -> FieldCodec {
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

    /// What a field is that the bytes do not have.
    fn missing(&self, field: &Field) -> TokenStream {
        let absent = self.codec(field).absent;
        let step = field.step(self.krate);
        field
            .fallback()
            .unwrap_or_else(|| quote!(reader.missing(start, #step, #absent)?))
    }

    /// Reads fields and makes the value. `tag` is a key that is known already.
    fn body(&self, set: &FieldSet, constructor: &TokenStream, tag: Option<&str>) -> TokenStream {
        let (krate, trait_path) = (self.krate, &self.trait_path);
        let made = set.construct(constructor);
        if set.layout == Layout::Headerless {
            let reads = set.written().map(|field| self.headerless(field));
            return quote!(#(#reads)* ::core::result::Result::Ok(#made));
        }
        if set.style == Style::Unit && tag.is_none() {
            return quote! {
                <() as #trait_path>::unpack_from(reader)?;
                ::core::result::Result::Ok(#made)
            };
        }
        if let Some(field) = set.newtype() {
            let (read, binding) = (self.codec(field).read, &field.binding);
            return quote! {
                let read = #read;
                let #binding = read(reader)?;
                ::core::result::Result::Ok(#made)
            };
        }
        if set.keyed() || tag.is_some() {
            return self.keyed(set, constructor, tag);
        }
        let count = set.written().count();
        let deny = set.deny;
        let reads = set.written().map(|field| {
            let FieldCodec { leaf, quick, read, .. } = self.codec(field);
            let (binding, index, step) = (&field.binding, field.index, field.step(krate));
            let missing = self.missing(field);
            quote! {
                let #binding = if count > #index {
                    reader.member(&mut cursor, &open, count - #index - 1, #leaf, || #step, #quick, #read)?
                } else {
                    #missing
                };
            }
        });
        quote! {
            let start = reader.position();
            let open = reader.array()?;
            let count = open.count();
            #[allow(unused_mut)]
            let mut cursor = reader.cursor();
            #(#reads)*
            reader.go_on(cursor);
            if count > #count {
                reader.surplus(&open, #count, start, #deny)?;
            }
            reader.close(open);
            ::core::result::Result::Ok(#made)
        }
    }

    /// Reads a map or record: first in the order of the fields, then in any.
    fn keyed(&self, set: &FieldSet, constructor: &TokenStream, tag: Option<&str>) -> TokenStream {
        let made = set.construct(constructor);
        let slots = self.slots(set);
        let expected = set.plain().filter(|_| tag.is_none()).map(|field| {
            let FieldCodec {
                leaf, quick, read, ..
            } = self.codec(field);
            let (binding, step, name) = (&field.binding, field.step(self.krate), &field.name);
            let key = Literal::byte_string(&str_bytes(name));
            quote! {
                if !reader.expect_key(&mut cursor, &fields, index, #name, #key) {
                    break 'expected;
                }
                #binding = ::core::option::Option::Some(
                    reader.expected(&mut cursor, &fields, index, #leaf, || #step, #quick, #read)?
                );
                index += 1;
            }
        });
        let arms = self.arms(set, &quote!(&fields));
        let tag_arm = tag.map(
            |tag| quote!(::core::option::Option::Some(#tag) => reader.skip_field(&fields, index)?,),
        );
        let flattened = self.offers(set, &quote!(&fields));
        let deny = set.deny;
        let takes = self.takes(set);
        let (known, note) = self.known_record(set, &made, tag);
        quote! {
            #known
            let start = reader.position();
            let fields = reader.fields()?;
            #note
            #slots
            #[allow(unused_mut)]
            let mut index = 0;
            #[allow(unused_mut)]
            let mut cursor = reader.cursor();
            'expected: {
                #(#expected)*
            }
            reader.go_on(cursor);
            while index < fields.count() {
                let key_at = reader.position();
                let key = reader.field_key(&fields, index)?;
                match key {
                    #tag_arm
                    #arms
                    _ => {
                        #flattened
                        reader.unknown_field(&fields, index, key_at, #deny)?;
                    }
                }
                index += 1;
            }
            reader.end_fields(fields);
            #takes
            ::core::result::Result::Ok(#made)
        }
    }

    /// Reads a record that is known to have the fields in their order, and notes one that has.
    fn known_record(
        &self,
        set: &FieldSet,
        made: &TokenStream,
        tag: Option<&str>,
    ) -> (TokenStream, TokenStream) {
        if set.layout != Layout::Record || tag.is_some() || set.flattened().next().is_some() {
            return (TokenStream::new(), TokenStream::new());
        }
        let count = set.written().count();
        let record = record_type(self.krate, &set.written().collect::<Vec<_>>());
        let reads = set.written().map(|field| {
            let FieldCodec { leaf, quick, read, .. } = self.codec(field);
            let (binding, step) = (&field.binding, field.step(self.krate));
            let after = count - 1 - field.index;
            quote! {
                let #binding = reader.member(&mut cursor, &open, #after, #leaf, || #step, #quick, #read)?;
            }
        });
        let known = quote! {
            #record
            if let ::core::option::Option::Some(open) = reader.known_record(&RECORD)? {
                #[allow(unused_mut)]
                let mut cursor = reader.cursor();
                #(#reads)*
                reader.go_on(cursor);
                reader.close(open);
                return ::core::result::Result::Ok(#made);
            }
        };
        (known, quote!(reader.note_record(&fields, &RECORD);))
    }

    /// A variable for each field, which is empty yet.
    fn slots(&self, set: &FieldSet) -> TokenStream {
        let plain = set.plain().map(|field| {
            let (binding, ty) = (&field.binding, &field.ty);
            quote!(let mut #binding: ::core::option::Option<#ty> = ::core::option::Option::None;)
        });
        let flattened = set.flattened().map(|field| {
            let binding = &field.binding;
            let partial = self.partial(&field.ty);
            quote!(let mut #binding: #partial = ::core::default::Default::default();)
        });
        quote!(#(#plain)* #(#flattened)*)
    }

    /// The arms that read the field of a key.
    fn arms(&self, set: &FieldSet, fields: &TokenStream) -> TokenStream {
        let arms = set.plain().map(|field| {
            let read = self.codec(field).read;
            let (binding, step) = (&field.binding, field.step(self.krate));
            let names = core::iter::once(&field.name).chain(&field.aliases);
            quote! {
                #(::core::option::Option::Some(#names))|* => {
                    #binding = ::core::option::Option::Some(reader.other_field(#fields, index, #step, #read)?);
                }
            }
        });
        quote!(#(#arms)*)
    }

    /// Lets the flattened fields have a key that is none of the others.
    fn offers(&self, set: &FieldSet, fields: &TokenStream) -> TokenStream {
        let offers = set.flattened().map(|field| {
            let (binding, flat, ty) = (&field.binding, self.unpack_fields_trait(), &field.ty);
            quote! {
                if let ::core::option::Option::Some(key) = key {
                    if <#ty as #flat>::offer(&mut #binding, key, #fields, index, reader)? {
                        index += 1;
                        continue;
                    }
                }
            }
        });
        quote!(#(#offers)*)
    }

    /// Makes the fields of what was read.
    fn takes(&self, set: &FieldSet) -> TokenStream {
        let plain = set.plain().map(|field| {
            let (binding, missing) = (&field.binding, self.missing(field));
            quote! {
                let #binding = match #binding {
                    ::core::option::Option::Some(value) => value,
                    ::core::option::Option::None => #missing,
                };
            }
        });
        let flattened = set.flattened().map(|field| {
            let (binding, flat, ty) = (&field.binding, self.unpack_fields_trait(), &field.ty);
            quote!(let #binding = <#ty as #flat>::finish(#binding, start, reader)?;)
        });
        quote!(#(#plain)* #(#flattened)*)
    }

    fn unpack_fields_trait(&self) -> TokenStream {
        let krate = self.krate;
        match self.mode {
            Mode::Owned => quote!(#krate::typed::fields::UnpackFields),
            Mode::Borrowed => quote!(#krate::typed::fields::UnpackFieldsBorrowed<'__input>),
        }
    }

    fn partial(&self, ty: &Type) -> TokenStream {
        let flat = self.unpack_fields_trait();
        quote!(<#ty as #flat>::Partial)
    }

    /// How the type is read where it is flattened into another.
    fn unpack_fields(&self, generics: &syn::Generics, reader: &TokenStream) -> TokenStream {
        let Kind::Struct(set) = &self.input.kind else {
            return TokenStream::new();
        };
        if !set.keyed() {
            return TokenStream::new();
        }
        let (krate, name, flat) = (self.krate, &self.input.ident, self.unpack_fields_trait());
        let (impl_generics, _, where_clause) = generics.split_for_impl();
        let (_, type_generics, _) = self.input.generics.split_for_impl();
        // A list of pairs has a default whatever its length.
        let types = set.written().map(|field| {
            let ty = &field.ty;
            if field.attrs.flatten.is_some() {
                self.partial(ty)
            } else {
                quote!(::core::option::Option<#ty>)
            }
        });
        let partial = types.rev_fold(quote!(()), |rest, ty| quote!((#ty, #rest)));
        let bindings = set.written().map(|field| {
            let binding = &field.binding;
            quote!(#binding)
        });
        let pattern = bindings.rev_fold(quote!(()), |rest, binding| quote!((#binding, #rest)));
        let arms = set.plain().map(|field| {
            let read = self.codec(field).read;
            let (binding, step) = (&field.binding, field.step(krate));
            let names = core::iter::once(&field.name).chain(&field.aliases);
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
        let (takes, made) = (self.takes(set), set.construct(&quote!(Self)));
        quote! {
            #[automatically_derived]
            impl #impl_generics #flat for #name #type_generics #where_clause {
                type Partial = #partial;

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

    /// Reads a field as msgpacker writes it.
    fn headerless(&self, field: &Field) -> TokenStream {
        let (krate, binding, step) = (self.krate, &field.binding, field.step(self.krate));
        let value = if matches!(field.attrs.codec, Codec::Own) {
            self.headerless_value(&field.ty)
        } else {
            let read = self.codec(field).read;
            quote!({ let read = #read; read(reader) })
        };
        quote! {
            let #binding = #krate::typed::fields::within(reader, #step, |reader| #value)?;
        }
    }

    fn headerless_value(&self, ty: &Type) -> TokenStream {
        let (krate, trait_path) = (self.krate, &self.trait_path);
        match ty {
            Type::Array(array) => {
                let each = self.headerless_value(&array.elem);
                quote!(#krate::typed::fields::headerless_array(reader, |reader| #each))
            }
            Type::Tuple(tuple) if !tuple.elems.is_empty() => {
                let parts = tuple.elems.iter().map(|ty| self.headerless_value(ty));
                quote!(::core::result::Result::Ok((#(#parts?,)*)))
            }
            _ => quote!(<#ty as #trait_path>::unpack_from(reader)),
        }
    }

    fn enum_body(&self, variants: &[Variant]) -> TokenStream {
        match &self.input.tagging {
            _ if self.input.layout == Layout::Headerless => self.headerless_enum(variants),
            Tagging::Number => self.numbered(variants),
            Tagging::Untagged => self.untagged(variants),
            Tagging::External => self.external(variants),
            Tagging::Internal(tag) => self.internal(variants, &tag.value()),
        }
    }

    fn headerless_enum(&self, variants: &[Variant]) -> TokenStream {
        let trait_path = &self.trait_path;
        let arms = variants.iter().map(|variant| {
            let (number, body) = (
                &variant.number,
                self.body(&variant.fields, &variant.constructor(), None),
            );
            quote!(if number == (#number) as u32 { #body } else)
        });
        quote! {
            let start = reader.position();
            let number = <u32 as #trait_path>::unpack_from(reader)?;
            #(#arms)* {
                ::core::result::Result::Err(reader.wrong_variant(start))
            }
        }
    }

    fn numbered(&self, variants: &[Variant]) -> TokenStream {
        let trait_path = &self.trait_path;
        let arms = variants.iter().map(|variant| {
            let ident = &variant.ident;
            quote!(if number == Self::#ident as i128 { ::core::result::Result::Ok(Self::#ident) } else)
        });
        quote! {
            let start = reader.position();
            let number = <i128 as #trait_path>::unpack_from(reader)?;
            #(#arms)* {
                ::core::result::Result::Err(reader.wrong_variant(start))
            }
        }
    }

    fn untagged(&self, variants: &[Variant]) -> TokenStream {
        let krate = self.krate;
        let tries = variants.iter().map(|variant| {
            let body = self.body(&variant.fields, &variant.constructor(), None);
            quote! {
                let outcome = #krate::typed::fields::attempt(reader, |reader| { #body });
                if let ::core::result::Result::Ok(value) = outcome {
                    return ::core::result::Result::Ok(value);
                }
                reader.go_back(&mark)?;
            }
        });
        quote! {
            let mark = reader.mark();
            #(#tries)*
            ::core::result::Result::Err(reader.no_variant())
        }
    }

    fn external(&self, variants: &[Variant]) -> TokenStream {
        let krate = self.krate;
        let (units, others): (Vec<&Variant>, Vec<&Variant>) = variants
            .iter()
            .partition(|variant| variant.fields.style == Style::Unit);
        let names = units.iter().map(|variant| {
            let (names, constructor) = (variant.names(), variant.constructor());
            let made = variant.fields.construct(&constructor);
            quote!(#(#names)|* => ::core::result::Result::Ok(#made),)
        });
        let maps = others.iter().map(|variant| {
            let (names, name) = (variant.names(), &variant.name);
            let body = self.body(&variant.fields, &variant.constructor(), None);
            quote! {
                #(::core::option::Option::Some(#names))|* => {
                    let value = reader.field(&fields, 0, false, #krate::typed::Step::Field(#name), |reader| { #body })?;
                    reader.end_fields(fields);
                    ::core::result::Result::Ok(value)
                }
            }
        });
        quote! {
            let start = reader.position();
            if reader.at_str()? {
                return match reader.str()? {
                    #(#names)*
                    _ => ::core::result::Result::Err(reader.wrong_variant(start)),
                };
            }
            let fields = reader.fields()?;
            if fields.count() != 1 {
                return ::core::result::Result::Err(reader.wrong_variant(start));
            }
            match reader.field_key(&fields, 0)? {
                #(#maps)*
                _ => ::core::result::Result::Err(reader.wrong_variant(start)),
            }
        }
    }

    fn internal(&self, variants: &[Variant], tag: &str) -> TokenStream {
        let arms = variants.iter().map(|variant| {
            let names = variant.names();
            // A newtype reads the whole map, in which the tag is a key that it does not know.
            let body = self.body(&variant.fields, &variant.constructor(), Some(tag));
            quote!(#(#names)|* => { #body })
        });
        quote! {
            let at = reader.position();
            let variant = reader.tag(#tag)?;
            match &*variant {
                #(#arms)*
                _ => ::core::result::Result::Err(reader.wrong_variant(at)),
            }
        }
    }
}

/// Folding from the last item.
trait RevFold: Iterator + Sized {
    fn rev_fold<T>(self, start: T, fold: impl FnMut(T, Self::Item) -> T) -> T {
        self.collect::<Vec<_>>().into_iter().rev().fold(start, fold)
    }
}

impl<I: Iterator> RevFold for I {}
