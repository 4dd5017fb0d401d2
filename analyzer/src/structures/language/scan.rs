//! Words and signs of a file of descriptions. Comments and blanks separate them and are dropped.

use super::{Fault, Position};
use std::iter::Peekable;
use std::str::Chars;

/// A word or a sign.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token {
    /// Letters, digits, `_`, `$` and `*`.
    Word(String),
    /// Any other character.
    Sign(char),
    /// The end of the file.
    End,
}

/// A token with its position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Scanned {
    pub(super) token: Token,
    pub(super) at: Position,
}

/// The tokens of a text, with [`Token::End`] as the last one, and the errors of its comments.
pub(super) fn scan(text: &str) -> (Vec<Scanned>, Vec<(Position, Fault)>) {
    let at = Position { line: 1, column: 1 };
    let mut scanner = Scanner { rest: text.chars().peekable(), at, tokens: Vec::new(), faults: Vec::new() };
    while let Some(letter) = scanner.next() {
        scanner.scan(letter);
    }
    let at = scanner.at;
    scanner.tokens.push(Scanned { token: Token::End, at });
    (scanner.tokens, scanner.faults)
}

struct Scanner<'a> {
    rest: Peekable<Chars<'a>>,
    /// The position of the next character.
    at: Position,
    tokens: Vec<Scanned>,
    faults: Vec<(Position, Fault)>,
}

impl Scanner<'_> {
    fn next(&mut self) -> Option<char> {
        let letter = self.rest.next()?;
        self.at = match letter {
            '\n' => Position { line: self.at.line.saturating_add(1), column: 1 },
            _ => Position { line: self.at.line, column: self.at.column.saturating_add(1) },
        };
        Some(letter)
    }

    /// Scans what begins with this character, which is the last one read.
    fn scan(&mut self, letter: char) {
        let at = Position { line: self.at.line, column: self.at.column.saturating_sub(1) };
        match letter {
            // A byte order mark is no text.
            '\u{feff}' => {}
            _ if letter.is_whitespace() => {}
            '/' if self.rest.peek() == Some(&'/') => while self.rest.peek().is_some() && self.next() != Some('\n') {},
            '/' if self.rest.peek() == Some(&'*') => self.comment(at),
            _ if is_of_word(letter) => {
                let mut word = String::from(letter);
                while let Some(&next) = self.rest.peek().filter(|next| is_of_word(**next)) {
                    word.push(next);
                    self.next();
                }
                self.tokens.push(Scanned { token: Token::Word(word), at });
            }
            _ => self.tokens.push(Scanned { token: Token::Sign(letter), at }),
        }
    }

    fn comment(&mut self, at: Position) {
        self.next();
        let mut last = None;
        while let Some(letter) = self.next() {
            if last == Some('*') && letter == '/' {
                return;
            }
            last = Some(letter);
        }
        self.faults.push((at, Fault::EndlessComment));
    }
}

fn is_of_word(letter: char) -> bool {
    letter.is_alphanumeric() || matches!(letter, '_' | '$' | '*')
}
