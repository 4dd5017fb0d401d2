//! A candidate counter in the JVM: the path to its object, its field, and the cells of a striped one. Classes are held
//! weakly, and each object is checked before a field of it is read.

use super::reader::Number;
use crate::jvmti::checked::{FieldHandle, HeldClass, NumberHandle, WeakClass};
use crate::jvmti::env::Env;
use crate::jvmti::jni::{Jni, Local};
use std::cell::OnceCell;

/// More cells than this belong to no counter: the JDK makes at most as many as there are processors, rounded up.
const MOST_CELLS: u32 = 1024;

/// A candidate, resolved.
pub struct LiveCounter {
    /// References to follow from the owner.
    pub way: Vec<LiveField<FieldHandle>>,
    /// The number.
    pub number: LiveField<NumberHandle>,
    /// Further parts of it.
    pub cells: Option<LiveCells>,
}

/// A field and where it may be read.
pub struct LiveField<F> {
    /// The class that declares it.
    pub declaring: WeakClass,
    /// The field.
    pub field: F,
}

/// The cells of a striped counter.
pub struct LiveCells {
    /// The array of cells; the field's type is an array of references.
    array: LiveField<FieldHandle>,
    /// The number field of each, as the first cell shows it; `None` when those are no cells.
    number: OnceCell<Option<LiveField<NumberHandle>>>,
}

impl LiveCells {
    /// The cells behind this field, if there are any.
    pub fn new(array: LiveField<FieldHandle>) -> Self {
        Self { array, number: OnceCell::new() }
    }

    fn number(&self, jni: &Jni, env: &Env, cell: &Local<'_>) -> Option<&LiveField<NumberHandle>> {
        self.number.get_or_init(|| only_number(jni, env, cell)).as_ref()
    }
}

/// The `long` of an object whose class declares nothing else.
fn only_number(jni: &Jni, env: &Env, cell: &Local<'_>) -> Option<LiveField<NumberHandle>> {
    let class = jni.class_of(cell)?;
    let fields = env.declared_fields(&class);
    let mut own = fields.iter().filter(|field| !field.is_static);
    let only = own.next().filter(|field| field.descriptor == "J" && own.next().is_none())?;
    let class = HeldClass::new(env, class);
    let field = class.number_field(env, &only.name, &only.descriptor, false)?;
    Some(LiveField { declaring: class.weaken(jni)?, field })
}

impl LiveCounter {
    /// The number now. Without an environment, only while there are no cells.
    pub fn read(&self, jni: &Jni, env: Option<&Env>, owner: &Local<'_>) -> Option<Number> {
        let Some((first, rest)) = self.way.split_first() else { return self.sum(jni, env, owner) };
        let mut at = first.follow(jni, owner)?;
        for field in rest {
            at = field.follow(jni, &at)?;
        }
        let number = self.sum(jni, env, &at)?;
        Some(Number { reads: number.reads + self.way.len() as u32, ..number })
    }

    fn sum(&self, jni: &Jni, env: Option<&Env>, object: &Local<'_>) -> Option<Number> {
        let base = Number { value: self.number.value(jni, object)?, reads: 1 };
        let Some(cells) = &self.cells else { return Some(base) };
        let class = cells.array.declaring.hold(jni).filter(|class| class.has(jni, object, cells.array.field))?;
        // A striped counter that no two threads met at has no cells.
        let Some(array) = class.read(jni, object, cells.array.field) else { return Some(base) };
        let length = jni.array_length(&array);
        if length > MOST_CELLS {
            return None;
        }
        let mut value = base.value;
        for cell in (0..length).filter_map(|index| jni.element(&array, index)) {
            let number = cells.number(jni, env?, &cell)?;
            value = value.wrapping_add(number.value(jni, &cell).unwrap_or_default());
        }
        Some(Number { value, reads: base.reads + 1 + length })
    }
}

impl LiveField<FieldHandle> {
    fn follow<'j>(&self, jni: &'j Jni, object: &Local<'j>) -> Option<Local<'j>> {
        self.declaring.hold(jni)?.read(jni, object, self.field)
    }
}

impl LiveField<NumberHandle> {
    fn value(&self, jni: &Jni, object: &Local<'_>) -> Option<i64> {
        self.declaring.hold(jni)?.number(jni, object, self.field)
    }
}
