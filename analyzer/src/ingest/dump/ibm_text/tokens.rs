//! The words of a text dump, with their positions. Comments are skipped, except for the trailer.

use super::super::window::Window;
use std::io;

/// Longest class name, in bytes; longer text is no word.
const LONGEST: usize = 16 << 10;
/// The end of a complete dump.
const TRAILER: &[u8] = b"// EOF";
const CHUNK: usize = 4 << 10;

/// Whether the byte is a blank or a control character: one comparison a byte.
#[inline]
fn is_blank(byte: u8) -> bool {
    byte <= b' '
}

/// Words of a stretch of the file.
pub(super) struct Tokens<'a> {
    window: Window<'a>,
    /// Whether a line has begun since the last word.
    is_new_line: bool,
    /// Whether the trailer was met.
    pub(super) has_trailer: bool,
}

/// A word.
pub(super) struct Token<'a> {
    pub(super) at: u64,
    pub(super) begins_line: bool,
    /// Whether the file goes on behind it; otherwise it may be cut.
    pub(super) is_ended: bool,
    pub(super) text: &'a [u8],
}

impl<'a> Tokens<'a> {
    pub(super) fn new(window: Window<'a>) -> Self {
        Self { window, is_new_line: true, has_trailer: false }
    }

    /// The next word; `None` at the end.
    pub(super) fn next(&mut self) -> io::Result<Option<Token<'_>>> {
        loop {
            self.pass_blanks()?;
            let head = self.window.peek(TRAILER.len())?;
            if head.is_empty() {
                return Ok(None);
            }
            if !head.starts_with(b"//") {
                return self.word().map(Some);
            }
            self.has_trailer |= head.starts_with(TRAILER);
            self.pass_line()?;
        }
    }

    fn pass_blanks(&mut self) -> io::Result<()> {
        loop {
            let piece = self.window.peek(1)?;
            let blanks = piece.iter().position(|&byte| !is_blank(byte)).unwrap_or(piece.len());
            self.is_new_line |= piece[..blanks].contains(&b'\n');
            let is_all = blanks == piece.len();
            self.window.skip(blanks as u64);
            if !is_all || self.window.left() == 0 {
                return Ok(());
            }
        }
    }

    fn pass_line(&mut self) -> io::Result<()> {
        loop {
            let piece = self.window.peek(1)?;
            let end = piece.iter().position(|&byte| byte == b'\n');
            let count = end.unwrap_or(piece.len());
            self.window.skip(count as u64);
            if end.is_some() || self.window.left() == 0 {
                return Ok(());
            }
        }
    }

    fn word(&mut self) -> io::Result<Token<'_>> {
        let at = self.window.offset();
        let mut wanted = 1;
        let (length, is_ended) = loop {
            let left = self.window.left();
            let piece = self.window.peek(wanted)?;
            match piece.iter().position(|&byte| is_blank(byte)) {
                Some(length) => break (length, true),
                None if piece.len() >= LONGEST => break (LONGEST, true),
                None if piece.len() as u64 == left => break (piece.len(), false),
                None => wanted = piece.len() + CHUNK,
            }
        };
        let begins_line = std::mem::take(&mut self.is_new_line);
        let text = self.window.take(length)?;
        Ok(Token { at, begins_line, is_ended, text })
    }
}
