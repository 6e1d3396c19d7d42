//! Fields with keys: maps and records.

use super::Context;
use super::field::FieldCodec;
use crate::attrs::Layout;
use crate::encode::{key_bytes, record_type};
use crate::fields::{Field, FieldSet};
use proc_macro2::{Literal, TokenStream};
use quote::quote;

impl Context<'_> {
    /// Reads a map or record: first in the order of the fields, then in any.
    pub(super) fn keyed(
        &self,
        set: &FieldSet,
        constructor: &TokenStream,
        tag: Option<&str>,
        open: &TokenStream,
    ) -> TokenStream {
        let made = set.construct(constructor);
        let slots = self.slots(set);
        let expected = set.plain().filter(|_| tag.is_none()).map(|field| {
            let FieldCodec { leaf, quick, .. } = self.codec(field);
            let read = self.entry(field);
            let (binding, step, name) = (&field.binding, field.step(), &field.name);
            let key = Literal::byte_string(&key_bytes(field));
            let expect = if field.attrs.key.is_some() {
                quote!(__derive::expect_integer(&mut cursor, &fields, index, #key))
            } else {
                quote!(__derive::expect_key(&mut cursor, &fields, index, #name, #key))
            };
            quote! {
                if !#expect {
                    break 'expected;
                }
                #binding = __derive::Some(
                    __derive::expected(reader, &mut cursor, &fields, index, #leaf, || #step, |cursor| #quick(cursor), #read)?
                );
                index += 1;
            }
        });
        let arms = self.arms(set);
        let integers = self.integers(set);
        let tag_arm = tag.map(|tag| quote!(__derive::Some(#tag) => __derive::skip_field(reader, &fields, index)?,));
        let flattened = self.offers(set);
        let deny = set.deny;
        let takes = self.takes(set);
        let (known, note) = self.known_record(set, &made, tag);
        let has_keys = set.written().any(|field| field.attrs.key.is_some());
        let key = if tag.is_none() && set.has_two_forms() && !has_keys {
            let names = set.written().map(|field| &field.name);
            quote!(__derive::named_key(reader, &fields, index, &[#(#names),*])?)
        } else {
            quote!(__derive::field_key(reader, &fields, index)?)
        };
        quote! {
            #known
            let start = reader.position();
            let fields = #open;
            #note
            #slots
            #[allow(unused_mut)]
            let mut index = 0;
            #[allow(unused_mut)]
            let mut cursor = __derive::cursor(reader);
            'expected: {
                #(#expected)*
            }
            __derive::go_on(reader, cursor);
            while index < fields.count() {
                let key_at = reader.position();
                #integers
                let key = #key;
                match key {
                    #tag_arm
                    #arms
                    _ => {
                        #flattened
                        __derive::unknown_field(reader, &fields, index, key, key_at, #deny)?;
                    }
                }
                index += 1;
            }
            __derive::end_fields(reader, fields);
            #takes
            __derive::Ok(#made)
        }
    }

    /// Reads a record that is known to have the fields in their order, and notes one that has.
    pub(super) fn known_record(
        &self,
        set: &FieldSet,
        made: &TokenStream,
        tag: Option<&str>,
    ) -> (TokenStream, TokenStream) {
        if set.layout != Layout::Record || tag.is_some() || set.flattened().next().is_some() {
            return (TokenStream::new(), TokenStream::new());
        }
        let count = set.written().count();
        let record = record_type(&set.written().collect::<Vec<_>>());
        let reads = set.written().map(|field| {
            let FieldCodec { leaf, quick, .. } = self.codec(field);
            let read = self.entry(field);
            let (binding, step) = (&field.binding, field.step());
            let after = count - 1 - field.index;
            quote! {
                let #binding = __derive::member(reader, &mut cursor, &open, #after, #leaf, || #step, |cursor| #quick(cursor), #read)?;
            }
        });
        let known = quote! {
            #record
            if let __derive::Some(open) = __derive::known_record(reader, &RECORD)? {
                #[allow(unused_mut)]
                let mut cursor = __derive::cursor(reader);
                #(#reads)*
                __derive::go_on(reader, cursor);
                reader.close(open);
                return __derive::Ok(#made);
            }
        };
        (known, quote!(__derive::note_record(reader, &fields, &RECORD);))
    }

    pub(super) fn slots(&self, set: &FieldSet) -> TokenStream {
        let plain = set.plain().map(|field| {
            let (binding, ty) = (&field.binding, &field.ty);
            quote!(let mut #binding: __derive::Option<#ty> = __derive::None;)
        });
        let flattened = set.flattened().map(|field| {
            let binding = &field.binding;
            let partial = self.partial(&field.ty);
            quote!(let mut #binding: #partial = ::core::default::Default::default();)
        });
        quote!(#(#plain)* #(#flattened)*)
    }

    /// Returns the code that reads an entry whose key is an integer, if fields have such keys.
    fn integers(&self, set: &FieldSet) -> TokenStream {
        if !set.has_integers() {
            return TokenStream::new();
        }
        let deny = set.deny;
        let arms = set.plain().filter_map(|field| {
            let key = Literal::i64_unsuffixed(field.attrs.key?.number);
            let store = self.store(field);
            Some(quote!(#key => { #store }))
        });
        quote! {
            if let __derive::Some(key) = __derive::integer_key(reader, &fields, index)? {
                match key {
                    #(#arms)*
                    _ => __derive::unknown_integer(reader, &fields, index, key_at, #deny)?,
                }
                index += 1;
                continue;
            }
        }
    }

    fn arms(&self, set: &FieldSet) -> TokenStream {
        let arms = set.plain().filter(|field| field.names().next().is_some()).map(|field| {
            let (names, store) = (field.names(), self.store(field));
            quote!(#(__derive::Some(#names))|* => { #store })
        });
        quote!(#(#arms)*)
    }

    /// Reads the value of an entry into the variable of the field.
    fn store(&self, field: &Field) -> TokenStream {
        let (read, binding, step) = (self.entry(field), &field.binding, field.step());
        let once = Context::once(field, &quote!(&fields));
        quote! {
            #once
            #binding = __derive::Some(__derive::other_field(reader, &fields, index, #step, #read)?);
        }
    }

    /// Fails at the second of a field's names.
    pub(super) fn once(field: &Field, fields: &TokenStream) -> Option<TokenStream> {
        let binding = &field.binding;
        // Other fields have one name, and the walk before typed reading finds it twice.
        let has_several = !field.aliases.is_empty();
        has_several.then(|| quote!(__derive::once(reader, #binding.is_some(), #fields, key_at)?;))
    }

    /// Offers a key that no other field has to the flattened fields.
    fn offers(&self, set: &FieldSet) -> TokenStream {
        let offers = set.flattened().map(|field| {
            let (binding, flat, ty) = (&field.binding, self.unpack_fields_trait(), &field.ty);
            quote! {
                if let __derive::Some(key) = key {
                    if <#ty as #flat>::offer(&mut #binding, key, &fields, index, key_at, reader)? {
                        index += 1;
                        continue;
                    }
                }
            }
        });
        quote!(#(#offers)*)
    }

    pub(super) fn takes(&self, set: &FieldSet) -> TokenStream {
        let plain = set.plain().map(|field| {
            let (binding, missing) = (&field.binding, self.missing(field));
            quote! {
                let #binding = match #binding {
                    __derive::Some(value) => value,
                    __derive::None => #missing,
                };
            }
        });
        let flattened = set.flattened().map(|field| {
            let (binding, flat, ty) = (&field.binding, self.unpack_fields_trait(), &field.ty);
            quote!(let #binding = <#ty as #flat>::finish(#binding, start, reader)?;)
        });
        quote!(#(#plain)* #(#flattened)*)
    }
}
