//! Shallow sizes of instances and mirrors.

use super::class_dump::{ClassDump, StaticField};
use super::classes::Building;
use super::layout::Declared;
use super::walk::width;

/// A field that `java.lang.Class` has since JDK 15, which also introduced a new layout of fields.
const FIELD_SINCE_15: &str = "classData";

/// The facts on which the sizes of all classes depend.
pub(super) struct Sizes {
    /// Whether sizes in the dump lack headers: then `java.lang.Object` has a size of 0.
    leaves_headers_out: bool,
    /// Shallow size of a mirror without static fields.
    pub(super) mirror_bytes: u32,
}

impl Sizes {
    /// Determines how the JVM lays fields out.
    pub(super) fn new(building: &mut Building<'_>) -> Self {
        let class_place = building.done.class_of_mirrors.at();
        let class = building.dump_of(class_place);
        let mut names =
            class.iter().flat_map(|class| class.fields.iter().map(|field| building.given.texts.get(field.0)));
        let fills_gaps = names.any(|name| name == FIELD_SINCE_15);
        building.done.layout.fills_gaps = fills_gaps;
        let mut sizes = Self { leaves_headers_out: leaves_headers_out(building), mirror_bytes: 0 };
        if let Some(class) = class {
            let chain = building.chain(class_place);
            sizes.mirror_bytes = sizes.instance(building, class, &chain);
        }
        sizes
    }

    /// Size of an instance as the dump states it; if that lacks headers, as layout and addresses give it.
    pub(super) fn instance(&self, building: &Building<'_>, dump: &ClassDump, chain: &[usize]) -> u32 {
        if !self.leaves_headers_out {
            return dump.instance_bytes;
        }
        let of_fields = |chain: &[usize]| {
            let fields = |&at: &usize| declared(building.declared(at).iter().map(|field| field.1));
            building.done.layout.bytes(chain.iter().rev().map(fields))
        };
        // Evidence about a superclass holds for its subclasses, too.
        let hidden = (0..chain.len()).find_map(|from| {
            let gap = building.dump_of(chain[from]).and_then(|dump| building.given.evidence.gap(dump.id))?;
            building.done.layout.hidden(of_fields(&chain[from..]), gap, building.given.evidence.is_ordered())
        });
        let bytes = of_fields(chain).saturating_add_signed(hidden.unwrap_or(0));
        let most = building.given.evidence.gap(dump.id).map_or(u64::MAX, |gap| gap.least);
        bytes.min(most) as u32
    }

    /// Size of an instance of `java.lang.Class` with the static fields behind it.
    pub(super) fn mirror(&self, building: &Building<'_>, dump: &ClassDump) -> u32 {
        // `<resolved_references>` and the like are no fields.
        let is_field = |field: &&StaticField| !building.given.texts.get(field.name).starts_with('<');
        let statics = declared(dump.statics.iter().filter(is_field).map(|field| field.kind));
        let layout = &building.done.layout;
        layout.behind(u64::from(self.mirror_bytes), statics) as u32
    }
}

/// Whether the dump's sizes of instances contain only their fields.
fn leaves_headers_out(building: &Building<'_>) -> bool {
    let objects = building.done.outlined.iter().position(|class| class.class.name == "java.lang.Object");
    match objects.and_then(|at| building.dump_of(at)) {
        Some(object) => object.instance_bytes == 0,
        // A dump without that class was not written by a JVM; a class smaller than a header is then the proof.
        None => building.given.dumps.iter().any(|class| (1..8).contains(&class.instance_bytes)),
    }
}

fn declared(kinds: impl Iterator<Item = u8>) -> Declared {
    let mut declared = Declared::default();
    for kind in kinds {
        match width(kind) {
            None => declared.references += 1,
            Some(bytes) => declared.primitives[bytes.trailing_zeros() as usize] += 1,
        }
    }
    declared
}
