//! Planted objects whose addresses are known from their handles: what a capture by address proves itself with. They
//! refer to each other and to themselves, and to nothing of the program.

use super::jni::{Jni, Local, jni};
use jni_sys::jobject;
use rootbound_wire::graph::{Address, SENTINELS};

/// The planted objects, by their numbers. They go with the local frame that they were made in.
pub struct Sentinels<'j> {
    objects: Vec<Local<'j>>,
}

impl<'j> Sentinels<'j> {
    /// Plants them as [`SENTINELS`] says. `None` when the program has no memory left.
    pub fn plant(jni: &'j Jni) -> Option<Self> {
        let class = jni.find_class(c"java/lang/Object")?;
        let null: jobject = std::ptr::null_mut();
        let mut objects = Vec::with_capacity(2 * SENTINELS as usize);
        for _ in 0..SENTINELS {
            objects.push(made(jni, jni!(jni.env, v1_1.NewObjectArray, 3, class.raw(), null))?);
        }
        for _ in 0..SENTINELS {
            objects.push(made(jni, jni!(jni.env, v1_1.AllocObject, class.raw()))?);
        }
        let planted = Self { objects };
        planted.link(jni)?;
        Some(planted)
    }

    fn link(&self, jni: &Jni) -> Option<()> {
        let (arrays, plain) = self.objects.split_at(SENTINELS as usize);
        for (at, array) in arrays.iter().enumerate() {
            for (slot, referee) in [(0, &arrays[(at + 1) % arrays.len()]), (1, array), (2, &plain[at])] {
                jni!(jni.env, v1_1.SetObjectArrayElement, array.raw(), slot, referee.raw());
                if jni.clear() {
                    return None;
                }
            }
        }
        Some(())
    }

    /// The addresses that their handles hold now, with their numbers. Valid only while the world is stopped; neither
    /// allocates nor calls the JVM.
    pub fn addresses(&self) -> impl Iterator<Item = (u32, Address)> {
        (0..).zip(self.objects.iter().map(Local::address))
    }

    /// An address in the heap, as it was a moment ago: objects move, the heap does not.
    pub fn somewhere(&self) -> Address {
        self.objects.first().map_or(Address(0), Local::address)
    }
}

fn made(jni: &Jni, raw: jobject) -> Option<Local<'_>> {
    if jni.clear() { None } else { jni.adopt(raw) }
}

impl Local<'_> {
    /// The handle's content: the address of its object, while the world is stopped. Neither allocates nor calls the
    /// JVM.
    ///
    /// A JNI handle points to the address of its object; HotSpot keeps the kind of the handle in the lowest bits.
    pub fn address(&self) -> Address {
        const KIND: usize = 3;
        let handle = (self.raw() as usize & !KIND) as *const u64;
        // SAFETY: the handle is a live local reference, and so a slot of this thread's block of handles.
        Address(unsafe { handle.read_volatile() })
    }
}

impl Jni {
    /// The class of an object.
    pub fn class_of_object(&self, object: &Local<'_>) -> Option<Local<'_>> {
        self.adopt(jni!(self.env, v1_1.GetObjectClass, object.raw()))
    }
}
