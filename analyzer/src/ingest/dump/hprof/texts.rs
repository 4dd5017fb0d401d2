//! The names of classes, fields, methods and threads. Of all other strings only the position in the file is held, and
//! only briefly.

use super::super::window::Window;
use std::collections::HashMap;
use std::fs::File;
use std::io;

/// Longest name that a class file can have, in bytes.
const LONGEST: u32 = u16::MAX as u32;

/// Texts by the ids of their strings.
#[derive(Debug, Default)]
pub(super) struct Texts {
    by_id: HashMap<u64, String>,
}

impl Texts {
    /// Reads the wanted ones. If several strings have one id, the first counts.
    pub(super) fn read(file: &File, mut strings: Vec<(u64, u64, u32)>, mut wanted: Vec<u64>) -> io::Result<Self> {
        wanted.sort_unstable();
        wanted.dedup();
        strings.retain(|string| wanted.binary_search(&string.0).is_ok());
        let end = strings.iter().map(|&(_, at, bytes)| at + u64::from(bytes)).max().unwrap_or(0);
        let mut window = Window::new(file, 0..end);
        let mut by_id = HashMap::with_capacity(strings.len());
        // In the order of the file.
        for (id, at, bytes) in strings {
            window.skip(at.saturating_sub(window.offset()));
            let bytes = bytes.min(LONGEST) as usize;
            let text = window.peek(bytes)?.get(..bytes).unwrap_or(&[]);
            by_id.entry(id).or_insert_with(|| String::from_utf8_lossy(text).into_owned());
        }
        Ok(Self { by_id })
    }

    /// The text; `?` for an id without a string.
    pub(super) fn get(&self, id: u64) -> &str {
        self.by_id.get(&id).map_or("?", String::as_str)
    }
}
