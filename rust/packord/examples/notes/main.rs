//! A program that was ported from rmp-serde by changing names only: `service.rs` is `rmp.rs` with the
//! names of `names.rs` replaced, which `tests/all/ported.rs` checks.
//!
//! `cargo run --example notes --features serde,tokio` writes notes to a file, sends them through a
//! codec and an HTTP handler, and prints them.

mod service;

use axum::body::{Body, to_bytes};
use axum::http::Request;
use futures::{SinkExt, StreamExt};
use service::{Kind, Note, NoteCodec};
use tokio_util::codec::Framed;
use tower::ServiceExt;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), service::Failure> {
    let note = Note {
        id: 1,
        title: "water the plants".to_owned(),
        tags: vec!["home".to_owned()],
        kind: Kind::Reminder { hours: 3 },
    };
    let path = std::env::temp_dir().join(format!("notes-{}.msgpack", std::process::id()));
    service::append(&path, &[note.clone(), note])?;
    let notes = service::load(&path)?;
    std::fs::remove_file(&path)?;

    let (one, other) = tokio::io::duplex(1024);
    let mut sender = Framed::new(one, NoteCodec);
    let mut receiver = Framed::new(other, NoteCodec);
    for note in &notes {
        sender.send(note).await?;
        let note = receiver.next().await.ok_or("the connection ended")??;
        let body = Body::from(packord::serde::to_vec(&note)?);
        let request = Request::post("/retitle").body(body)?;
        let reply = service::router().oneshot(request).await?;
        let bytes = to_bytes(reply.into_body(), 1 << 20).await?;
        println!("{}", packord::from_slice::<packord::Value>(&bytes)?);
    }
    Ok(())
}
