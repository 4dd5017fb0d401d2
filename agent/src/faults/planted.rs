//! The faults of a library that is built for tests, and their options (`test-…=`).

use super::{Place, Step};
use crate::os::fork;
use rootbound_wire::graph::Address;

/// A walk is corrupted after this number of references: in the midst of the smallest heap.
const AFTER: u64 = 10_000;

/// Names of the places, in options and panics.
const PLACES: [(&str, Place); 6] = [
    ("mark", Place::Mark),
    ("capture", Place::Capture),
    ("probe", Place::Probe),
    ("gc", Place::Gc),
    ("vm-init", Place::VmInit),
    ("allocation", Place::Allocation),
];

/// The planted faults.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Faults {
    panic: Option<Place>,
    /// Number of captures that run dry of buffers.
    dry: u32,
    /// The kind of corruption of captures by address, and the number of them.
    corruption: Option<(Kind, u32)>,
    /// A capture in process walks and does nothing else.
    empty_walk: bool,
    /// Another environment holds the JVM's sampler.
    sampler_held: bool,
}

/// A kind of corruption.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// The stack seems to have another layout.
    Layout,
    /// The forked child ends early.
    ChildDies,
    /// The child records no more, but seems to have finished.
    ChildStops,
    /// The ring has few slots, and its reader takes its time.
    Ring,
    /// One address is wrong.
    Address,
    /// One named object is expected where it is not.
    Handle,
}

/// The error for an option of a fault that has no meaning.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FaultError {
    /// No such place.
    #[error("test-panic={0} is unknown; allowed are mark, capture, probe, gc, vm-init and allocation")]
    Place(String),
    /// No such corruption.
    #[error("test-corrupt={0} is unknown")]
    Corruption(String),
    /// No number.
    #[error("{key}= needs a number, not '{value}'")]
    Number {
        /// The option.
        key: String,
        /// The text behind it.
        value: String,
    },
    /// Not the one word that the option knows.
    #[error("{key}={value} is unknown; allowed is {word}")]
    Word {
        /// The option.
        key: String,
        /// The text behind it.
        value: String,
        /// The word.
        word: &'static str,
    },
}

/// A panic that may be planted.
#[derive(Clone, Copy, Debug, Default)]
pub struct Panic(Option<Place>);

/// The corruption of one capture.
#[derive(Clone, Copy, Debug, Default)]
pub struct Corruption {
    kind: Option<Kind>,
    is_due: bool,
}

impl Faults {
    /// Takes an option, if it is one of a fault.
    pub fn take(&mut self, key: &str, value: &str) -> Option<Result<(), FaultError>> {
        let taken = match key {
            "test-panic" => place(value).map(|place| self.panic = Some(place)),
            "test-dry" => number(key, value).map(|captures| self.dry = captures),
            "test-corrupt" => corruption(value).map(|corruption| self.corruption = Some(corruption)),
            "test-empty-walk" => flag(key, value, "bare").map(|()| self.empty_walk = true),
            "test-sampler-held" => flag(key, value, "1").map(|()| self.sampler_held = true),
            _ => return None,
        };
        Some(taken)
    }

    /// The panic that is planted there, if one is.
    pub fn panic_at(&self, place: Place) -> Panic {
        Panic(self.panic.filter(|&planted| planted == place))
    }

    /// The corruption of the capture with this number.
    pub fn corruption(&self, capture: u32) -> Corruption {
        let kind = self.corruption.filter(|&(_, captures)| capture <= captures).map(|(kind, _)| kind);
        Corruption { kind, is_due: false }
    }

    /// Whether the capture with this number runs dry of buffers.
    pub fn runs_dry(&self, capture: u32) -> bool {
        capture <= self.dry
    }

    /// Whether a walk in process does nothing else.
    pub fn walks_empty(&self) -> bool {
        self.empty_walk
    }

    /// Whether another environment holds the JVM's sampler.
    pub fn holds_sampler(&self) -> bool {
        self.sampler_held
    }
}

impl Panic {
    /// Panics, if it is planted.
    #[inline]
    pub fn go_off(self) {
        if let Some(place) = self.0 {
            let name = PLACES.iter().find(|(_, other)| *other == place).map_or("", |(name, _)| name);
            panic!("planted panic: {name}");
        }
    }
}

impl Corruption {
    /// Whether the ring has few slots, and its reader takes its time.
    pub fn overflows(self) -> bool {
        self.kind == Some(Kind::Ring)
    }

    /// The treatment of the next references.
    #[inline]
    pub fn step(&mut self, references: u64) -> Step {
        match self.kind {
            Some(kind) if references >= AFTER => self.corrupt(kind),
            _ => Step::Record,
        }
    }

    fn corrupt(&mut self, kind: Kind) -> Step {
        match kind {
            Kind::Layout => Step::GiveUp,
            Kind::ChildStops => Step::Skip,
            Kind::ChildDies if fork::is_child() => fork::leave(0),
            Kind::Address => {
                (self.is_due, self.kind) = (true, None);
                Step::Record
            }
            Kind::ChildDies | Kind::Ring | Kind::Handle => Step::Record,
        }
    }

    /// The address to record for this one.
    #[inline]
    pub fn address(&mut self, address: Address) -> Address {
        if std::mem::take(&mut self.is_due) { Address(address.0 ^ 8) } else { address }
    }

    /// The address at which to expect an object that a handle holds.
    pub fn handle(&mut self, address: Address) -> Address {
        if self.kind != Some(Kind::Handle) {
            return address;
        }
        self.kind = None;
        Address(address.0 ^ 8)
    }
}

fn place(value: &str) -> Result<Place, FaultError> {
    let found = PLACES.iter().find(|(name, _)| *name == value).map(|(_, place)| *place);
    found.ok_or_else(|| FaultError::Place(value.to_owned()))
}

/// A kind of corruption and, after a colon, the number of captures that are corrupted.
fn corruption(value: &str) -> Result<(Kind, u32), FaultError> {
    let (kind, captures) = value.split_once(':').unwrap_or((value, "1"));
    let captures = number("test-corrupt", captures)?;
    let kind = match kind {
        "layout" => Kind::Layout,
        "child-dies" => Kind::ChildDies,
        "child-stops" => Kind::ChildStops,
        "ring" => Kind::Ring,
        "address" => Kind::Address,
        "handle" => Kind::Handle,
        _ => return Err(FaultError::Corruption(kind.to_owned())),
    };
    Ok((kind, captures))
}

fn number(key: &str, value: &str) -> Result<u32, FaultError> {
    value.parse().map_err(|_| FaultError::Number { key: key.to_owned(), value: value.to_owned() })
}

fn flag(key: &str, value: &str, word: &'static str) -> Result<(), FaultError> {
    if value == word { Ok(()) } else { Err(FaultError::Word { key: key.to_owned(), value: value.to_owned(), word }) }
}
