// Needs packord with the features derive and serde, and serde with the feature derive.
use packord::MsgPacker;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, PartialEq, MsgPacker, Serialize, Deserialize)]
#[msgpacker(map)]
pub struct Home {
    /// One of `Rome`.
    pub city: String,
    pub point: Vec<f64>,
}

#[derive(Debug, Clone, PartialEq, MsgPacker, Serialize, Deserialize)]
#[msgpacker(map)]
pub struct UserMap {
    pub x: i64,
}

#[derive(Debug, Clone, PartialEq, MsgPacker, Serialize, Deserialize)]
#[msgpacker(map)]
pub struct UserList {
    /// One of `a`, `b`.
    pub key: String,
    pub n: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deep: Option<Vec<Vec<bool>>>,
}

#[derive(Debug, Clone, PartialEq, MsgPacker, Serialize, Deserialize)]
#[msgpacker(map)]
pub struct Office {
    pub city: String,
    pub floor: i64,
}

#[derive(Debug, Clone, PartialEq, MsgPacker, Serialize, Deserialize)]
#[msgpacker(map)]
pub struct User {
    pub id: u64,
    /// Format: uuid.
    pub uuid: String,
    pub name: String,
    /// One of `admin`, `editor`, `guest`.
    pub role: String,
    #[msgpacker(rename = "type")]
    #[serde(rename = "type")]
    pub type_: i64,
    #[msgpacker(rename = "odd key")]
    #[serde(rename = "odd key")]
    pub odd_key: String,
    /// Format: date-time.
    pub created: String,
    pub seen: packord::Timestamp,
    pub rating: f64,
    pub boss: Option<i64>,
    pub photo: Vec<u8>,
    /// One of: int, str.
    pub either: packord::Value,
    pub home: Home,
    pub map: UserMap,
    pub list: Vec<UserList>,
    pub numbers: packord::Value,
    pub nothing: packord::Value,
    pub empty: Vec<packord::Value>,
    /// Format: email.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub email: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub offices: Option<Vec<Office>>,
}
