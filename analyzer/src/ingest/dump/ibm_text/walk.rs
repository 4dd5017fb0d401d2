//! From words to objects. An address at the beginning of a line and a length in brackets begin an object. The words
//! behind them are its type, and all further addresses are its references.

use super::tokens::Tokens;
use std::io;

/// Receives objects.
pub(super) trait Visitor {
    /// Receives an object that begins at `at` in the file and whose type these words name.
    fn object(&mut self, at: u64, id: u64, bytes: u64, kind: &[u8]);
    /// Receives a reference of the latest object.
    fn reference(&mut self, id: u64);
}

/// Result of a walk.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Ending {
    /// Position and length of the last word, if the end of the file may have cut it.
    pub(super) cut: Option<(u64, u64)>,
    pub(super) has_trailer: bool,
}

/// Limit in bytes for the words of a type.
const LONGEST_TYPE: usize = 32 << 10;

/// Walks over all objects.
pub(super) fn walk(mut tokens: Tokens<'_>, visitor: &mut impl Visitor) -> io::Result<Ending> {
    let mut walk = Walk { visitor, held: None, header: None, kind: Vec::new() };
    let mut ending = Ending::default();
    while let Some(token) = tokens.next()? {
        if !token.is_ended {
            ending.cut = Some((token.at, token.text.len() as u64));
            // Its object or referrer is not completely known.
            (walk.header, walk.held) = (None, None);
            break;
        }
        match address(token.text) {
            Some(id) => walk.address(token.at, id, token.begins_line),
            None => walk.word(token.text, token.begins_line),
        }
    }
    walk.ends();
    ending.has_trailer = tokens.has_trailer;
    Ok(ending)
}

struct Walk<'a, V> {
    visitor: &'a mut V,
    /// An address at the beginning of a line: that of an object if a length follows, otherwise a reference.
    held: Option<(u64, u64)>,
    /// Position, address and length of an object whose type is being read.
    header: Option<(u64, u64, u64)>,
    kind: Vec<u8>,
}

impl<V: Visitor> Walk<'_, V> {
    fn address(&mut self, at: u64, id: u64, begins_line: bool) {
        self.ends();
        if begins_line {
            self.held = Some((at, id));
        } else if id != 0 {
            self.visitor.reference(id);
        }
    }

    fn word(&mut self, word: &[u8], begins_line: bool) {
        if let Some(bytes) = self.held.and_then(|_| length(word)) {
            self.header = self.held.take().map(|(at, id)| (at, id, bytes));
            self.kind.clear();
        } else if begins_line {
            self.ends();
        } else if self.header.is_some() && self.kind.len() + word.len() < LONGEST_TYPE {
            if !self.kind.is_empty() {
                self.kind.push(b' ');
            }
            self.kind.extend_from_slice(word);
        }
    }

    /// Completes a type, or takes an address for a reference.
    fn ends(&mut self) {
        if let Some((_, id)) = self.held.take().filter(|held| held.1 != 0) {
            self.visitor.reference(id);
        }
        if let Some((at, id, bytes)) = self.header.take().filter(|header| header.1 != 0) {
            self.visitor.object(at, id, bytes, &self.kind);
        }
    }
}

/// `0x1018f030`
fn address(word: &[u8]) -> Option<u64> {
    let digits = word.strip_prefix(b"0x").or_else(|| word.strip_prefix(b"0X"))?;
    if digits.is_empty() || digits.len() > 16 {
        return None;
    }
    let mut address = 0;
    for &digit in digits {
        let value = match digit {
            b'0'..=b'9' => digit - b'0',
            b'a'..=b'f' => digit - b'a' + 10,
            b'A'..=b'F' => digit - b'A' + 10,
            _ => return None,
        };
        address = address << 4 | u64::from(value);
    }
    Some(address)
}

/// `[32]`
fn length(word: &[u8]) -> Option<u64> {
    let digits = word.strip_prefix(b"[")?.strip_suffix(b"]")?;
    std::str::from_utf8(digits).ok()?.parse().ok()
}
