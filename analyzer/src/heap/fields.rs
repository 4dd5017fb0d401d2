//! JVMTI numbers the fields of a class over its interfaces, superclasses and itself (JVMTI specification, *heap
//! reference info: field*). This file turns the declared fields of all classes into that numbering.

use super::class::{ClassIdx, Field};
use rootbound_wire::message::FieldRecord;

/// The facts about one class that numbering needs.
pub(super) struct Declared {
    pub(super) superclass: Option<ClassIdx>,
    pub(super) interfaces: Vec<ClassIdx>,
    pub(super) is_interface: bool,
    /// Fields in `GetClassFields` order.
    pub(super) fields: Vec<FieldRecord>,
}

/// The fields of each class by JVMTI index. Interfaces' fields occupy indexes, yet only static ones of the mirror's
/// own class and instance ones of superclasses are ever reported through them.
pub(super) fn number_fields(declared: &[Declared]) -> Vec<Vec<Field>> {
    (0..declared.len() as u32).map(|at| number_one(declared, ClassIdx(at))).collect()
}

fn number_one(declared: &[Declared], class: ClassIdx) -> Vec<Field> {
    let superclasses = superclasses_from_the_top(declared, class);
    let mut fields = Vec::new();
    for interface in interfaces_of(declared, class, &superclasses) {
        append_declared(declared, interface, &mut fields);
    }
    if declared[class.at()].is_interface {
        append_declared(declared, class, &mut fields);
    } else {
        for each in superclasses {
            append_declared(declared, each, &mut fields);
        }
    }
    fields
}

/// The superclasses from `java.lang.Object` down to `class` itself. A circular chain (invalid bytes) is cut.
fn superclasses_from_the_top(declared: &[Declared], class: ClassIdx) -> Vec<ClassIdx> {
    let mut chain = vec![class];
    while let Some(next) = declared[chain[chain.len() - 1].at()].superclass {
        if chain.contains(&next) {
            break;
        }
        chain.push(next);
    }
    chain.reverse();
    chain
}

/// Every interface that the class implements, directly or not, each once; not the class itself. The order among
/// interfaces does not matter here. Only the number of their fields precedes the classes' own numbering. Interface
/// fields themselves are reported by their own mirror under its own numbering.
fn interfaces_of(declared: &[Declared], class: ClassIdx, superclasses: &[ClassIdx]) -> Vec<ClassIdx> {
    let mut found = Vec::new();
    let mut pending: Vec<ClassIdx> =
        superclasses.iter().flat_map(|each| declared[each.at()].interfaces.iter().copied()).collect();
    while let Some(interface) = pending.pop() {
        if interface != class && !found.contains(&interface) {
            found.push(interface);
            pending.extend(declared[interface.at()].interfaces.iter().copied());
        }
    }
    found
}

fn append_declared(declared: &[Declared], class: ClassIdx, fields: &mut Vec<Field>) {
    let own = declared[class.at()].fields.iter().map(|field| Field {
        name: field.name.clone(),
        descriptor: field.descriptor.clone(),
        declaring: class,
        is_static: field.is_static,
        is_final: field.is_final,
    });
    fields.extend(own);
}
