//! Test hooks: what a walk may be told to do wrong, to prove that it is found out. No walk lies unless an option says so.

use super::failure::Failure;
use crate::options::LieKind;
use crate::os::fork;
use rootbound_wire::graph::Address;

/// A walk that lies does so after so many references: in the midst of the smallest heap.
const AFTER: u64 = 10_000;

/// What a walk is to do wrong.
#[derive(Clone, Copy, Debug, Default)]
pub struct Lie {
    kind: Option<LieKind>,
    is_due: bool,
}

/// What to do with a sight.
pub enum Trick {
    /// Record it.
    None,
    /// Pass over it.
    Silence,
    /// Give up.
    Fail(Failure),
}

impl Lie {
    /// A lie of that kind.
    pub fn new(kind: Option<LieKind>) -> Self {
        Self { kind, is_due: false }
    }

    /// What to do with the next sight.
    #[inline]
    pub fn trick(&mut self, references: u64) -> Trick {
        match self.kind {
            None => Trick::None,
            Some(kind) => self.of(kind, references),
        }
    }

    fn of(&mut self, kind: LieKind, references: u64) -> Trick {
        match kind {
            _ if references < AFTER => Trick::None,
            LieKind::Layout => Trick::Fail(Failure::Layout),
            LieKind::ChildStops => Trick::Silence,
            LieKind::ChildDies if fork::is_child() => fork::leave(0),
            LieKind::Address => {
                self.is_due = true;
                self.kind = None;
                Trick::None
            }
            LieKind::ChildDies | LieKind::Ring | LieKind::Handle => Trick::None,
        }
    }

    /// The address to record for this one.
    #[inline]
    pub fn about(&mut self, address: Address) -> Address {
        if !self.is_due {
            return address;
        }
        self.is_due = false;
        Address(address.0 ^ 8)
    }

    /// Where to expect an object that a handle holds.
    pub fn about_handle(&mut self, address: Address) -> Address {
        if self.kind != Some(LieKind::Handle) {
            return address;
        }
        self.kind = None;
        Address(address.0 ^ 8)
    }
}
