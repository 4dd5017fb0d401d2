//! The labels of a heap's references, in the order of its rows: whole, or one byte each. A byte holds the index of a
//! field below 200, or the distance of an element's index from the one before. The few other labels are stored
//! separately.

use super::Label;

/// One label for each reference.
#[derive(Debug)]
pub(super) enum Labels {
    Whole(Vec<Label>),
    Coded {
        codes: Vec<u8>,
        /// Labels without a code, by place; ascending.
        rare: Vec<(u32, Label)>,
    },
}

impl Default for Labels {
    fn default() -> Self {
        Self::Whole(Vec::new())
    }
}

impl Labels {
    /// Makes labels from the codes of a [`Coder`] for each row, and from the uncoded labels by place in any order.
    pub(super) fn coded(codes: Vec<u8>, mut rare: Vec<(u32, Label)>) -> Self {
        rare.sort_unstable();
        Self::Coded { codes, rare }
    }

    /// Labels of one row.
    pub(super) fn of_row(&self, row: std::ops::Range<usize>) -> impl ExactSizeIterator<Item = Label> + '_ {
        let mut decoder = Coder::default();
        row.map(move |at| match self {
            Self::Whole(labels) => labels[at],
            Self::Coded { codes, rare } => decoder.label(codes[at]).unwrap_or_else(|| {
                let label =
                    rare.binary_search_by_key(&(at as u32), |entry| entry.0).map_or(Label::OTHER, |at| rare[at].1);
                decoder.note(label);
                label
            }),
        })
    }
}

const FIELDS: u32 = 200;
const FIRST_ELEMENT: u8 = 200;
const STEPS: u32 = 48;
const FIRST_KIND: u8 = 248;
const KINDS: [Label; 6] =
    [Label::CLASS, Label::CLASS_LOADER, Label::SUPERCLASS, Label::INTERFACE, Label::CONSTANT_POOL, Label::OTHER];

/// Codes the labels of one row, in their order.
#[derive(Debug, Default)]
pub(super) struct Coder {
    /// The index of the element directly after the last one.
    next_element: u32,
}

impl Coder {
    /// The code of labels that are stored separately.
    pub(super) const RARE: u8 = u8::MAX;

    /// The code of the next label; `None` if it is to be stored separately.
    #[inline]
    pub(super) fn code(&mut self, label: Label) -> Option<u8> {
        if let Some(index) = label.element_index() {
            let step = index.wrapping_sub(self.next_element);
            self.note(label);
            return (step < STEPS).then(|| FIRST_ELEMENT + step as u8);
        }
        if label.is_instance_field() {
            return label.field_index().filter(|&index| index < FIELDS).map(|index| index as u8);
        }
        KINDS.iter().position(|&kind| kind == label).map(|at| FIRST_KIND + at as u8)
    }

    #[inline]
    fn label(&mut self, code: u8) -> Option<Label> {
        let label = match code {
            0..FIRST_ELEMENT => Label::field(u32::from(code)),
            FIRST_ELEMENT..FIRST_KIND => Label::element(self.next_element + u32::from(code - FIRST_ELEMENT)),
            _ => *KINDS.get(usize::from(code - FIRST_KIND))?,
        };
        self.note(label);
        Some(label)
    }

    #[inline]
    fn note(&mut self, label: Label) {
        if let Some(index) = label.element_index() {
            self.next_element = index.saturating_add(1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_label_is_read_as_it_was_written() {
        let rows: [&[Label]; 5] = [
            &[Label::CLASS, Label::field(0), Label::field(199), Label::field(200), Label::OTHER],
            &[Label::element(0), Label::element(1), Label::element(49), Label::element(100), Label::element(101)],
            &[Label::element(u32::MAX), Label::element(u32::MAX), Label::element(0)],
            &[],
            &[Label::CLASS_LOADER, Label::SUPERCLASS, Label::static_field(3), Label::INTERFACE, Label::CONSTANT_POOL],
        ];
        let (mut codes, mut rare) = (Vec::new(), Vec::new());
        for row in rows {
            let mut coder = Coder::default();
            for &label in row {
                let code = coder.code(label).unwrap_or_else(|| {
                    rare.push((codes.len() as u32, label));
                    Coder::RARE
                });
                codes.push(code);
            }
        }
        assert!(rare.len() < codes.len() / 2, "{rare:?}");
        rare.reverse();
        let labels = Labels::coded(codes, rare);
        let mut at = 0;
        for row in rows {
            let read: Vec<Label> = labels.of_row(at..at + row.len()).collect();
            assert_eq!(read, row);
            at += row.len();
        }
    }
}
