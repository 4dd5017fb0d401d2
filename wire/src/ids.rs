//! Names for things on the wire. Ids are 64 bits wide and have a meaning only within the snapshot or the connection
//! that assigned them; the analyzer turns them into dense `u32` indexes of its own.

use serde::{Deserialize, Serialize};

/// An object (class mirrors and threads are objects too) inside one snapshot. Never zero on the wire.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct ObjectId(pub u64);

/// A snapshot of one JVM, counted from 1 in the order of the requests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct SnapshotId(pub u32);

/// A probe that the analyzer installed. The analyzer chooses the number and never reuses it on one connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct ProbeId(pub u32);

/// The method of a stack frame, by the JVM's name inside one snapshot; [`crate::message::MethodRecord`] holds its text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct MethodId(pub u64);
