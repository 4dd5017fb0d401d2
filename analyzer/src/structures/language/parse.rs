//! From tokens to descriptions. After an error reading goes on, so that all errors of a file are found; then none of
//! its descriptions is used. Nothing is recursive: namespaces may nest to any depth.

use super::complain::{HEAD, NAMESPACE, keyword_like};
use super::cursor::Cursor;
use super::describe::{Described, Description, DescriptionFile, PointedTo, Position};
use super::scan::Token;
use super::{Complaint, Fault};

/// The only class with type arguments.
const CLASS: &str = "java.lang.Class";
/// The word of [`HEAD`] that a second one may follow: the published grammar has both.
const DATASTRUCTURE: &str = "datastructure";

/// Reads a file of descriptions.
///
/// # Errors
/// All errors of the file, in the order of their positions.
pub fn parse(name: &str, text: &str) -> Result<DescriptionFile, Vec<Complaint>> {
    let mut parser =
        Parser { cursor: Cursor::new(text), prefix: String::new(), namespaces: Vec::new(), descriptions: Vec::new() };
    while parser.item() {}
    parser.finish(name)
}

struct Parser {
    cursor: Cursor,
    /// The names of all open namespaces, each with a dot behind it.
    prefix: String,
    /// Open namespaces: the length of `prefix` without it, and the position of its brace.
    namespaces: Vec<(usize, Position)>,
    descriptions: Vec<Description>,
}

/// The beginning of a part.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Keyword {
    Namespace,
    Head,
    None,
}

impl Parser {
    fn finish(mut self, name: &str) -> Result<DescriptionFile, Vec<Complaint>> {
        for (_, brace) in &self.namespaces {
            self.cursor.fault_at(*brace, Fault::NeverClosed);
        }
        let faults = self.cursor.into_faults();
        if !faults.is_empty() {
            let complaint = |(at, fault)| Complaint { file: name.to_owned(), at, fault };
            return Err(faults.into_iter().map(complaint).collect());
        }
        Ok(DescriptionFile { name: name.to_owned(), is_shipped: false, descriptions: self.descriptions })
    }

    /// Reads a description, or the beginning or the end of a namespace. Returns whether the file goes on.
    fn item(&mut self) -> bool {
        match self.cursor.token() {
            Token::End => return false,
            Token::Word(_) => self.part(),
            Token::Sign('}') => {
                match self.namespaces.pop() {
                    Some((length, _)) => self.prefix.truncate(length),
                    None => self.cursor.fault(Fault::ClosesNothing),
                }
                self.cursor.next();
            }
            Token::Sign(_) => {
                self.cursor.expected("a description or a namespace");
                self.cursor.skip_to_item();
            }
        }
        true
    }

    fn part(&mut self) {
        let keyword = self.keyword();
        let at = self.cursor.position();
        let Some(name) = self.cursor.name() else { return self.cursor.skip_to_item() };
        let argument = self.argument(&name);
        if !self.cursor.takes('{') {
            self.cursor.expected("\"{\"");
            return self.cursor.skip_to_item();
        }
        if name.contains('*') {
            self.cursor.fault_at(at, Fault::Wildcard(name.clone()));
        }
        if keyword == Keyword::Namespace {
            return self.open(&name);
        }
        let of = self.described(&name, argument);
        let pointed_to = self.all_pointed_to();
        self.descriptions.push(Description { of, is_head: keyword == Keyword::Head, pointed_to, at });
    }

    /// Reads a keyword where one stands. A word before another word is one, or a mistake.
    fn keyword(&mut self) -> Keyword {
        let (Token::Word(word), Token::Word(second)) = (self.cursor.token(), self.cursor.token_behind()) else {
            return Keyword::None;
        };
        let word = word.clone();
        let is_double = word == DATASTRUCTURE && HEAD[5..].contains(&second.as_str());
        let meant = if is_keyword(&word) { Some(word.as_str()) } else { self.mistaken(&word) };
        self.cursor.next();
        if is_double && matches!(self.cursor.token_behind(), Token::Word(_)) {
            self.cursor.next();
        }
        if meant.is_some_and(|word| NAMESPACE.contains(&word)) { Keyword::Namespace } else { Keyword::Head }
    }

