//! Size by random descents (Knuth, "Estimating the efficiency of backtrack programs", 1975): at each branching one
//! branch is taken at random and weighs as much as there were branches. Unbiased for trees; the first array met is
//! stratified.

use crate::probe::observation::Observation;
use crate::probe::reading::reader::HeapReader;
use crate::probe::route::automaton::Route;
use crate::random::Random;
use rootbound_wire::message::VisitMethod;

/// Most descents of one visit.
const DESCENTS: u32 = 1024;
/// Fewer descents give no estimate of their own error.
const FEWEST: usize = 16;

/// Estimates the size within the budget, and returns the number of reads. `None` when too few descents fit: the
/// structure is too deep for a sample, and the budget is used up.
pub fn estimate<R: HeapReader>(
    reader: &R,
    route: &Route,
    owner: &R::Ref,
    budget: u32,
    random: &mut Random,
) -> (Option<Observation>, u32) {
    let mut reads = 0;
    let seen = descents(reader, route, owner, budget, random, &mut reads);
    let reads = if seen.is_some() { reads } else { budget };
    (seen, reads)
}

fn descents<R: HeapReader>(
    reader: &R,
    route: &Route,
    owner: &R::Ref,
    budget: u32,
    random: &mut Random,
    reads: &mut u32,
) -> Option<Observation> {
    // The first descent only measures the depth: the number of strata is fixed before the sample is seen, or the
    // estimate would be biased.
    descend(reader, route, reader.duplicate(owner)?, random.unit(), budget, random, reads)?;
    let wanted = (budget.saturating_sub(*reads) / ((*reads).max(1) * 2)).min(DESCENTS).max(FEWEST as u32);
    let mut found = Vec::with_capacity(wanted as usize);
    for stratum in 0..wanted {
        let at = (f64::from(stratum) + random.unit()) / f64::from(wanted);
        found.push(descend(reader, route, reader.duplicate(owner)?, at, budget, random, reads)?);
    }
    let count = found.len() as f64;
    let size = found.iter().sum::<f64>() / count;
    // Successive differences: honest for one draw a stratum, and the plain variance when strata do not matter.
    let differences: f64 = found.windows(2).map(|pair| (pair[1] - pair[0]).powi(2)).sum();
    let error = (differences / (2.0 * (count - 1.0) * count)).sqrt();
    Some(Observation::new(size, error, VisitMethod::Sampled))
}

/// One descent; `at` in [0, 1) picks the slot of the first array.
fn descend<R: HeapReader>(
    reader: &R,
    route: &Route,
    owner: R::Ref,
    at: f64,
    budget: u32,
    random: &mut Random,
    reads: &mut u32,
) -> Option<f64> {
    let (mut object, mut place, mut weight, mut size) = (owner, 0, 1.0, 0.0);
    let mut stratum = Some(at);
    loop {
        // Branches from here: fields that lead further, and arrays by the number of their slots.
        let mut ways: Vec<(R::Ref, usize)> = Vec::new();
        let mut array = None;
        for (index, step) in route.places[place].steps.iter().enumerate() {
            if *reads >= budget {
                return None;
            }
            if step.is_array {
                array = Some(step);
                continue;
            }
            *reads += 1;
            let Some(referee) = route.read(reader, place, index, &object) else { continue };
            let Some(to) = route.admit(reader, step, &referee) else { continue };
            if route.places[to].counts {
                size += weight;
            }
            if !route.places[to].is_leaf() {
                ways.push((referee, to));
            }
        }
        if let Some(step) = array {
            let length = reader.length(&object);
            if length == 0 {
                return Some(size);
            }
            let slot = stratum.take().unwrap_or_else(|| random.unit()) * f64::from(length);
            *reads += 1;
            weight *= f64::from(length);
            let Some(referee) = reader.element(&object, (slot as u32).min(length - 1)) else { return Some(size) };
            let Some(to) = route.admit(reader, step, &referee) else { return Some(size) };
            if route.places[to].counts {
                size += weight;
            }
            (object, place) = (referee, to);
        } else if ways.is_empty() {
            return Some(size);
        } else {
            weight *= ways.len() as f64;
            (object, place) = ways.swap_remove(random.below(ways.len()));
        }
    }
}
