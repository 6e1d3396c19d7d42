//! Addresses: text. The compact forms of serde, arrays of bytes, are read too.

use super::forms::{from_text, read_variant};
use super::unpackable;
use crate::typed::{Failed, Packable, Unpackable, Writer};
use core::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, SocketAddrV4, SocketAddrV6};

macro_rules! address {
    ($type:ty, $expected:literal, min_len $min_len:literal, |$reader:ident| $read:expr) => {
        impl Packable for $type {
            fn pack_into(&self, writer: &mut Writer<'_>) -> Result<(), Failed> {
                writer.text(self)
            }
        }

        unpackable!([] $type, leaf false, min_len $min_len, |$reader| {
            match from_text($reader, $expected, |text| text.parse().ok())? {
                Some(address) => Ok(address),
                None => $read,
            }
        });
    };
}

address!(Ipv4Addr, "an IPv4 address", min_len 5,
    |reader| <[u8; 4] as Unpackable>::unpack_from(reader).map(Ipv4Addr::from));
address!(Ipv6Addr, "an IPv6 address", min_len 3,
    |reader| <[u8; 16] as Unpackable>::unpack_from(reader).map(Ipv6Addr::from));
address!(SocketAddrV4, "an IPv4 address with a port", min_len 3,
    |reader| <(Ipv4Addr, u16) as Unpackable>::unpack_from(reader).map(|(ip, port)| SocketAddrV4::new(ip, port)));
address!(SocketAddrV6, "an IPv6 address with a port", min_len 3,
    |reader| <(Ipv6Addr, u16) as Unpackable>::unpack_from(reader).map(|(ip, port)| SocketAddrV6::new(ip, port, 0, 0)));

macro_rules! either {
    ($type:ident, $expected:literal) => {
        address!($type, $expected, min_len 3,
            |reader| read_variant(reader, ["V4", "V6"], |reader, which| match which {
                0 => Unpackable::unpack_from(reader).map($type::V4),
                _ => Unpackable::unpack_from(reader).map($type::V6),
            }));
    };
}

either!(IpAddr, "an IP address");
either!(SocketAddr, "an IP address with a port");
