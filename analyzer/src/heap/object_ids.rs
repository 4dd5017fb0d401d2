//! From the agent's object ids to dense indexes and back.

use super::ObjectIdx;
use rootbound_wire::ids::ObjectId;

/// Ids in the order of the columns. A tagging capture numbers objects 1, 2, 3 …, and then nothing is stored at all.
#[derive(Debug)]
pub(super) enum ObjectIds {
    /// The object at index i has id i + 1.
    Dense { count: u32 },
    /// Any ids: by column, and sorted for look-up.
    Sparse { by_column: Vec<u64>, sorted: Vec<(u64, u32)> },
}

impl ObjectIds {
    /// Takes the ids of all objects by column. `None` when one stands twice or there are more than `u32` can count.
    pub(super) fn new(by_column: Vec<u64>) -> Option<Self> {
        let count = u32::try_from(by_column.len()).ok().filter(|&count| count < u32::MAX)?;
        if by_column.iter().zip(1u64..).all(|(&id, expected)| id == expected) {
            return Some(Self::Dense { count });
        }
        let mut sorted: Vec<(u64, u32)> = by_column.iter().copied().zip(0..count).collect();
        sorted.sort_unstable();
        let distinct = sorted.windows(2).all(|pair| pair[0].0 != pair[1].0);
        distinct.then_some(Self::Sparse { by_column, sorted })
    }

    /// The object of that id, if the snapshot has it.
    #[inline]
    pub(super) fn index(&self, id: ObjectId) -> Option<ObjectIdx> {
        match self {
            Self::Dense { count } => (1..=u64::from(*count)).contains(&id.0).then(|| ObjectIdx((id.0 - 1) as u32)),
            Self::Sparse { sorted, .. } => {
                sorted.binary_search_by_key(&id.0, |entry| entry.0).ok().map(|at| ObjectIdx(sorted[at].1))
            }
        }
    }

    /// The id of an object.
    pub(super) fn id(&self, object: ObjectIdx) -> ObjectId {
        match self {
            Self::Dense { .. } => ObjectId(u64::from(object.0) + 1),
            Self::Sparse { by_column, .. } => ObjectId(by_column[object.at()]),
        }
    }
}
