//! The table of relations: evidence, discount and effect of each rule. Figures of the rules stand here, too.
//!
//! A region to which several rules apply is discounted once, by the largest discount.

use std::fmt;

/// Relation of a region to another one, or to several others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// Both are one structure.
    Same,
    /// It is a piece of the other, which is one structure.
    PartOf,
    /// It lies in a member of the other.
    InMemberOf,
    /// It is one of many of a kind.
    PopulationOf,
    /// Its members refer weakly to members of the other.
    KeyedBy,
    /// The other's members are only the arrays that hold its members.
    ChunkOf,
}

/// Evidence for a relation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Evidence {
    /// Dominators and types of one capture.
    Heap,
    /// Typed paths: they outlive a capture.
    Paths,
    /// Typed paths, and sizes over time.
    Growth,
}

/// Consequence of a relation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Both are one region.
    OneRegion,
    /// Both are one row of the report, with the sum of their rates.
    OneRow,
    /// It stays a region of its own next to the other.
    Separate,
    /// It is not followed.
    NotFollowed,
    /// It is followed if few others of its standing are.
    FewFollowed,
    /// It is no problem if it cannot be followed.
    NotMissed,
    /// The other's growth explains its growth: it is no grower of its own.
    Explained,
    /// The other's growth does not explain its growth.
    Unexplained,
}

/// A rule by which a relation is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rule {
    /// Change-proxies of assignable types, or of types with one name, at one owner (Definition 5, footnote).
    AssignableTypes,
    /// The only arrays of the region are a buffer that is followed.
    Buffer,
    /// Fingerprint, place and type of change-proxy are those of an earlier capture.
    FoundAgain,
    /// Fingerprint, types and trend agree.
    OnePlace,
    /// The owner is a node of a larger structure of such nodes.
    Node,
    /// The owner of one lies on the path to the owner of the other.
    Neighbour,
    /// One of many regions of a kind with few members each.
    Population,
    /// The change-proxies lie in a member of a much larger region.
    Member,
    /// The change-proxy lies in another object of its type, which something else separates from it.
    OwnType,
    /// The path to the members leads through members of the other, each of which holds no more than before.
    Path,
    /// The other's members keep the objects to which these refer weakly, and both grow alike.
    Keeper,
    /// The other's members are arrays, or nodes with an array, and the members are the elements.
    Chunk,
}

/// A row of the table.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Row {
    /// The rule.
    pub rule: Rule,
    /// Relation that the rule finds.
    pub relation: Relation,
    /// Evidence that the rule needs.
    pub evidence: Evidence,
    /// Divisor of the region's rank; 1 for none. "Discount each … by 50 %" (F2 of §3.5).
    pub discount: f64,
    /// Consequence.
    pub effect: Effect,
}

const fn row(rule: Rule, relation: Relation, evidence: Evidence, discount: f64, effect: Effect) -> Row {
    Row { rule, relation, evidence, discount, effect }
}

/// All rules, in the order of [`Rule`].
pub const TABLE: [Row; 12] = [
    row(Rule::AssignableTypes, Relation::Same, Evidence::Heap, 1.0, Effect::OneRegion),
    row(Rule::Buffer, Relation::Same, Evidence::Heap, 1.0, Effect::OneRegion),
    row(Rule::FoundAgain, Relation::Same, Evidence::Paths, 1.0, Effect::OneRegion),
    row(Rule::OnePlace, Relation::Same, Evidence::Growth, 1.0, Effect::OneRow),
    row(Rule::Node, Relation::PartOf, Evidence::Heap, 2.0, Effect::NotFollowed),
    row(Rule::Neighbour, Relation::PartOf, Evidence::Paths, 1.0, Effect::NotMissed),
    row(Rule::Population, Relation::PopulationOf, Evidence::Heap, 2.0, Effect::NotFollowed),
    row(Rule::Member, Relation::InMemberOf, Evidence::Heap, 2.0, Effect::FewFollowed),
    row(Rule::OwnType, Relation::InMemberOf, Evidence::Heap, 1.0, Effect::Separate),
    row(Rule::Path, Relation::InMemberOf, Evidence::Growth, 2.0, Effect::Explained),
    row(Rule::Keeper, Relation::KeyedBy, Evidence::Growth, 2.0, Effect::Explained),
    row(Rule::Chunk, Relation::ChunkOf, Evidence::Paths, 1.0, Effect::Unexplained),
];

impl Rule {
    /// The row of the rule.
    #[must_use]
    pub fn row(self) -> &'static Row {
        &TABLE[self as usize]
    }

    /// Divisor of the rank of a region to which the rule applies.
    #[must_use]
    pub fn discount(self) -> f64 {
        self.row().discount
    }
}

/// The rule's name in the documents: `assignable types`.
impl fmt::Display for Rule {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::AssignableTypes => "assignable types",
            Self::Buffer => "buffer",
            Self::FoundAgain => "found again",
            Self::OnePlace => "one place",
            Self::Node => "node",
            Self::Neighbour => "neighbour",
            Self::Population => "population",
            Self::Member => "member",
            Self::OwnType => "own type",
            Self::Path => "path",
            Self::Keeper => "keeper",
            Self::Chunk => "chunk",
        })
    }
}

/// The figures of all rules.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Thresholds {
    /// Regions of one kind from which on they may be a population.
    pub population: usize,
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
    /// Share by which the inner rate may exceed the one that the outer growth explains.
    pub tolerance: f64,
}

/// Figures from the programs of docs/real-programs.md, except where the field names another source.
pub const THRESHOLDS: Thresholds = Thresholds {
    population: 8,
    exception: 4.0,
    much_larger: 4,
    much_smaller: 4,
    arrays_of_a_buffer: 4,
    mostly_kept: 0.5,
    tolerance: 0.25,
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_rule_has_its_row() {
        for (at, row) in TABLE.iter().enumerate() {
            assert_eq!((row.rule as usize, row.rule.row()), (at, row));
        }
    }

    #[test]
    fn the_document_states_each_rule_with_its_discount() {
        let page = include_str!("../../../docs/ranking.md");
        for row in &TABLE {
            let line = page.lines().find(|line| line.starts_with(&format!("| {} |", row.rule)));
            let cells: Vec<&str> = line.map(|line| line.split(" | ").collect()).unwrap_or_default();
            assert_eq!(cells.get(3), Some(&row.discount.to_string().as_str()), "{}: {cells:?}", row.rule);
        }
    }

    #[test]
    fn only_rules_on_one_structure_or_on_other_growth_discount_a_rank() {
        let discounting = |row: &&Row| row.discount > 1.0;
        let effects: Vec<Effect> = TABLE.iter().filter(discounting).map(|row| row.effect).collect();
        let lowered = [Effect::NotFollowed, Effect::FewFollowed, Effect::Explained];
        assert!(effects.iter().all(|effect| lowered.contains(effect)), "{effects:?}");
        assert!(TABLE.iter().all(|row| row.discount > 1.0 || !lowered.contains(&row.effect)));
    }
}
