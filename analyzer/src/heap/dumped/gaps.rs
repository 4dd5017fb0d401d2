//! Closes gaps at the ends of rows. Few rows have one, so whole stretches between two gaps move at a time.

use crate::heap::Label;

/// The unused end of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Gap {
    /// The row.
    pub(super) row: u32,
    /// Number of its last entries that are unused.
    pub(super) length: u32,
}

/// Takes the gaps, in any order and at most one a row, out of the columns. `offsets` has the beginnings of all rows and
/// the end of the last one; `rare` is by place, in any order.
pub(super) fn close(
    mut gaps: Vec<Gap>,
    offsets: &mut [u32],
    targets: &mut Vec<u32>,
    codes: &mut Vec<u8>,
    rare: &mut [(u32, Label)],
) {
    gaps.sort_unstable();
    // By gap: the place of the first entry behind it, and the number of unused entries up to there.
    let mut lost = 0;
    let ends: Vec<(u32, u32)> = gaps
        .iter()
        .map(|gap| {
            lost += gap.length;
            (offsets[gap.row as usize + 1], lost)
        })
        .collect();
    let Some(&(first, _)) = ends.first() else { return };
    let mut to = (first - gaps[0].length) as usize;
    for (at, &(from, _)) in ends.iter().enumerate() {
        let until = ends.get(at + 1).map_or(targets.len(), |next| (next.0 - gaps[at + 1].length) as usize);
        let stretch = from as usize..until;
        targets.copy_within(stretch.clone(), to);
        codes.copy_within(stretch.clone(), to);
        to += stretch.len();
    }
    targets.truncate(to);
    codes.truncate(to);
    let lost_before = |place: u32| ends.partition_point(|end| end.0 <= place).checked_sub(1).map_or(0, |at| ends[at].1);
    for entry in rare {
        entry.0 -= lost_before(entry.0);
    }
    let mut next = 0;
    for (row, offset) in offsets.iter_mut().enumerate().skip(gaps[0].row as usize + 1) {
        while gaps.get(next).is_some_and(|gap| (gap.row as usize) < row) {
            next += 1;
        }
        *offset -= next.checked_sub(1).map_or(0, |at| ends[at].1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rows of these lengths, with gaps at the ends of some; entries of a row are ten times its number, counted up.
    fn closed(rows: &[(u32, u32)]) -> (Vec<u32>, Vec<u32>, Vec<u8>, Vec<u32>) {
        let (mut offsets, mut targets, mut gaps, mut rare) = (vec![0], Vec::new(), Vec::new(), Vec::new());
        for (row, &(used, unused)) in (0..).zip(rows) {
            targets.extend((0..used).map(|entry| 10 * row + entry));
            if used > 0 {
                rare.push((targets.len() as u32 - 1, Label::field(row)));
            }
            targets.extend((0..unused).map(|_| u32::MAX));
            if unused > 0 {
                gaps.push(Gap { row, length: unused });
            }
            offsets.push(targets.len() as u32);
        }
        let mut codes: Vec<u8> = targets.iter().map(|&target| target as u8).collect();
        gaps.reverse();
        close(gaps, &mut offsets, &mut targets, &mut codes, &mut rare);
        let rare = rare.into_iter().map(|(place, _)| place).collect();
        (offsets, targets, codes, rare)
    }

    #[test]
    fn rows_close_up_wherever_the_gaps_are() {
        for rows in [
            &[(2, 0), (3, 0), (1, 0)][..],
            &[(2, 1), (3, 0), (0, 2), (1, 3)],
            &[(0, 4), (0, 1), (2, 0), (0, 0), (5, 1), (1, 0)],
            &[(0, 3)],
            &[(1, 0), (0, 0), (2, 7)],
            &[],
        ] {
            let without: Vec<(u32, u32)> = rows.iter().map(|&(used, _)| (used, 0)).collect();
            assert_eq!(closed(rows), closed(&without), "{rows:?}");
        }
    }
}
