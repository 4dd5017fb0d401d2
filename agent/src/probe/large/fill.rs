//! The number of filled slots of an array that is filled without gaps: a list's elements from the beginning, a deque's
//! somewhere and perhaps around the end, a ring's everywhere. Checks some slots, then halves. Reads nothing itself.

/// Slots checked: a gap is not missed if it is larger than one of this number of parts of the array.
const LOOKS: u32 = 64;

/// Filled slots of an array of this length, or `None` when they are not one run (which may go around the end) or none
/// was met. Returns the number of slots checked, too.
pub fn filled(length: u32, is_filled: impl Fn(u32) -> bool) -> (Option<u32>, u32) {
    if length == 0 {
        return (Some(0), 0);
    }
    let mut looks = 0;
    let mut look = |index: u32| {
        looks += 1;
        is_filled(index)
    };
    let parts = LOOKS.min(length);
    // The first slot and the last are always among them.
    let place = |part: u32| (u64::from(part) * u64::from(length - 1) / u64::from((parts - 1).max(1))) as u32;
    let seen: Vec<(u32, bool)> = (0..parts).map(place).map(|index| (index, look(index))).collect();
    let mut ends: Vec<(u32, bool)> = Vec::new();
    for pair in seen.windows(2).filter(|pair| pair[0].1 != pair[1].1) {
        // The beginning of the run, or the first empty slot behind it.
        ends.push((boundary(pair[0].0, pair[1], &mut look), pair[1].1));
    }
    let filled = match ends[..] {
        [] => seen[0].1.then_some(length),
        [(begin, true)] => Some(length - begin),
        [(end, false)] => Some(end),
        [(begin, true), (end, false)] => Some(end - begin),
        [(end, false), (begin, true)] => Some(end + (length - begin)),
        _ => None,
    };
    (filled, looks)
}

/// The first slot behind `before` that is as `after` is, where all behind it are so.
fn boundary(mut before: u32, after: (u32, bool), look: &mut impl FnMut(u32) -> bool) -> u32 {
    let (mut first, kind) = after;
    while first - before > 1 {
        let middle = before.midpoint(first);
        if look(middle) == kind { first = middle } else { before = middle }
    }
    first
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_run_is_found_wherever_it_begins_and_ends() {
        for length in [1_u32, 2, 63, 64, 65, 1000, 4097] {
            for begin in (0..length).step_by(1 + length as usize / 13) {
                // A run of less than a part of the array lies between the checked slots, unless it begins with the
                // array.
                let shortest = if begin == 0 { 1 } else { length / LOOKS + 2 };
                for run in (shortest..=length).step_by(1 + length as usize / 17) {
                    let is_filled = |index: u32| (index + length - begin) % length < run;
                    let (found, looks) = filled(length, is_filled);
                    // A gap of less than a part may lie between the checked slots, too: then the array seems full.
                    let gap = length - run;
                    if gap == 0 || gap > length / LOOKS + 1 || begin == 0 {
                        assert_eq!(found, Some(run), "{length} slots, {run} from {begin}");
                    }
                    assert!(looks <= LOOKS + 64);
                }
            }
        }
    }

    #[test]
    fn gaps_and_emptiness_are_not_guessed_at() {
        assert_eq!(filled(10_000, |index| index % 3 == 0).0, None);
        assert_eq!(filled(10_000, |_| false).0, None);
        assert_eq!(filled(0, |_| true).0, Some(0));
    }
}
