//! Words for the growth of data structures (AntTracks §3.4).

use super::named::named;

named! {
    /// Patterns of growth (AntTracks §3.4.3, Figure 12).
    pub enum Pattern {
        /// Objects were added, and only this structure keeps them.
        SingleOwnershipContainer = "single-ownership container growth",
        /// Objects were added, and others keep them, too.
        SharedOwnershipContainer = "shared-ownership container growth",
        /// The contents of its elements grew, or became its own alone.
        SingleOwnershipData = "single-ownership data growth",
        /// The contents of its elements grew, and others keep them, too.
        SharedOwnershipData = "shared-ownership data growth",
        /// It takes no part in the growth.
        NonGrowth = "non-growth",
        /// It lost objects; not in the paper.
        Shrinking = "shrinking",
    }
}

named! {
    /// Advice for a structure that grows.
    pub enum Advice {
        /// Elements that are removed here are free.
        RemoveHere = "remove entries here: nothing else keeps them",
        /// The same, but other structures have the same leaves.
        RemoveInAll = "remove entries here and in the structures that have the same leaves",
        /// Elements must be removed from other structures, too.
        RemoveEverywhere = "removing entries here is not enough: other structures keep them, too",
        /// The fields of the leaves grew, or another structure let go of them.
        LookIntoLeaves = "look into the leaves: their fields grew, or another structure let go of them",
        /// Others keep the contents of the leaves, too.
        LookBehindLeaves = "look behind the leaves: what they reach grew, and others keep it, too",
    }
}

named! {
    /// How a structure is known to be the same in two states of a heap.
    pub enum Identity {
        /// It is the same object: a handle held it.
        Handle = "handle",
        /// It is the same object: it bore a mark.
        Mark = "mark",
        /// It is the only structure at this place in both states; the program may have replaced it.
        Path = "path",
        /// Structures at one place, as a group.
        Place = "place",
    }
}

impl Pattern {
    /// All patterns, in the order of the paper's Figure 12.
    pub const ALL: [Self; 6] = [
        Self::SingleOwnershipContainer,
        Self::SharedOwnershipContainer,
        Self::SingleOwnershipData,
        Self::SharedOwnershipData,
        Self::NonGrowth,
        Self::Shrinking,
    ];

    /// What to do about it.
    #[must_use]
    pub fn advice(self) -> Option<Advice> {
        match self {
            Self::SingleOwnershipContainer => Some(Advice::RemoveHere),
            Self::SharedOwnershipContainer => Some(Advice::RemoveEverywhere),
            Self::SingleOwnershipData => Some(Advice::LookIntoLeaves),
            Self::SharedOwnershipData => Some(Advice::LookBehindLeaves),
            Self::NonGrowth | Self::Shrinking => None,
        }
    }

    /// Whether the structure takes part in the growth.
    #[must_use]
    pub fn is_growth(self) -> bool {
        !matches!(self, Self::NonGrowth | Self::Shrinking)
    }
}
