//! Finds a few objects by their ids, only in parts whose ids range over them.

use super::super::window::Window;
use super::Header;
use super::scan::Part;
use super::walk::{self, Visitor};
use std::collections::HashMap;
use std::fs::File;
use std::io;

/// An object that was found.
#[derive(Clone, Debug)]
pub(super) enum Found {
    /// An instance, its class and the beginning of its body.
    Instance(u64, Vec<u8>),
    /// An array: code of the type, length, and position of its elements in the file.
    Array(u8, u32, u64),
}

/// Enough for the fields of a thread.
const BODY_BYTES: usize = 4 << 10;

/// The objects with these ids; arrays of references are never found.
pub(super) fn seek(
    file: &File,
    header: &Header,
    parts: &[Part],
    mut wanted: Vec<u64>,
) -> io::Result<HashMap<u64, Found>> {
    wanted.sort_unstable();
    wanted.dedup();
    let mut seeking = Seeking { wanted, found: HashMap::new() };
    for part in parts {
        let first = seeking.wanted.partition_point(|&id| id < part.ids.0);
        if seeking.wanted.get(first).is_none_or(|&id| id > part.ids.1) {
            continue;
        }
        for stretch in &part.stretches {
            let mut window = Window::new(file, stretch.clone());
            match header.id_bytes {
                4 => walk::walk::<4>(&mut window, &mut seeking)?,
                _ => walk::walk::<8>(&mut window, &mut seeking)?,
            }
        }
    }
    Ok(seeking.found)
}

struct Seeking {
    wanted: Vec<u64>,
    found: HashMap<u64, Found>,
}

impl Seeking {
    #[inline]
    fn is_wanted(&self, id: u64) -> bool {
        self.wanted.binary_search(&id).is_ok()
    }
}

impl Visitor for Seeking {
    const TAKES_BODIES: bool = true;

    fn instance(&mut self, id: u64, class: u64, _body_bytes: u32, body: &[u8]) {
        if self.is_wanted(id) {
            let body = body[..body.len().min(BODY_BYTES)].to_vec();
            self.found.entry(id).or_insert(Found::Instance(class, body));
        }
    }

    fn object_array(&mut self, _id: u64, _class: u64, _length: u32) {}

    fn primitive_array(&mut self, id: u64, kind: u8, length: u32, at: u64) {
        if self.is_wanted(id) {
            self.found.entry(id).or_insert(Found::Array(kind, length, at));
        }
    }
}
