//! Evidence of object sizes from addresses. HotSpot's HPROF states the bytes of an instance's fields, but neither the
//! size of a header nor the packing of fields. Yet it writes most objects in the order of their addresses, and an
//! object ends at the latest where the next one begins.
//!
//! For each class, the least distance from an instance to the next object in the dump is recorded. For arrays, whose
//! contents are known, the distance from their end to the next object is recorded.

use super::class_table::ClassTable;

/// Most classes for which distances are kept; no real dump has more.
const MOST_CLASSES: usize = 1 << 18;
/// Distances beyond the contents of an array that are counted.
const MOST_EXCESS: usize = 64;

/// Distance from instances of a class to the next object.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Gap {
    /// The least distance, in bytes.
    pub(super) least: u64,
    /// An instance with that distance.
    pub(super) at: u64,
    /// Number of instances with that distance, and number of all whose distance is known.
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

/// Number of arrays by the distance of the next object from the end of their elements, in bytes.
pub(super) type Excess = [u32; MOST_EXCESS];

/// All evidence from addresses.
#[derive(Debug)]
pub(super) struct Evidence {
    classes: ClassTable,
    gaps: Vec<Gap>,
    /// For arrays of elements narrower than eight bytes.
    pub(super) narrow: Excess,
    /// For arrays of references, counted with four and with eight bytes each.
    pub(super) references: [Excess; 2],
    /// All ids combined by OR: their common zeros are the alignment.
    pub(super) all_ids: u64,
    /// Number of objects behind one of a lower address, and number of all others.
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

/// Kind of the latest object.
#[derive(Clone, Copy, Debug)]
enum Latest {
    Instance(u32),
    Narrow(u64),
    References(u64),
    Other,
}

impl Evidence {
    /// Notes a gap: the next object does not follow the latest one.
    pub(super) fn interrupt(&mut self) {
        self.latest = Latest::Other;
    }

    /// Adds an instance of that class.
    #[inline]
    pub(super) fn instance(&mut self, id: u64, class: u64) {
        self.follows(id);
        if self.latest_class.0 != class {
            self.latest_class = (class, self.number(class));
        }
        self.latest = Latest::Instance(self.latest_class.1);
    }

    /// Adds an array of references.
    #[inline]
    pub(super) fn references(&mut self, id: u64, length: u32) {
        self.follows(id);
        self.latest = Latest::References(u64::from(length));
    }

    /// Adds an array of primitive elements of that width.
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

    /// The distance for a class.
    pub(super) fn gap(&self, class: u64) -> Option<Gap> {
        Some(self.gaps[self.classes.number(class) as usize]).filter(|gap| class != 0 && gap.seen > 0)
    }

    /// Takes mirrors into account, which lie among the objects, too. A least distance that contains a mirror ends
    /// before it.
    pub(super) fn cap_at_mirrors(&mut self, mut mirrors: Vec<u64>) {
        mirrors.sort_unstable();
        for gap in self.gaps.iter_mut().filter(|gap| gap.seen > 0) {
            let next = mirrors.partition_point(|&mirror| mirror <= gap.at);
            if let Some(&mirror) = mirrors.get(next).filter(|&&mirror| mirror - gap.at < gap.least) {
                (gap.least, gap.agreeing) = (mirror - gap.at, 1);
            }
        }
    }

    /// Adds the evidence of another thread.
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
