//! The parents of a depth-first tree in one byte each. The parent of a number is the number before it or an object
//! above that one, mostly near; so what is kept is the number of steps up.

/// Steps that do not fit are stored separately.
const FAR: u8 = u8::MAX;

/// By number, from 1 on: the number of steps from the number before it up to its parent.
pub(super) struct Ascents {
    steps: Vec<u8>,
    /// The steps that do not fit, in the order of their numbers.
    far: Vec<u32>,
}

impl Ascents {
    /// Takes the tree: numbers are in preorder, and `parent` is that of any of the first `count` numbers. Each step
    /// leaves a subtree behind, so there are no more steps than numbers.
    pub(super) fn new(count: usize, parent: impl Fn(u32) -> u32) -> Self {
        let mut ascents = Self { steps: Vec::with_capacity(count.saturating_sub(1)), far: Vec::new() };
        for number in 1..count as u32 {
            let (mut at, mut steps) = (number - 1, 0);
            while at != parent(number) {
                at = parent(at);
                steps += 1;
            }
            let short = u8::try_from(steps).unwrap_or(FAR);
            ascents.steps.push(short);
            ascents.far.extend((short == FAR).then_some(steps));
        }
        ascents
    }

    /// The parents of the numbers from 1 on, in their order.
    pub(super) fn parents(&self) -> impl Iterator<Item = u32> {
        let mut above: Vec<u32> = vec![0];
        let mut far = self.far.iter().copied();
        self.steps.iter().zip(1..).map(move |(&short, number)| {
            let steps = if short == FAR { far.next().unwrap_or(0) } else { u32::from(short) };
            above.truncate(above.len() - steps as usize);
            let parent = above.last().copied().unwrap_or(0);
            above.push(number);
            parent
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parents_are_read_as_they_were_written() {
        let bushy = vec![0, 0, 1, 2, 2, 1, 0, 0, 7, 8, 0];
        // A chain of 1000, from whose end the next ones hang 254, 255, 256 and 999 steps higher.
        let mut chain: Vec<u32> = (0..1000).map(|number: u32| number.saturating_sub(1)).collect();
        chain.extend([999 - 254, 999 - 254 - 254, 100, 0]);
        for parents in [bushy, chain, vec![0]] {
            let ascents = Ascents::new(parents.len(), |number| parents[number as usize]);
            assert_eq!(ascents.parents().collect::<Vec<_>>(), parents[1..]);
        }
    }
}
