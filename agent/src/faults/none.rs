//! No faults: the types of a released library.

use super::{Place, Step};
use rootbound_wire::graph::Address;

/// None.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Faults(());

/// No error: there are no options.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FaultError {}

/// No panic.
#[derive(Clone, Copy, Debug, Default)]
pub struct Panic(());

/// No corruption.
#[derive(Clone, Copy, Debug, Default)]
pub struct Corruption(());

impl Faults {
    /// No option is one of a fault.
    pub fn take(&mut self, _key: &str, _value: &str) -> Option<Result<(), FaultError>> {
        None
    }

    /// No panic is planted.
    #[inline(always)]
    pub fn panic_at(&self, _place: Place) -> Panic {
        Panic(())
    }

    /// No capture is corrupted.
    pub fn corruption(&self, _capture: u32) -> Corruption {
        Corruption(())
    }

    /// No capture runs dry of buffers.
    pub fn runs_dry(&self, _capture: u32) -> bool {
        false
    }

    /// No walk is empty.
    pub fn walks_empty(&self) -> bool {
        false
    }

    /// No other environment holds the sampler on purpose.
    pub fn holds_sampler(&self) -> bool {
        false
    }
}

impl Panic {
    /// Does nothing.
    #[inline(always)]
    pub fn go_off(self) {}
}

impl Corruption {
    /// The ring has all its slots, and its reader hurries.
    pub fn overflows(self) -> bool {
        false
    }

    /// Every reference is recorded.
    #[inline(always)]
    pub fn step(&mut self, _references: u64) -> Step {
        Step::Record
    }

    /// The address itself.
    #[inline(always)]
    pub fn address(&mut self, address: Address) -> Address {
        address
    }

    /// The address itself.
    #[inline(always)]
    pub fn handle(&mut self, address: Address) -> Address {
        address
    }
}
