//! The table of relations: the discount of each rule. Evidence and effect of each stand in docs/ranking.md. Figures of
//! the rules stand here, too.
//!
//! A region to which several rules apply is discounted once, by the largest discount.

use crate::naming::named::named;

named! {
    /// Relation of a region to another one, or to several others.
    pub enum Relation {
        /// Both are one structure.
        Same = "same",
        /// It is a piece of the other, which is one structure.
        PartOf = "part of",
        /// It lies in a member of the other.
        InMemberOf = "in a member of",
        /// It is one of many of a kind.
        PopulationOf = "population of",
        /// Its members refer weakly to members of the other.
        KeyedBy = "keyed by",
        /// The other's members are only the arrays that hold its members.
        ChunkOf = "chunk of",
        /// Its members hold the same objects as members of the other.
        SharesWith = "shares with",
        /// One operation adds to both.
        GainedWith = "gained with",
    }
}

named! {
    /// A rule by which a relation is found. Its name is the one in docs/ranking.md.
    pub enum Rule {
        /// Change-proxies of assignable types, or of types with one name, at one owner (Definition 5, footnote).
        AssignableTypes = "assignable types",
        /// The only arrays of the region are a buffer that is followed.
        Buffer = "buffer",
        /// Fingerprint, place and type of change-proxy are those of an earlier capture.
        FoundAgain = "found again",
        /// Fingerprint, types and trend agree.
        OnePlace = "one place",
        /// The owner is a node of a larger structure of such nodes.
        Node = "node",
        /// The owner of one lies on the path to the owner of the other.
        Neighbour = "neighbour",
        /// One of many regions of a kind: with few members each, or more than can be followed.
        Population = "population",
        /// The change-proxies lie in a member of a much larger region.
        Member = "member",
        /// The change-proxy lies in another object of its type, which something else separates from it.
        OwnType = "own type",
        /// The path to the members leads through members of the other, each of which holds no more than before.
        Path = "path",
        /// The other's members keep the objects to which these refer weakly, and both grow alike.
        Keeper = "keeper",
        /// The other's members are arrays, or nodes with an array, and the members are the elements.
        Chunk = "chunk",
        /// One owner holds members of both in the same arrays, keys and values in turns, or in the same elements, and both
        /// grow alike.
        Beside = "beside",
        /// Members of both hold the same objects, each an object of its own, and it gains no more than the other.
        Jointly = "jointly",
        /// Its members are the objects that members of the other hold, and it gains no more than the other.
        Content = "content",
        /// Its members lie within objects that members of the other hold, and each of those holds no more than before.
        Inside = "inside",
        /// It counts the members of the other, whose owner lies below its own, and gains no more than the other.
        Whole = "whole",
        /// The counts of both go together, step by step.
        InStep = "in step",
    }
}

/// A row of the table.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Row {
    /// The rule.
    pub rule: Rule,
    /// Relation that the rule finds.
    pub relation: Relation,
    /// Divisor of the region's rank; 1 for none. "Discount each … by 50 %" (F2 of §3.5).
    pub discount: f64,
}

const fn row(rule: Rule, relation: Relation, discount: f64) -> Row {
    Row { rule, relation, discount }
}

/// All rules, in the order of [`Rule`].
pub const TABLE: [Row; 18] = [
    row(Rule::AssignableTypes, Relation::Same, 1.0),
    row(Rule::Buffer, Relation::Same, 1.0),
    row(Rule::FoundAgain, Relation::Same, 1.0),
    row(Rule::OnePlace, Relation::Same, 1.0),
    row(Rule::Node, Relation::PartOf, 2.0),
    row(Rule::Neighbour, Relation::PartOf, 1.0),
    row(Rule::Population, Relation::PopulationOf, 2.0),
    row(Rule::Member, Relation::InMemberOf, 2.0),
    row(Rule::OwnType, Relation::InMemberOf, 1.0),
    row(Rule::Path, Relation::InMemberOf, 2.0),
    row(Rule::Keeper, Relation::KeyedBy, 2.0),
    row(Rule::Chunk, Relation::ChunkOf, 1.0),
    row(Rule::Beside, Relation::Same, 2.0),
    row(Rule::Jointly, Relation::SharesWith, 2.0),
    row(Rule::Content, Relation::InMemberOf, 2.0),
    row(Rule::Inside, Relation::InMemberOf, 2.0),
    row(Rule::Whole, Relation::Same, 2.0),
    row(Rule::InStep, Relation::GainedWith, 1.0),
];

