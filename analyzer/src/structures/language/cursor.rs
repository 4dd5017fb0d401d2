//! A place among the tokens of a file, and the errors so far. What cannot be read is skipped to the next sign at which
//! reading can go on.

use super::scan::{Scanned, Token, scan};
use super::{Fault, Position};

/// The tokens of a file with a place among them.
pub(super) struct Cursor {
    /// The last one is [`Token::End`].
    tokens: Vec<Scanned>,
    at: usize,
    faults: Vec<(Position, Fault)>,
}

impl Cursor {
    pub(super) fn new(text: &str) -> Self {
        let (tokens, faults) = scan(text);
        Self { tokens, at: 0, faults }
    }

    /// The errors, in the order of their positions.
    pub(super) fn into_faults(mut self) -> Vec<(Position, Fault)> {
        self.faults.sort_by_key(|fault| fault.0);
        self.faults
    }

    pub(super) fn token(&self) -> &Token {
        &self.tokens[self.at].token
    }

    pub(super) fn token_behind(&self) -> &Token {
        self.tokens.get(self.at + 1).map_or(&Token::End, |behind| &behind.token)
    }

    pub(super) fn position(&self) -> Position {
        self.tokens[self.at].at
    }

    /// The position of the last token that was read.
    pub(super) fn position_before(&self) -> Position {
        self.tokens[self.at.saturating_sub(1)].at
    }

    /// Goes on; the end stays the end.
    pub(super) fn next(&mut self) {
        self.at = (self.at + 1).min(self.tokens.len() - 1);
    }

    /// Reads a sign if it stands here.
    pub(super) fn takes(&mut self, sign: char) -> bool {
        let is_there = *self.token() == Token::Sign(sign);
        if is_there {
            self.next();
        }
        is_there
    }

    /// The words of a name, joined by dots.
    pub(super) fn name(&mut self) -> Option<String> {
        let mut name = self.word()?;
        while self.takes('.') {
            name.push('.');
            name.push_str(&self.word()?);
        }
        Some(name)
    }

    fn word(&mut self) -> Option<String> {
        let Token::Word(word) = self.token() else {
            self.expected("a name");
            return None;
        };
        let word = word.clone();
        if word.starts_with(char::is_numeric) {
            self.fault(Fault::Digit(word.clone()));
        }
        self.next();
        Some(word)
    }

    /// Notes an error at this place.
    pub(super) fn fault(&mut self, fault: Fault) {
        self.fault_at(self.position(), fault);
    }

    pub(super) fn fault_at(&mut self, at: Position, fault: Fault) {
        self.faults.push((at, fault));
    }

    /// Notes that something else should stand here.
    pub(super) fn expected(&mut self, expected: &'static str) {
        let found = match self.token() {
            Token::Word(word) => format!("\"{word}\""),
            Token::Sign(sign) => format!("\"{}\"", sign.escape_debug()),
            Token::End => "the end of the file".to_owned(),
        };
        self.fault(Fault::Expected { expected, found });
    }

    /// Skips to where a description or a namespace may begin or end.
    pub(super) fn skip_to_item(&mut self) {
        while !matches!(self.token(), Token::End | Token::Word(_) | Token::Sign('}')) {
            if self.takes('{') {
                return self.skip_block();
            }
            self.next();
        }
    }

    /// Skips to behind the brace that closes the block whose opening one has been read.
    pub(super) fn skip_block(&mut self) {
        let mut depth = 1;
        while depth > 0 && *self.token() != Token::End {
            match self.token() {
                Token::Sign('{') => depth += 1,
                Token::Sign('}') => depth -= 1,
                _ => {}
            }
            self.next();
        }
    }

    /// Skips to behind the next semicolon, or to a brace.
    pub(super) fn skip_to_pointed_to(&mut self) {
        while !matches!(self.token(), Token::End | Token::Sign('{' | '}')) && !self.takes(';') {
            self.next();
        }
    }

    /// Skips to where type arguments must have ended.
    pub(super) fn skip_arguments(&mut self) {
        while !matches!(self.token(), Token::End | Token::Sign('{' | '}' | ';' | ')')) {
            self.next();
        }
    }
}
