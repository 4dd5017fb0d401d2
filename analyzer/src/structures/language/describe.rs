//! The meaning of a file of descriptions: which type has which description. It knows no heap.

use std::fmt;

/// A place in a file; both numbers begin with 1. A column is a character.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// The line.
    pub line: u32,
    /// The column.
    pub column: u32,
}

impl fmt::Display for Position {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}:{}", self.line, self.column)
    }
}

/// The type that a description is for.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Described {
    /// The instances of the class with this name.
    Class(String),
    /// The mirror of the class with this name, with its static fields: `java.lang.Class<com.example.Shop>`.
    Mirror(String),
}

impl Described {
    /// The name of the class.
    pub fn class(&self) -> &str {
        match self {
            Self::Class(name) | Self::Mirror(name) => name,
        }
    }
}

impl fmt::Display for Described {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Class(name) => out.write_str(name),
            Self::Mirror(name) => write!(out, "java.lang.Class<{name}>"),
        }
    }
}

/// The description of one type: a part of a data structure (AntTracks §3.1.2).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Description {
    /// Its type.
    pub of: Described,
    /// Whether it is the head of a data structure.
    pub is_head: bool,
    /// Its pointed-to types.
    pub pointed_to: Vec<PointedTo>,
    /// The position of the type's name in its file.
    pub at: Position,
}

/// One name in the braces of a description: types that objects of the described type may refer to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PointedTo {
    /// The name as written, with its wildcards.
    pub name: String,
    /// The same behind the namespace, for names in a namespace that do not begin with a wildcard.
    pub qualified: Option<String>,
    /// Whether it stands in parentheses: the structure ends here.
    pub is_leaf: bool,
    /// Its position.
    pub at: Position,
}

impl PointedTo {
    /// The names that are tried: as written, and behind the namespace.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        std::iter::once(self.name.as_str()).chain(self.qualified.as_deref())
    }
}

/// A file of descriptions without errors.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DescriptionFile {
    /// Its name, for positions and reports.
    pub name: String,
    /// Whether it comes with the program.
    pub is_shipped: bool,
    /// Its descriptions, in their order.
    pub descriptions: Vec<Description>,
}

/// All files in use. Of two descriptions of one type the later one counts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Language {
    files: Vec<DescriptionFile>,
}

impl Language {
    /// A language without descriptions.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a file behind the others.
    pub fn add(&mut self, file: DescriptionFile) {
        self.files.push(file);
    }

    /// The files, in their order.
    pub fn files(&self) -> &[DescriptionFile] {
        &self.files
    }

    /// Every description with its file, in their order.
    pub fn descriptions(&self) -> impl Iterator<Item = (&DescriptionFile, &Description)> {
        self.files.iter().flat_map(|file| file.descriptions.iter().map(move |each| (file, each)))
    }
}