    /// Notes that a word is no keyword; returns the one that was meant.
    fn mistaken(&mut self, word: &str) -> Option<&'static str> {
        let like = keyword_like(word);
        self.cursor.fault(Fault::NoKeyword { word: word.to_owned(), like });
        like
    }

    /// Reads type arguments behind a described type: only those of `java.lang.Class` mean anything.
    fn argument(&mut self, name: &str) -> Option<String> {
        if *self.cursor.token() == Token::Sign('[') {
            self.cursor.fault(Fault::Array);
            while self.cursor.takes('[') || self.cursor.takes(']') {}
        }
        let at = self.cursor.position();
        if !self.cursor.takes('<') {
            return None;
        }
        let is_class = name == CLASS || CLASS.strip_prefix(self.prefix.as_str()) == Some(name);
        let argument = self.cursor.name()?;
        if !is_class || *self.cursor.token() == Token::Sign('<') {
            self.cursor.fault_at(at, Fault::TypeArguments);
            self.cursor.skip_arguments();
        } else if !self.cursor.takes('>') {
            self.cursor.expected("\">\"");
            self.cursor.skip_arguments();
        }
        Some(argument)
    }

    fn open(&mut self, name: &str) {
        self.namespaces.push((self.prefix.len(), self.cursor.position_before()));
        self.prefix.push_str(name);
        self.prefix.push('.');
    }

    fn described(&self, name: &str, argument: Option<String>) -> Described {
        match argument {
            // In the namespace `java.lang`: the name of the other class is a whole one.
            Some(class) if name != CLASS => Described::Mirror(class),
            Some(class) => Described::Mirror(format!("{}{class}", self.prefix)),
            None => Described::Class(format!("{}{name}", self.prefix)),
        }
    }

    /// Reads pointed-to types up to the closing brace; the opening one has been read.
    fn all_pointed_to(&mut self) -> Vec<PointedTo> {
        let brace = self.cursor.position_before();
        let mut found = Vec::new();
        while !self.cursor.takes('}') {
            match self.cursor.token() {
                Token::End => {
                    self.cursor.fault_at(brace, Fault::NeverClosed);
                    return found;
                }
                Token::Sign('{') => {
                    self.cursor.fault(Fault::Nested);
                    self.cursor.next();
                    self.cursor.skip_block();
                }
                Token::Word(_) | Token::Sign('(') => found.extend(self.pointed_to()),
                Token::Sign(_) => {
                    self.cursor.expected("a pointed-to type");
                    self.cursor.skip_to_pointed_to();
                }
            }
        }
        found
    }

    /// Reads one pointed-to type with its semicolon.
    fn pointed_to(&mut self) -> Option<PointedTo> {
        let is_leaf = self.cursor.takes('(');
        let at = self.cursor.position();
        let name = self.pointed_to_name().filter(|_| !is_leaf || self.closes());
        let Some(name) = name else {
            self.cursor.skip_to_pointed_to();
            return None;
        };
        if !self.cursor.takes(';') {
            self.cursor.fault(Fault::NoSemicolon(name.clone()));
        }
        let is_qualified = !self.prefix.is_empty() && !name.starts_with('*');
        let qualified = is_qualified.then(|| format!("{}{name}", self.prefix));
        Some(PointedTo { name, qualified, is_leaf, at })
    }

    fn closes(&mut self) -> bool {
        let is_closed = self.cursor.takes(')');
        if !is_closed {
            self.cursor.expected("\")\"");
        }
        is_closed
    }

    fn pointed_to_name(&mut self) -> Option<String> {
        let mut name = self.cursor.name()?;
        if *self.cursor.token() == Token::Sign('<') {
            self.cursor.fault(Fault::TypeArguments);
            self.cursor.skip_arguments();
        }
        while self.cursor.takes('[') {
            if !self.cursor.takes(']') {
                self.cursor.expected("\"]\"");
                return None;
            }
            name.push_str("[]");
        }
        Some(name)
    }
}

fn is_keyword(word: &str) -> bool {
    NAMESPACE.contains(&word) || HEAD.contains(&word)
}
