//! The proof of a capture by address. It fails if the walk was cut short, if addresses were misread, or if data were
//! lost. Other files check a part of it: objects are expanded once (`columns.rs`), every referee is expanded
//! (`rows.rs`), and objects go on where they stopped (`stretches.rs`).

use super::stretches::Witness;
use super::survey::Survey;
use super::unproven::Unproven;
use crate::heap::places::Places;
use crate::heap::{Label, ObjectIdx};
use rootbound_wire::graph::{Address, SENTINELS};
use rootbound_wire::message::CaptureDone;

/// Checks that as many records arrived as were written.
pub(super) fn counts(survey: &Survey, done: &CaptureDone) -> Result<(), Unproven> {
    if done.records == 0 {
        return Err(Unproven::Unfinished);
    }
    let same =
        |what, described, came| if described == came { Ok(()) } else { Err(Unproven::Count { what, described, came }) };
    same("records", done.records, survey.records)?;
    same("references", done.references, survey.references)
}

/// The planted objects, at the addresses that their handles held.
#[derive(Debug)]
pub(super) struct Sentinels {
    /// By number: the address and the object there.
    planted: Vec<(Address, ObjectIdx)>,
    /// The objects, ascending.
    objects: Vec<ObjectIdx>,
}

impl Sentinels {
    /// Checks that each planted object is reported once, has an address of its own, and was expanded.
    pub(super) fn new(reported: &[(u32, Address)], places: &Places) -> Result<Self, Unproven> {
        let wrong = |number, what| Unproven::Sentinel { number, what };
        let planted = (0..2 * SENTINELS)
            .map(|number| {
                let mut mine = reported.iter().filter(|entry| entry.0 == number).map(|entry| entry.1);
                let address = mine.next().ok_or(wrong(number, "was not reported"))?;
                let object = places.index(address).ok_or(wrong(number, "is not where its handle says"))?;
                if mine.next().is_some() { Err(wrong(number, "was reported twice")) } else { Ok((address, object)) }
            })
            .collect::<Result<Vec<_>, _>>()?;
        let mut objects: Vec<ObjectIdx> = planted.iter().map(|entry| entry.1).collect();
        objects.sort_unstable();
        if let Some(number) = (1..objects.len()).find(|&at| objects[at] == objects[at - 1]) {
            return Err(wrong(number as u32, "lies where another does"));
        }
        if reported.len() > planted.len() {
            return Err(wrong(2 * SENTINELS, "was never planted"));
        }
        Ok(Self { planted, objects })
    }

    /// The objects to watch.
    pub(super) fn objects(&self) -> &[ObjectIdx] {
        &self.objects
    }

    /// Checks the references of planted objects. Apart from their classes, the arrays refer to the objects planted in
    /// them, in order; the plain objects refer to nothing.
    pub(super) fn check(&self, witnesses: &[Witness]) -> Result<(), Unproven> {
        for (number, &(_, object)) in (0..).zip(&self.planted) {
            let seen: Vec<(Label, Address)> = witnesses
                .iter()
                .filter(|witness| witness.referrer == object && witness.label != Label::CLASS)
                .map(|witness| (witness.label, witness.referee))
                .collect();
            if seen != self.promised(number) {
                return Err(Unproven::Sentinel { number, what: "refers to other objects than were planted in it" });
            }
        }
        Ok(())
    }

    fn promised(&self, number: u32) -> Vec<(Label, Address)> {
        if number >= SENTINELS {
            return Vec::new();
        }
        [(number + 1) % SENTINELS, number, number + SENTINELS]
            .iter()
            .zip(0..)
            .map(|(&other, element)| (Label::element(element), self.planted[other as usize].0))
            .collect()
    }
}
