//! From the ids of records to the indexes of columns, with errors that name the record of an unknown id.

use super::class::{Class, ClassIdx, Classes};
use super::fields::{self, Declared};
use super::object_ids::ObjectIds;
use super::references::Label;
use super::roots::{Root, RootKind, Thread, ThreadIdx};
use super::{HeapError, ObjectIdx};
use rootbound_wire::ids::{MethodId, ObjectId};
use rootbound_wire::message::{self as wire, ClassRecord, MethodRecord, ThreadRecord};
use std::collections::HashMap;
use std::sync::Arc;

/// Ids to indexes, with errors that name the record of an unknown id.
pub(super) struct Lookup<'a> {
    pub(super) ids: &'a ObjectIds,
}

impl Lookup<'_> {
    pub(super) fn find(&self, what: &'static str, id: ObjectId) -> Result<ObjectIdx, HeapError> {
        self.ids.index(id).ok_or(HeapError::Unknown { what, id: id.0 })
    }

    pub(super) fn resolve_references(&self, references: &mut [(ObjectIdx, ObjectIdx, Label)]) -> Result<(), HeapError> {
        for (referrer, referee, _) in references {
            *referrer = self.find("reference", ObjectId(u64::from(referrer.0)))?;
            *referee = self.find("reference", ObjectId(u64::from(referee.0)))?;
        }
        Ok(())
    }

    /// The classes. Class 0 is the unknown class; the others follow in the order of their records.
    pub(super) fn classes(&self, records: &[ClassRecord]) -> Result<Classes, HeapError> {
        let mut by_mirror = HashMap::with_capacity(records.len());
        for (record, at) in records.iter().zip(1u32..) {
            by_mirror.insert(self.find("class", record.object)?, ClassIdx(at));
        }
        let class_at = |id: ObjectId| self.ids.index(id).and_then(|mirror| by_mirror.get(&mirror).copied());
        let declared: Vec<Declared> = std::iter::once(Declared::nothing())
            .chain(records.iter().map(|record| Declared {
                superclass: record.superclass.and_then(class_at),
                interfaces: record.interfaces.iter().copied().filter_map(class_at).collect(),
                is_interface: record.is_interface,
                fields: record.fields.clone(),
            }))
            .collect();
        let mut numbered = fields::number_fields(&declared).into_iter();
        let mut all = vec![Class::unknown()];
        numbered.next();
        for ((record, declared), fields) in records.iter().zip(&declared[1..]).zip(numbered) {
            all.push(Class {
                name: record.name.clone(),
                mirror: Some(self.find("class", record.object)?),
                loader: record.loader.map(|loader| self.find("class loader", loader)).transpose()?,
                superclass: declared.superclass,
                fields,
            });
        }
        Ok(Classes { all, by_mirror })
    }

    /// The class of each object: from its record, or from its reference to its mirror.
    pub(super) fn class_of_objects(
        &self,
        classes: &Classes,
        class_ids: &[u32],
        references: &[(ObjectIdx, ObjectIdx, Label)],
    ) -> Result<Vec<ClassIdx>, HeapError> {
        let mut class_of = Vec::with_capacity(class_ids.len());
        for &id in class_ids {
            let mirror = if id == 0 { None } else { Some(self.find("class of an object", ObjectId(u64::from(id)))?) };
            class_of.push(mirror.and_then(|mirror| classes.of_mirror(mirror)).unwrap_or(ClassIdx(0)));
        }
        // The JVM reports no such reference for mirrors.
        let class_of_mirrors = classes.of_mirrors();
        for mirror in classes.all.iter().filter_map(|class| class.mirror) {
            class_of[mirror.at()] = class_of_mirrors;
        }
        for (referrer, referee, _) in references.iter().filter(|reference| reference.2 == Label::CLASS) {
            let class = &mut class_of[referrer.at()];
            if *class == ClassIdx(0) {
                *class = classes.of_mirror(*referee).unwrap_or(ClassIdx(0));
            }
        }
        Ok(class_of)
    }

    pub(super) fn threads(&self, records: Vec<ThreadRecord>) -> Result<Vec<Thread>, HeapError> {
        records
            .into_iter()
            .map(|record| Ok(Thread { object: self.find("thread", record.object)?, name: record.name }))
            .collect()
    }

    pub(super) fn roots(
        &self,
        objects: impl Iterator<Item = Result<(ObjectIdx, wire::RootKind), HeapError>>,
        threads: &[Thread],
        methods: &[MethodRecord],
    ) -> Result<Vec<Root>, HeapError> {
        let methods: HashMap<MethodId, Arc<str>> =
            methods.iter().map(|method| (method.id, Arc::from(method.name.as_str()))).collect();
        let thread_at: HashMap<ObjectIdx, ThreadIdx> =
            threads.iter().zip(0..).map(|(thread, at)| (thread.object, ThreadIdx(at))).collect();
        let thread =
            |id: Option<ObjectId>| id.and_then(|id| self.ids.index(id)).and_then(|o| thread_at.get(&o).copied());
        let mut roots = Vec::new();
        for root in objects {
            let (object, kind) = root?;
            let (kind, thread, depth, method) = match kind {
                wire::RootKind::StackLocal { thread: id, depth, method } => {
                    (RootKind::OnStack, thread(id), depth, method.and_then(|id| methods.get(&id).cloned()))
                }
                wire::RootKind::JniLocal { thread: id, depth } => (RootKind::OnStack, thread(id), depth, None),
                wire::RootKind::SystemClass => (RootKind::Class, None, 0, None),
                wire::RootKind::JniGlobal => (RootKind::JniGlobal, None, 0, None),
                wire::RootKind::Monitor => (RootKind::Monitor, None, 0, None),
                wire::RootKind::Thread => (RootKind::Thread, None, 0, None),
                wire::RootKind::Other => (RootKind::Other, None, 0, None),
            };
            roots.push(Root { object, kind, thread, method, depth });
        }
        Ok(roots)
    }
}

impl Declared {
    fn nothing() -> Self {
        Self { superclass: None, interfaces: Vec::new(), is_interface: false, fields: Vec::new() }
    }
}
