//! The tags of an XML file, one at a time, and their attributes. It reads only the XML that INSANE writes: elements
//! without content, attributes in quotes, five entities.

use super::super::window::Window;
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

/// The attributes of a tag: name and raw value.
pub(super) fn attributes(tag: &[u8]) -> impl Iterator<Item = (&[u8], &[u8])> {
    let mut rest = tag;
    std::iter::from_fn(move || {
        let equals = rest.iter().position(|&byte| byte == b'=')?;
        let name = rest[..equals].trim_ascii();
        let name = name.rsplit(u8::is_ascii_whitespace).next().unwrap_or(name);
        let value = rest[equals + 1..].trim_ascii_start();
        let quote = *value.first().filter(|byte| matches!(byte, b'\'' | b'"'))?;
        let end = value[1..].iter().position(|&byte| byte == quote)?;
        rest = &value[end + 2..];
        Some((name, &value[1..=end]))
    })
}

/// A value with its entities resolved.
pub(super) fn text(value: &[u8]) -> Cow<'_, str> {
    let text = String::from_utf8_lossy(value);
    if !text.contains('&') {
        return text;
    }
    const ENTITIES: [(&str, &str); 5] =
        [("&lt;", "<"), ("&gt;", ">"), ("&apos;", "'"), ("&quot;", "\""), ("&amp;", "&")];
    Cow::Owned(ENTITIES.iter().fold(text.into_owned(), |text, (entity, letter)| text.replace(entity, letter)))
}
