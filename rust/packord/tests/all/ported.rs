//! The example `notes`: a program with axum, a codec of tokio and a file, ported from rmp-serde by
//! changing names only.

#[path = "../../examples/notes/names.rs"]
mod names;
#[path = "../../examples/notes/rmp.rs"]
mod rmp;
#[path = "../../examples/notes/service.rs"]
mod service;

use axum::body::{Body, to_bytes};
use axum::http::{Request, StatusCode};
use bytes::BytesMut;
use tokio_util::codec::{Decoder, Encoder};
use tower::ServiceExt;

#[test]
fn only_names_differ() {
    let mut text = include_str!("../../examples/notes/rmp.rs").to_owned();
    for (theirs, ours) in names::NAMES {
        assert!(text.contains(theirs), "{theirs}");
        text = text.replace(theirs, ours);
    }
    assert_eq!(text, include_str!("../../examples/notes/service.rs"));
}

macro_rules! notes {
    ($module:ident) => {{
        use $module::{Kind, Note};
        let kinds = [
            Kind::Plain,
            Kind::Reminder { hours: 300 },
            Kind::Link("https://example.org".to_owned()),
        ];
        let notes = kinds.into_iter().zip(1..).map(|(kind, id)| Note {
            id: id << (8 * id),
            title: format!("note {id} — é"),
            tags: (1..id).map(|n| format!("tag {n}")).collect(),
            kind,
        });
        notes.collect::<Vec<_>>()
    }};
}

#[test]
fn files_of_either_program_are_read_by_the_other() {
    let (theirs, ours) = (notes!(rmp), notes!(service));
    let folder = std::env::temp_dir().join(format!("packord-notes-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let (old, new) = (folder.join("old"), folder.join("new"));
    for _ in 0..2 {
        rmp::append(&old, &theirs).unwrap();
        service::append(&new, &ours).unwrap();
    }
    assert_eq!(std::fs::read(&old).unwrap(), std::fs::read(&new).unwrap());
    let read = service::load(&old).unwrap();
    assert_eq!((read.len(), &read[3..]), (6, &ours[..]));
    assert_eq!(rmp::load(&new).unwrap()[..3], theirs);
    // A file that was cut is an error in both.
    let bytes = std::fs::read(&old).unwrap();
    std::fs::write(&old, &bytes[..bytes.len() - 1]).unwrap();
    assert!(rmp::load(&old).is_err() && service::load(&old).is_err());
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn frames_of_either_program_are_read_by_the_other() {
    let (theirs, ours) = (notes!(rmp), notes!(service));
    let (mut old, mut new) = (BytesMut::new(), BytesMut::new());
    for (their, our) in theirs.iter().zip(&ours) {
        rmp::NoteCodec.encode(their, &mut old).unwrap();
        service::NoteCodec.encode(our, &mut new).unwrap();
    }
    assert_eq!(old, new);
    for (their, our) in theirs.iter().zip(&ours) {
        assert_eq!(&rmp::NoteCodec.decode(&mut new).unwrap().unwrap(), their);
        assert_eq!(&service::NoteCodec.decode(&mut old).unwrap().unwrap(), our);
    }
    assert!(service::NoteCodec.decode(&mut old).unwrap().is_none());
}

async fn ask(router: axum::Router, body: Vec<u8>) -> (StatusCode, Vec<u8>) {
    let request = Request::post("/retitle").body(Body::from(body)).unwrap();
    let reply = router.oneshot(request).await.unwrap();
    let status = reply.status();
    let bytes = to_bytes(reply.into_body(), 1 << 20).await.unwrap();
    (status, bytes.to_vec())
}

#[tokio::test(flavor = "current_thread")]
async fn handlers_of_both_programs_give_the_same_replies() {
    for note in notes!(service) {
        let body = packord::serde::to_vec(&note).unwrap();
        let (status, ours) = ask(service::router(), body.clone()).await;
        assert_eq!(status, StatusCode::OK);
        assert_eq!(ask(rmp::router(), body).await, (status, ours.clone()));
        let reply: service::Note = packord::serde::from_slice(&ours).unwrap();
        assert_eq!(reply.title, note.title.to_uppercase());
    }
    let wrong = b"\x81\xa2id\xa1x".to_vec();
    let (status, text) = ask(service::router(), wrong.clone()).await;
    assert_eq!(ask(rmp::router(), wrong).await.0, status);
    assert_eq!(status, StatusCode::BAD_REQUEST);
    let text = String::from_utf8(text).unwrap();
    assert!(text.starts_with("type_mismatch at byte 4 ($.id)"), "{text}");
}
