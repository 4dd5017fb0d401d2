//! The JVM as a reader of paths: classes held, fields resolved once, every read checked before it is made. Reads
//! references only.

use super::named::{Named, Wanted};
use super::path::PathReader;
use crate::jvmti::checked::{FieldHandle, HeldClass};
use crate::jvmti::classes::DeclaredField;
use crate::jvmti::env::Env;
use crate::jvmti::jni::{Jni, Local};
use rootbound_wire::ids::ObjectId;
use rootbound_wire::message::{MarkPlan, PathField, PathVia};
use std::collections::HashMap;

/// The names in a plan.
pub fn wanted(plan: &MarkPlan) -> Wanted {
    let threads = plan.steps.iter().filter_map(|step| match step.via {
        PathVia::Thread(thread) => Some(thread),
        _ => None,
    });
    let class = |class: u32| plan.classes.get(class as usize).copied();
    let unique =
        plan.steps.iter().filter_map(|step| if let PathVia::OnlyInstance(at) = step.via { class(at) } else { None });
    let locals = plan.steps.iter().filter_map(|step| match step.via {
        PathVia::Local { class: at, .. } => class(at),
        _ => None,
    });
    Wanted {
        ids: plan.classes.iter().copied().chain(threads).collect(),
        unique: unique.collect(),
        locals: locals.collect(),
        ..Wanted::default()
    }
}

/// Reads along the paths of one plan, every index of which was checked.
pub struct LivePaths<'a, 'j> {
    jni: &'j Jni,
    named: &'a Named<'j>,
    ids: &'a [ObjectId],
    /// By the plan's index; `None` for those that have been unloaded.
    classes: Vec<Option<HeldClass<&'a Local<'j>>>>,
    /// By the plan's index; `None` for those that there are not, and for what is no reference.
    fields: Vec<Option<PlanField>>,
}

struct PlanField {
    /// The plan's index of the class that declares it.
    declaring: u32,
    handle: FieldHandle,
}

impl<'a, 'j> LivePaths<'a, 'j> {
    /// Resolves what the plan names.
    pub fn new(jni: &'j Jni, env: &Env, named: &'a Named<'j>, plan: &'a MarkPlan) -> Self {
        let class = |&id: &ObjectId| Some(HeldClass::new(env, named.id(id)?));
        let classes: Vec<Option<HeldClass<&Local<'j>>>> = plan.classes.iter().map(class).collect();
        let mut handles = Handles::default();
        let field = |field: &PathField| {
            let declaring = classes[field.declaring as usize].as_ref()?;
            Some(PlanField { declaring: field.declaring, handle: handles.of(env, declaring, field)? })
        };
        let fields = plan.fields.iter().map(field).collect();
        Self { jni, named, ids: &plan.classes, classes, fields }
    }
}

/// A field by name, descriptor and whether it is static.
type FieldName = (String, String, bool);

/// The fields of the classes met so far. Generated classes declare thousands, and plans name them all.
#[derive(Default)]
struct Handles {
    of_class: HashMap<u32, HashMap<FieldName, FieldHandle>>,
}

impl Handles {
    fn of(&mut self, env: &Env, declaring: &HeldClass<&Local<'_>>, field: &PathField) -> Option<FieldHandle> {
        let all = self.of_class.entry(field.declaring).or_insert_with(|| {
            let named = |(found, handle): (DeclaredField, FieldHandle)| {
                ((found.name, found.descriptor, found.is_static), handle)
            };
            declaring.reference_fields(env).into_iter().map(named).collect()
        });
        all.get(&(field.name.clone(), field.descriptor.clone(), field.is_static)).copied()
    }
}

impl<'j> PathReader for LivePaths<'_, 'j> {
    type Ref = Local<'j>;

    fn begin(&self, via: PathVia) -> Option<Local<'j>> {
        let object = match via {
            PathVia::Class(class) => self.classes[class as usize].as_ref()?.mirror(),
            PathVia::Thread(thread) => self.named.id(thread)?,
            PathVia::OnlyInstance(class) => self.named.sole(self.ids[class as usize])?,
            PathVia::Local { class, nth, of } => self.named.local(self.ids[class as usize], nth, of)?,
            PathVia::Field { .. } | PathVia::Element(_) => return None,
        };
        self.jni.duplicate(object)
    }

    fn field(&self, field: u32, object: &Local<'j>) -> Option<Local<'j>> {
        let field = self.fields[field as usize].as_ref()?;
        self.classes[field.declaring as usize].as_ref()?.read(self.jni, object, field.handle)
    }

    fn element(&self, class: u32, array: &Local<'j>, index: u32) -> Option<Local<'j>> {
        let class = self.classes[class as usize].as_ref()?;
        let has_slot = class.admits(self.jni, array) && index < self.jni.array_length(array);
        if has_slot { self.jni.element(array, index) } else { None }
    }

    fn is_exactly(&self, class: u32, object: &Local<'j>) -> bool {
        self.classes[class as usize].as_ref().is_some_and(|class| self.jni.is_exactly(object, class.mirror()))
    }
}
