//! A service of notes as it was with rmp-serde: a handler of axum, a codec of tokio and a file of
//! messages.

use axum::Router;
use axum::body::Bytes;
use axum::extract::{FromRequest, Request};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use bytes::{BufMut, BytesMut};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader};
use std::path::Path;
use tokio_util::codec::{Decoder, Encoder};

pub type Failure = Box<dyn std::error::Error + Send + Sync>;

#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
pub struct Note {
    pub id: u64,
    pub title: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
    pub kind: Kind,
}

#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
pub enum Kind {
    Plain,
    Reminder { hours: u32 },
    Link(String),
}

/// A body in MessagePack.
pub struct MsgPack<T>(pub T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for MsgPack<T> {
    type Rejection = (StatusCode, String);

    async fn from_request(request: Request, state: &S) -> Result<Self, Self::Rejection> {
        let refuse = |error: &dyn std::fmt::Display| (StatusCode::BAD_REQUEST, error.to_string());
        let bytes = Bytes::from_request(request, state).await;
        let bytes = bytes.map_err(|error| refuse(&error))?;
        let value = rmp_serde::from_slice(&bytes);
        value.map(MsgPack).map_err(|error| refuse(&error))
    }
}

impl<T: Serialize> IntoResponse for MsgPack<T> {
    fn into_response(self) -> Response {
        match rmp_serde::to_vec_named(&self.0) {
            Ok(bytes) => ([(header::CONTENT_TYPE, "application/msgpack")], bytes).into_response(),
            Err(error) => (StatusCode::INTERNAL_SERVER_ERROR, error.to_string()).into_response(),
        }
    }
}

async fn retitle(MsgPack(mut note): MsgPack<Note>) -> MsgPack<Note> {
    note.title = note.title.to_uppercase();
    MsgPack(note)
}

pub fn router() -> Router {
    Router::new().route("/retitle", post(retitle))
}

/// A note with its length in four bytes before it.
#[derive(Default)]
pub struct NoteCodec;

impl Decoder for NoteCodec {
    type Item = Note;
    type Error = Failure;

    fn decode(&mut self, source: &mut BytesMut) -> Result<Option<Note>, Failure> {
        let Some(head) = source.first_chunk() else {
            return Ok(None);
        };
        let end = 4 + u32::from_be_bytes(*head) as usize;
        if source.len() < end {
            return Ok(None);
        }
        let frame = source.split_to(end);
        Ok(Some(rmp_serde::from_slice(&frame[4..])?))
    }
}

impl Encoder<&Note> for NoteCodec {
    type Error = Failure;

    fn encode(&mut self, note: &Note, target: &mut BytesMut) -> Result<(), Failure> {
        let bytes = rmp_serde::to_vec_named(note)?;
        target.put_u32(u32::try_from(bytes.len())?);
        target.put_slice(&bytes);
        Ok(())
    }
}

/// Adds notes to a file.
pub fn append(path: &Path, notes: &[Note]) -> Result<(), Failure> {
    let mut file = OpenOptions::new().create(true).append(true).open(path)?;
    for note in notes {
        rmp_serde::encode::write_named(&mut file, note)?;
    }
    Ok(())
}

/// Reads the notes of a file.
pub fn load(path: &Path) -> Result<Vec<Note>, Failure> {
    let mut reader = BufReader::new(File::open(path)?);
    let mut notes = Vec::new();
    while !reader.fill_buf()?.is_empty() {
        notes.push(rmp_serde::from_read(&mut reader)?);
    }
    Ok(notes)
}