impl Rule {
    /// Divisor of the rank of a region to which the rule applies.
    #[must_use]
    pub fn discount(self) -> f64 {
        TABLE[self as usize].discount
    }
}

/// The figures of all rules.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Thresholds {
    /// Regions of one kind from which on they may be a population.
    pub population: usize,
    /// Most regions of one kind that can all be followed. More are a population, whatever their sizes.
    pub crowd: usize,
    /// Number of the largest of such a population that are followed alone, too: one of them may be the leak.
    pub largest_of_crowd: usize,
    /// A member of a population with this many times the mean is an exception, and stands alone.
    pub exception: f64,
    /// A region in a member of another stands alone unless the other has this many times its proxy-size.
    pub much_larger: u64,
    /// The same where newness is estimated, and parts of new members seem to have come to old ones by chance. A region
    /// stands in another unless the other is this many times smaller.
    pub much_smaller: u64,
    /// A region with at most this number of change-proxies of a buffer's class and owner is that buffer.
    pub arrays_of_a_buffer: u64,
    /// Share of the change-proxies whose referents one owner keeps from which on it counts as their keeper.
    pub mostly_kept: f64,
    /// Share of the growth of a structure below which some of its members explain nothing of it, and it explains theirs.
    pub minor: f64,
    /// Share by which the inner rate may exceed the one that the outer growth explains.
    pub tolerance: f64,
    /// Sightings, and steps of growth, that two histories must have in common to go in step.
    pub least_common: usize,
    /// Fewer steps may go together by chance: see the tests of `in_step.rs`.
    pub least_steps: f64,
    /// Most members that one step may add, beside one elsewhere.
    pub most_each: f64,
    /// Most steps by which the two may be apart: one that has reached only one of them.
    pub steps_apart: f64,
    /// Fewest steps by which the sizes must differ from steady growth. Two clocks agree, too.
    pub least_unsteady: f64,
    /// Most steps between two sightings in the mean, in roots of all steps: two that gain by themselves are by 1.4 of
    /// these apart.
    pub most_between: f64,
}

/// Figures from the programs of docs/real-programs.md, except where the field names another source.
pub const THRESHOLDS: Thresholds = Thresholds {
    population: 8,
    crowd: 64,
    largest_of_crowd: 16,
    exception: 4.0,
    much_larger: 4,
    much_smaller: 4,
    arrays_of_a_buffer: 4,
    mostly_kept: 0.5,
    minor: 0.5,
    tolerance: 0.25,
    least_common: 8,
    least_steps: 16.0,
    most_each: 8.0,
    steps_apart: 1.0,
    least_unsteady: 2.0,
    most_between: 0.5,
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_rule_has_its_row() {
        for (at, row) in TABLE.iter().enumerate() {
            assert_eq!(row.rule as usize, at, "{}", row.rule);
        }
    }

    #[test]
    fn the_document_states_each_rule_with_its_relation_and_discount() {
        let page = include_str!("../../../docs/ranking.md");
        for row in &TABLE {
            let line = page.lines().find(|line| line.starts_with(&format!("| {} |", row.rule)));
            let cells: Vec<&str> = line.map(|line| line.split(" | ").collect()).unwrap_or_default();
            let discount = row.discount.to_string();
            let stated = (cells.get(1).copied(), cells.get(3).copied());
            assert_eq!(stated, (Some(row.relation.name()), Some(discount.as_str())), "{}: {cells:?}", row.rule);
        }
    }
}
