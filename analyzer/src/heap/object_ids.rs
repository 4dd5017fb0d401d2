//! From the agent's object ids to dense indexes and back.

use super::ObjectIdx;
use super::places::Places;
use rootbound_wire::ids::ObjectId;

/// Ids in the order of the columns. A capture by tags numbers objects 1, 2, 3 …, and then nothing is stored.
#[derive(Debug)]
pub(super) enum ObjectIds {
    /// The object at index i has id i + 1.
    Dense { count: u32 },
    /// Any ids, of all objects or of some: ascending by object, and ascending by id.
    Sparse { by_object: Vec<(ObjectIdx, ObjectId)>, by_id: Vec<(ObjectId, ObjectIdx)> },
    /// The addresses of a dump, or other ids of it, shifted by that number of bits.
    Addresses { places: Places, shift: u32 },
}

impl ObjectIds {
    /// Takes the ids of all objects by column. `None` if an id appears twice or there are more than `u32` can count.
    pub(super) fn new(by_column: &[u64]) -> Option<Self> {
        let count = u32::try_from(by_column.len()).ok().filter(|&count| count < u32::MAX)?;
        if by_column.iter().zip(1u64..).all(|(&id, expected)| id == expected) {
            return Some(Self::Dense { count });
        }
        Self::of_some(by_column.iter().zip(0..).map(|(&id, at)| (ObjectIdx(at), ObjectId(id))).collect())
    }

    /// Takes objects that have ids. `None` if an object or an id appears twice.
    pub(super) fn of_some(mut by_object: Vec<(ObjectIdx, ObjectId)>) -> Option<Self> {
        by_object.sort_unstable();
        let mut by_id: Vec<(ObjectId, ObjectIdx)> = by_object.iter().map(|&(object, id)| (id, object)).collect();
        by_id.sort_unstable();
        let distinct = by_object.windows(2).all(|pair| pair[0].0 != pair[1].0)
            && by_id.windows(2).all(|pair| pair[0].0 != pair[1].0);
        distinct.then_some(Self::Sparse { by_object, by_id })
    }

    /// The object with that id, if the snapshot has it.
    #[inline]
    pub(super) fn index(&self, id: ObjectId) -> Option<ObjectIdx> {
        match self {
            Self::Dense { count } => (1..=u64::from(*count)).contains(&id.0).then(|| ObjectIdx((id.0 - 1) as u32)),
            Self::Sparse { by_id, .. } => by_id.binary_search_by_key(&id, |entry| entry.0).ok().map(|at| by_id[at].1),
            Self::Addresses { places, shift } => places.index_shifted(id.0, *shift),
        }
    }

    /// The object's id in the dump or in the agent.
    pub(super) fn number(&self, object: ObjectIdx) -> Option<u64> {
        match self {
            Self::Addresses { places, shift } => Some(places.address(object)?.0 >> shift),
            _ => self.id(object).map(|id| id.0),
        }
    }

    /// The id that the agent assigned to an object, if it has one.
    pub(super) fn id(&self, object: ObjectIdx) -> Option<ObjectId> {
        match self {
            Self::Dense { .. } => Some(ObjectId(u64::from(object.0) + 1)),
            Self::Sparse { by_object, .. } => {
                by_object.binary_search_by_key(&object, |entry| entry.0).ok().map(|at| by_object[at].1)
            }
            Self::Addresses { .. } => None,
        }
    }
}
