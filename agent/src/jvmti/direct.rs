//! Bytes that direct buffers have reserved: the one number by which `java.nio` bounds them. The management beans have
//! the same, but the first read of them loads 343 to 415 classes (JDK 11 to 25) into a program that may never have used
//! them; this loads four, and none where direct buffers are in use.

use super::checked::HeldClass;
use super::env::Env;
use super::jni::{Jni, jni};

/// The class that counts, and its field since JDK 10.
const COUNTING: &std::ffi::CStr = c"java/nio/Bits";
const RESERVED: &str = "RESERVED_MEMORY";

impl Jni {
    /// Reserved bytes; `None` where the JDK keeps them elsewhere.
    pub fn direct_bytes(&self, env: &Env) -> Option<u64> {
        let class = self.find_class(COUNTING)?;
        let field = env.declared_fields(&class).into_iter().find(|field| field.is_static && field.name == RESERVED)?;
        let class = HeldClass::new(env, class);
        let mirror = class.mirror();
        let field = class.reference_field(self, env, mirror, (RESERVED, &field.descriptor, true))?;
        let counter = class.read(self, mirror, field)?;
        let kind = self.adopt(jni!(self.env, v1_1.GetObjectClass, counter.raw()))?;
        let value = jni!(self.env, v1_1.GetMethodID, kind.raw(), c"longValue".as_ptr(), c"()J".as_ptr());
        if self.clear() || value.is_null() {
            return None;
        }
        let bytes = jni!(self.env, v1_1.CallLongMethodA, counter.raw(), value, std::ptr::null());
        if self.clear() { None } else { u64::try_from(bytes).ok() }
    }
}
