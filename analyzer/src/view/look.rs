//! How the user wants reports to look, and how much room there is for them.

use crate::view::columns::ColumnSet;

/// How the user wants reports to look.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Look {
    /// The columns of the table.
    pub columns: ColumnSet,
    /// Whether all receipts are told, and not their sum alone.
    pub receipts: bool,
}

/// How much room a printed report has. Nothing is cut for want of it: sentences and names go on in the next line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Width(Option<usize>);

/// Narrower than this nothing fits any more.
pub(super) const LEAST_COLUMNS: usize = 30;

/// How long a rule is in a file.
const RULE_COLUMNS: usize = 100;

impl Width {
    /// A file: lines are as long as what they say.
    pub const FILE: Self = Self(None);

    /// A terminal of so many columns.
    #[must_use]
    pub fn of_terminal(columns: usize) -> Self {
        Self(Some(columns.max(LEAST_COLUMNS)))
    }

    /// The terminal that standard output is, or one as wide as the `COLUMNS` variable says; else a file.
    #[must_use]
    pub fn of_output() -> Self {
        let asked = std::env::var("COLUMNS").ok().and_then(|text| text.parse().ok());
        let terminal = rustix::termios::tcgetwinsize(std::io::stdout()).ok().map(|size| usize::from(size.ws_col));
        terminal.filter(|&columns| columns > 0).or(asked).map_or(Self::FILE, Self::of_terminal)
    }

    /// Columns that a line may have.
    #[must_use]
    pub fn columns(self) -> usize {
        self.0.unwrap_or(usize::MAX)
    }

    /// Columns of a rule over the whole width.
    #[must_use]
    pub fn rule(self) -> usize {
        self.0.unwrap_or(RULE_COLUMNS)
    }
}
