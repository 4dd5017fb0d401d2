//! The reason why a walk by address is worth nothing, as a number that fits shared memory and as a text for people.

/// The reasons.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum Failure {
    /// The stack around the tags is not laid out as in the JVMs that we know.
    Layout = 1,
    /// The reader did not keep up within the bound of the pause.
    Overflow,
    /// The walk took longer than it was allowed to.
    TooLong,
    /// The agent's handles do not hold the addresses of the objects to which the JVM says they refer.
    Handles,
}

impl Failure {
    /// The reason behind a number of [`Self`]; `None` for 0.
    pub fn of(code: u32) -> Option<Self> {
        [Self::Layout, Self::Overflow, Self::TooLong, Self::Handles].into_iter().find(|failure| *failure as u32 == code)
    }

    /// For people to read.
    pub fn text(self) -> &'static str {
        match self {
            Self::Layout => "layout: this JVM does not keep addresses where they are looked for",
            Self::Overflow => {
                "ring overflow: the analyzer reads too slowly, no room came free within the bound of the pause"
            }
            Self::TooLong => "the walk took longer than the pause may be",
            Self::Handles => "handles: this JVM's handles do not hold the addresses of their objects",
        }
    }
}
