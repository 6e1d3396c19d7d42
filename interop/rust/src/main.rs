//! The Rust side of the interoperability tests; `interop/README.md` has the protocol.

mod container;
mod defaults;
mod frame;
mod typed;

#[path = "../../../rust/packord/tests/support/mod.rs"]
mod support;

use frame::{Request, Response};
use packord::{Error, RecordDecoder, RecordEncoder, Structures, Value};
use serde_json::json;
use std::io::{self, BufReader, BufWriter, Write};
use support::Options;

fn main() -> io::Result<()> {
    let mut input = BufReader::with_capacity(1 << 20, io::stdin().lock());
    let mut output = BufWriter::with_capacity(1 << 20, io::stdout().lock());
    let mut held = Vec::new();
    while let Some(mut request) = Request::read(&mut input)? {
        if request.header["verb"] == "hold" {
            held = request.items.swap_remove(0);
            request.items.clear();
        }
        answer(&request, &held).write(&mut output)?;
        output.flush()?;
    }
    Ok(())
}

fn answer(request: &Request, held: &[u8]) -> Response {
    let options = Options::new(&request.header["options"]);
    let mut response = Response::default();
    match request.header["verb"].as_str().unwrap_or_default() {
        "encode" => encode(&request.items, &options, &mut response),
        "decode" => {
            for item in &request.items {
                let read = decode(&options, item).map(|value| typed::text(&value));
                response.push(read.map_err(place));
            }
        }
        "message" => {
            for item in &request.items {
                let read = decode(&options, item).map(|_| Vec::new());
                response.push(read.map_err(|error| error.to_string()));
            }
        }
        "pack" => {
            for item in &request.items {
                response.push(defaults::pack(item, &request.header["face"]).map_err(place));
            }
        }
        "again" => {
            for item in &request.items {
                response.push(defaults::again(item).map_err(place));
            }
        }
        "transcode" if request.header["peer"] == "rmp-serde" => {
            for item in &request.items {
                response.push(through_rmp(item));
            }
        }
        "transcode" => {
            for item in &request.items {
                let done = decode(&options, item).and_then(|value| write(&options, &value));
                response.push(done.map_err(place));
            }
        }
        "stream" => {
            let chunk = request.header["chunk"].as_u64().unwrap_or(u64::MAX) as usize;
            for item in &request.items {
                response.push(Ok(stream(&options, item, chunk.max(1))));
            }
        }
        "file" => {
            for item in &request.items {
                let written = container::file(item, &request.header["write"]);
                response.push(written.map_err(place));
            }
        }
        "rows" => {
            for item in &request.items {
                response.push(Ok(container::rows(item, &request.header["read"])));
            }
        }
        // A value of its own scope: what is measured is the reading of what was held.
        "read" => response.push(decode(&options, held).map(|_| Vec::new()).map_err(place)),
        _ => {}
    }
    response
}

fn encode(items: &[Vec<u8>], options: &Options, response: &mut Response) {
    let mut encoder = match &options.shared {
        Some(shared) => RecordEncoder::with_shared(options.encode, shared.clone()),
        None => RecordEncoder::new(options.encode),
    };
    for item in items {
        let value = support::value(&serde_json::from_slice(item).expect("typed JSON"));
        let written = if options.records {
            encoder.encode(&value)
        } else {
            options.encode.encode(&value)
        };
        response.push(written.map_err(place));
    }
    response.push(Ok(list(encoder.structures())));
}

/// Decodes without lasting definitions: only the options have shared structures.
fn decode(options: &Options, bytes: &[u8]) -> packord::Result<Value> {
    if options.records {
        RecordDecoder::new(&options.decode).decode(bytes)
    } else {
        options.decode.decode(bytes)
    }
}

fn write(options: &Options, value: &Value) -> packord::Result<Vec<u8>> {
    if !options.records {
        return options.encode.encode(value);
    }
    match &options.shared {
        Some(shared) => RecordEncoder::with_shared(options.encode, shared.clone()).encode(value),
        None => RecordEncoder::new(options.encode).encode(value),
    }
}

fn stream(options: &Options, bytes: &[u8], chunk: usize) -> Vec<u8> {
    let cuts = (0..bytes.len()).step_by(chunk);
    let (values, end) = support::read_parts(bytes, &options.decode, cuts).remove(0);
    let end = match end {
        Ok(()) => json!("clean"),
        Err((kind, offset, _)) => json!(format!("{kind} {offset}")),
    };
    let mut out = b"{\"values\":[".to_vec();
    for (index, value) in values.iter().enumerate() {
        if index > 0 {
            out.push(b',');
        }
        out.extend(typed::text(value));
    }
    out.extend(format!("],\"end\":{end}}}").into_bytes());
    out
}

fn list(structures: &Structures) -> Vec<u8> {
    let keys: Vec<Vec<&str>> = structures.iter().map(|one| one.keys().collect()).collect();
    json!(keys).to_string().into_bytes()
}

/// Returns kind and place: the offset when reading, the path when writing.
fn place(error: Error) -> String {
    place_of(&error)
}

fn place_of(error: &Error) -> String {
    match error.offset() {
        Some(offset) => format!("{} {offset}", error.kind().name()),
        None => format!("{} {}", error.kind().name(), error.path().unwrap_or("$")),
    }
}

fn through_rmp(bytes: &[u8]) -> Result<Vec<u8>, String> {
    let value: rmpv::Value = rmp_serde::from_slice(bytes).map_err(|error| error.to_string())?;
    rmp_serde::to_vec(&value).map_err(|error| error.to_string())
}
