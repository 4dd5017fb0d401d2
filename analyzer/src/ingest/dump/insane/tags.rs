//! The tags of an XML file, one at a time, and their attributes. It reads only the XML that INSANE writes: elements
//! without content, and attributes in quotes. The library reads attributes and entities; the tags are found here, so
//! that one wrong byte costs one tag (docs/decisions/0033-libraries-instead-of-twins.md).

use super::super::window::Window;
use quick_xml::escape::unescape;
use quick_xml::events::attributes::Attributes;
use std::borrow::Cow;
use std::io;

/// Longest tag, in bytes; longer text is no tag.
const LONGEST: usize = 64 << 20;

/// Tags of a file.
pub(super) struct Tags<'a> {
    window: Window<'a>,
    /// The position of the last tag, if it is incomplete.
    pub(super) cut: Option<u64>,
}

impl<'a> Tags<'a> {
    pub(super) fn new(window: Window<'a>) -> Self {
        Self { window, cut: None }
    }

    /// The text between `<` and `>`; `None` at the end.
    pub(super) fn next(&mut self) -> io::Result<Option<&[u8]>> {
        if !self.seek_tag()? {
            return Ok(None);
        }
        let (mut wanted, mut seen, mut quote) = (256, 0, None);
        loop {
            let piece = self.window.peek(wanted)?;
            let end = end_of_tag(&piece[seen..], &mut quote).map(|end| seen + end);
            seen = piece.len();
            if let Some(end) = end {
                return Ok(Some(&self.window.take(end + 1)?[1..end]));
            }
            if seen < wanted || wanted > LONGEST {
                self.cut = Some(self.window.offset());
                return Ok(None);
            }
            wanted = seen * 2;
        }
    }

    fn seek_tag(&mut self) -> io::Result<bool> {
        loop {
            let piece = self.window.peek(1)?;
            let found = piece.iter().position(|&byte| byte == b'<');
            let count = found.unwrap_or(piece.len());
            self.window.skip(count as u64);
            if found.is_some() || self.window.left() == 0 {
                return Ok(found.is_some());
            }
        }
    }

    /// Bytes behind the last whole tag.
    pub(super) fn left(&self) -> u64 {
        self.window.left()
    }
}

/// The position where the tag ends; a `>` within quotes does not end it.
fn end_of_tag(piece: &[u8], quote: &mut Option<u8>) -> Option<usize> {
    piece.iter().position(|&byte| match (*quote, byte) {
        (None, b'>') => true,
        (None, b'\'' | b'"') => {
            *quote = Some(byte);
            false
        }
        (Some(open), close) if open == close => {
            *quote = None;
            false
        }
        _ => false,
    })
}

/// Whether a tag is an element of that name.
pub(super) fn is_element(tag: &[u8], name: &[u8]) -> bool {
    tag.strip_prefix(name)
        .is_some_and(|rest| rest.first().is_none_or(|byte| byte.is_ascii_whitespace() || *byte == b'/'))
}

/// The attributes of a tag: name and raw value, up to the first that is none.
pub(super) fn attributes(tag: &str) -> impl Iterator<Item = (&str, Cow<'_, str>)> {
    let name = tag.find(|letter: char| letter.is_ascii_whitespace()).unwrap_or(tag.len());
    let mut attributes = Attributes::new(tag, name);
    // Nobody reads one twice, and the check would compare all with all.
    attributes.with_checks(false);
    attributes.map_while(Result::ok).map(|attribute| (attribute.key.into_inner(), attribute.value))
}

/// A value with its entities resolved; as it stands if it has another one.
pub(super) fn text(value: &str) -> Cow<'_, str> {
    unescape(value).unwrap_or(Cow::Borrowed(value))
}
