//! What the addresses of objects tell of their sizes. HotSpot's HPROF says how many bytes of fields an instance has, but
//! neither what a header takes nor how fields are packed; yet it tells most objects in the order of their addresses, and
//! an object reaches no farther than to the one behind it.
//!
//! For each class the least distance is noted from an instance to the object told next; for arrays, whose contents are
//! known, how far beyond these the next object lies.

use super::class_table::ClassTable;

/// Classes of which distances are kept; a dump that has more is none.
const MOST_CLASSES: usize = 1 << 18;
/// Distances beyond the contents of an array that are counted.
const MOST_EXCESS: usize = 64;

/// From instances of a class to what follows.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Gap {
    /// The least distance.
    pub(super) least: u64,
    /// An instance that has it.
    pub(super) at: u64,
    /// Instances that have it, and all whose distance is known.
    pub(super) agreeing: u32,
    pub(super) seen: u32,
}

impl Gap {
    #[inline]
    fn add(&mut self, least: u64, at: u64, agreeing: u32, seen: u32) {
        if self.seen == 0 || least < self.least {
            (self.least, self.at, self.agreeing) = (least, at, 0);
        }
        if least == self.least {
            self.agreeing = self.agreeing.saturating_add(agreeing);
        }
        self.seen = self.seen.saturating_add(seen);
    }
}

/// How often what follows an array lies so many bytes beyond its elements.
pub(super) type Excess = [u32; MOST_EXCESS];

/// All that addresses tell.
#[derive(Debug)]
pub(super) struct Evidence {
    classes: ClassTable,
    gaps: Vec<Gap>,
    /// By arrays of elements narrower than eight bytes.
    pub(super) narrow: Excess,
    /// By arrays of references, taken as four or as eight bytes.
    pub(super) references: [Excess; 2],
    /// All ids together: their common zeros are the alignment.
    pub(super) all_ids: u64,
    /// Objects told behind one of a lower address, and all others.
    order: [u64; 2],
    latest: Latest,
    latest_id: u64,
    /// The latest class, and its number.
    latest_class: (u64, u32),
}

impl Default for Evidence {
    fn default() -> Self {
        Self {
            classes: ClassTable::default(),
            gaps: vec![Gap::default()],
            narrow: [0; MOST_EXCESS],
            references: [[0; MOST_EXCESS]; 2],
            all_ids: 0,
            order: [0; 2],
            latest: Latest::Other,
            latest_id: 0,
            latest_class: (0, 0),
        }
    }
}

/// What the object told last is.
#[derive(Clone, Copy, Debug)]
enum Latest {
    Instance(u32),
    Narrow(u64),
    References(u64),
    Other,
}

impl Evidence {
    /// What follows does not stand behind what came.
    pub(super) fn interrupt(&mut self) {
        self.latest = Latest::Other;
    }

    /// An instance of that class.
    #[inline]
    pub(super) fn instance(&mut self, id: u64, class: u64) {
        self.follows(id);
        if self.latest_class.0 != class {
            self.latest_class = (class, self.number(class));
        }
        self.latest = Latest::Instance(self.latest_class.1);
    }

    /// An array of references.
    #[inline]
    pub(super) fn references(&mut self, id: u64, length: u32) {
        self.follows(id);
        self.latest = Latest::References(u64::from(length));
    }

    /// An array of primitive elements of that width.
    #[inline]
    pub(super) fn primitives(&mut self, id: u64, length: u32, width: u8) {
        self.follows(id);
        self.latest = if width < 8 { Latest::Narrow(u64::from(length) * u64::from(width)) } else { Latest::Other };
    }

    fn number(&mut self, class: u64) -> u32 {
        match self.classes.number(class) {
            0 if class != 0 && self.classes.count() < MOST_CLASSES => {
                self.classes.insert(class, self.gaps.len() as u32);
                self.gaps.push(Gap::default());
                self.gaps.len() as u32 - 1
            }
            number => number,
        }
    }

    #[inline]
    fn follows(&mut self, id: u64) {
        self.all_ids |= id;
        self.order[usize::from(id < self.latest_id)] += 1;
        if let Some(distance) = id.checked_sub(self.latest_id).filter(|&distance| distance > 0) {
            match self.latest {
                Latest::Instance(class) => self.gaps[class as usize].add(distance, self.latest_id, 1, 1),
                Latest::Narrow(bytes) => count(&mut self.narrow, distance.wrapping_sub(bytes)),
                Latest::References(length) => {
                    count(&mut self.references[0], distance.wrapping_sub(4 * length));
                    count(&mut self.references[1], distance.wrapping_sub(8 * length));
                }
                Latest::Other => {}
            }
        }
        self.latest_id = id;
    }

    /// Whether objects mostly stand in the order of their addresses.
    pub(super) fn is_ordered(&self) -> bool {
        self.order[0] > 9 * self.order[1]
    }

    /// The distances of a class.
    pub(super) fn gap(&self, class: u64) -> Option<Gap> {
        Some(self.gaps[self.classes.number(class) as usize]).filter(|gap| class != 0 && gap.seen > 0)
    }

    /// Mirrors lie among the objects, too: where one lies within a least distance, that ends before it.
    pub(super) fn heed(&mut self, mut mirrors: Vec<u64>) {
        mirrors.sort_unstable();
        for gap in self.gaps.iter_mut().filter(|gap| gap.seen > 0) {
            let next = mirrors.partition_point(|&mirror| mirror <= gap.at);
            if let Some(&mirror) = mirrors.get(next).filter(|&&mirror| mirror - gap.at < gap.least) {
                (gap.least, gap.agreeing) = (mirror - gap.at, 1);
            }
        }
    }

    /// Adds what another thread has seen.
    pub(super) fn add(&mut self, other: &Self) {
        for (class, number) in other.classes.iter() {
            let theirs = other.gaps[number as usize];
            let ours = self.number(class);
            if ours != 0 && theirs.seen > 0 {
                self.gaps[ours as usize].add(theirs.least, theirs.at, theirs.agreeing, theirs.seen);
            }
        }
        let add = |ours: &mut Excess, theirs: &Excess| ours.iter_mut().zip(theirs).for_each(|(o, t)| *o += t);
        add(&mut self.narrow, &other.narrow);
        add(&mut self.references[0], &other.references[0]);
        add(&mut self.references[1], &other.references[1]);
        self.all_ids |= other.all_ids;
        self.order = [self.order[0] + other.order[0], self.order[1] + other.order[1]];
    }
}

#[inline]
fn count(excess: &mut Excess, bytes: u64) {
    if let Some(count) = excess.get_mut(bytes as usize) {
        *count = count.saturating_add(1);
    }
}
