//! Options for the appearance of reports, and the room that there is for them.

use crate::view::columns::ColumnSet;

/// Options for the appearance of reports.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Look {
    /// The columns of the table.
    pub columns: ColumnSet,
    /// Whether all receipts are printed, and not their sum alone.
    pub receipts: bool,
}

/// Width of a printed report. Nothing is cut if it is too narrow: sentences and names go on in the next line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Width(Option<usize>);

/// Below this width the text does not fit any more.
pub(super) const LEAST_COLUMNS: usize = 30;

/// Length of a rule in a file.
const RULE_COLUMNS: usize = 100;

impl Width {
    /// A file: lines are as long as their text.
    pub const FILE: Self = Self(None);

    /// A terminal with this number of columns.
    #[must_use]
    pub fn of_terminal(columns: usize) -> Self {
        Self(Some(columns.max(LEAST_COLUMNS)))
    }

    /// The terminal of standard output, or one of the width in the `COLUMNS` variable; otherwise a file.
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
