//! Fields with keys: maps and records.

use super::Context;
use super::field::FieldCodec;
use crate::attrs::Layout;
use crate::encode::{key_bytes, record_type};
use crate::fields::FieldSet;
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
            let (binding, step, name) = (&field.binding, field.step(self.krate), &field.name);
            let key = Literal::byte_string(&key_bytes(field));
            let expect = if field.attrs.key.is_some() {
                quote!(reader.expect_integer(&mut cursor, &fields, index, #key))
            } else {
                quote!(reader.expect_key(&mut cursor, &fields, index, #name, #key))
            };
            quote! {
                if !#expect {
                    break 'expected;
                }
                #binding = ::core::option::Option::Some(
                    reader.expected(&mut cursor, &fields, index, #leaf, || #step, |cursor| #quick(cursor), #read)?
                );
                index += 1;
            }
        });
        let arms = self.arms(set, &quote!(&fields));
        let integers = self.integers(set);
        let tag_arm = tag.map(
            |tag| quote!(::core::option::Option::Some(#tag) => reader.skip_field(&fields, index)?,),
        );
        let flattened = self.offers(set, &quote!(&fields));
        let deny = set.deny;
        let takes = self.takes(set);
        let (known, note) = self.known_record(set, &made, tag);
        let has_keys = set.written().any(|field| field.attrs.key.is_some());
        let key = if tag.is_none() && set.has_two_forms() && !has_keys {
            let names = set.written().map(|field| &field.name);
            quote!(reader.named_key(&fields, index, &[#(#names),*])?)
        } else {
            quote!(reader.field_key(&fields, index)?)
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
            let mut cursor = reader.cursor();
            'expected: {
                #(#expected)*
            }
            reader.go_on(cursor);
            while index < fields.count() {
                let key_at = reader.position();
                #integers
                let key = #key;
                match key {
                    #tag_arm
                    #arms
                    _ => {
                        #flattened
                        reader.unknown_field(&fields, index, key, key_at, #deny)?;
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
        let record = record_type(self.krate, &set.written().collect::<Vec<_>>());
        let reads = set.written().map(|field| {
            let FieldCodec { leaf, quick, .. } = self.codec(field);
            let read = self.entry(field);
            let (binding, step) = (&field.binding, field.step(self.krate));
            let after = count - 1 - field.index;
            quote! {
                let #binding = reader.member(&mut cursor, &open, #after, #leaf, || #step, |cursor| #quick(cursor), #read)?;
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

    /// Returns an empty variable for each field.
    pub(super) fn slots(&self, set: &FieldSet) -> TokenStream {
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

    /// Returns the code that reads an entry whose key is an integer, if fields have such keys.
    fn integers(&self, set: &FieldSet) -> TokenStream {
        if !set.has_integers() {
            return TokenStream::new();
        }
        let (deny, arms) = (
            set.deny,
            set.plain().filter_map(|field| {
                let key = Literal::i64_unsuffixed(field.attrs.key?.number);
                let read = self.entry(field);
                let (binding, step) = (&field.binding, field.step(self.krate));
                let once = (!field.aliases.is_empty())
                    .then(|| quote!(reader.once(#binding.is_some(), &fields, key_at)?;));
                Some(quote! {
                    #key => {
                        #once
                        #binding = ::core::option::Option::Some(
                            reader.other_field(&fields, index, #step, #read)?
                        );
                    }
                })
            }),
        );
        quote! {
            if let ::core::option::Option::Some(key) = reader.integer_key(&fields, index)? {
                match key {
                    #(#arms)*
                    _ => reader.unknown_integer(&fields, index, key_at, #deny)?,
                }
                index += 1;
                continue;
            }
        }
    }

    /// Returns the arms that read the field of a key.
    pub(super) fn arms(&self, set: &FieldSet, fields: &TokenStream) -> TokenStream {
        let arms = set.plain().filter(|field| field.names().next().is_some()).map(|field| {
            let read = self.entry(field);
            let (binding, step) = (&field.binding, field.step(self.krate));
            let names = field.names();
            // Other fields have one name, and the walk before typed reading finds it twice.
            let once = (!field.aliases.is_empty())
                .then(|| quote!(reader.once(#binding.is_some(), #fields, key_at)?;));
            quote! {
                #(::core::option::Option::Some(#names))|* => {
                    #once
                    #binding = ::core::option::Option::Some(reader.other_field(#fields, index, #step, #read)?);
                }
            }
        });
        quote!(#(#arms)*)
    }

    /// Offers a key that no other field has to the flattened fields.
    pub(super) fn offers(&self, set: &FieldSet, fields: &TokenStream) -> TokenStream {
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

    /// Moves the values out of the variables.
    pub(super) fn takes(&self, set: &FieldSet) -> TokenStream {
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
}
