//! One JVMTI environment. It owns its tags: disposing it clears them all together. Runs no Java code.

use super::abi::{self, Capabilities, RawEnv};
use super::functions::jvmti;
use super::jni::{Jni, Local, Vm};
use jni_sys::{jint, jlong, jobject};
use std::ffi::{CStr, CString, c_char, c_void};

/// An error code of JVMTI.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("JVMTI {function} failed with error {code}")]
pub struct JvmtiError {
    /// Its name, or its purpose.
    pub function: &'static str,
    /// `jvmtiError`.
    pub code: jint,
}

/// `JVMTI_ERROR_NOT_AVAILABLE`.
pub const NOT_AVAILABLE: jint = 98;

impl JvmtiError {
    /// `None` for the code where the table has no such function.
    pub(super) fn of(function: &'static str, code: Option<jint>) -> Self {
        Self { function, code: code.unwrap_or(NOT_AVAILABLE) }
    }
}

/// A JVMTI environment; disposed when dropped.
pub struct Env {
    pub(super) raw: RawEnv,
}

// SAFETY: JVMTI environments may be used from any thread.
unsafe impl Send for Env {}
// SAFETY: as above; every function synchronises inside the JVM.
unsafe impl Sync for Env {}

impl Env {
    /// A new environment with no capabilities.
    ///
    /// # Errors
    /// When the JVM offers no JVMTI 1.2.
    pub fn new(vm: Vm) -> Result<Self, JvmtiError> {
        Self::of_version(vm, abi::VERSION)
    }

    pub(super) fn of_version(vm: Vm, version: jint) -> Result<Self, JvmtiError> {
        let mut raw: *mut c_void = std::ptr::null_mut();
        let code = vm.get_env(&mut raw, version);
        if code != 0 || raw.is_null() {
            return Err(JvmtiError { function: "GetEnv", code });
        }
        Ok(Self { raw: raw.cast() })
    }

    /// An environment that can tag objects.
    ///
    /// # Errors
    /// When the JVM refuses.
    pub fn tagging(vm: Vm) -> Result<Self, JvmtiError> {
        let env = Self::new(vm)?;
        env.add_capability(abi::CAN_TAG_OBJECTS_BIT)?;
        Ok(env)
    }

    /// Asks for one capability by its bit.
    ///
    /// # Errors
    /// When the JVM refuses it.
    pub fn add_capability(&self, bit: usize) -> Result<(), JvmtiError> {
        let mut wanted: Capabilities = [0; 4];
        wanted[bit / 32] = 1 << (bit % 32);
        jvmti!(self.raw, AddCapabilities(&wanted))
    }

    /// A system property of the JVM, read without running Java code.
    pub fn system_property(&self, name: &str) -> Option<String> {
        let name = CString::new(name).ok()?;
        let mut value: *mut c_char = std::ptr::null_mut();
        jvmti!(self.raw, GetSystemProperty(name.as_ptr(), &mut value)).ok()?;
        Some(self.take_text(value))
    }

    /// Sets a tag on `object`; 0 removes it.
    ///
    /// # Errors
    /// When JVMTI refuses.
    pub fn set_tag(&self, object: &Local<'_>, tag: i64) -> Result<(), JvmtiError> {
        jvmti!(self.raw, SetTag(object.raw(), tag))
    }

    /// The object's tag; 0 when it has none.
    pub fn tag(&self, object: &Local<'_>) -> i64 {
        let mut tag = 0;
        match jvmti!(self.raw, GetTag(object.raw(), &mut tag)) {
            Ok(()) => tag,
            Err(_) => 0,
        }
    }

    /// Has the JVM collect all of its garbage, whatever its options say of `System.gc`. Returns when it has.
    ///
    /// # Errors
    /// When JVMTI refuses.
    pub fn collect(&self) -> Result<(), JvmtiError> {
        jvmti!(self.raw, ForceGarbageCollection())
    }

    /// The live objects that bear one of `tags`. Scans the whole tag table: never call it in a loop.
    ///
    /// # Errors
    /// When JVMTI refuses.
    pub fn objects_with_tags<'j>(&self, jni: &'j Jni, tags: &[i64]) -> Result<Vec<(i64, Local<'j>)>, JvmtiError> {
        if tags.is_empty() {
            return Ok(Vec::new());
        }
        let (mut count, mut objects, mut found) = (0, std::ptr::null_mut(), std::ptr::null_mut());
        jvmti!(self.raw, GetObjectsWithTags(tags.len() as jint, tags.as_ptr(), &mut count, &mut objects, &mut found))?;
        let objects = self.take_array::<jobject>(objects, count);
        let found = self.take_array::<jlong>(found, count);
        Ok(found
            .into_iter()
            .zip(objects.into_iter().map(|raw| jni.adopt(raw)))
            .filter_map(|(t, o)| Some((t, o?)))
            .collect())
    }

    /// Copies an array that JVMTI allocated, and frees it.
    pub(super) fn take_array<T: Copy>(&self, array: *mut T, count: jint) -> Vec<T> {
        if array.is_null() {
            return Vec::new();
        }
        // SAFETY: JVMTI filled `count` elements; they are copied before the memory is given back.
        let copy = unsafe { std::slice::from_raw_parts(array, count.max(0) as usize) }.to_vec();
        self.deallocate(array.cast());
        copy
    }

    /// Copies a text that JVMTI allocated, and frees it. Modified UTF-8 is read leniently.
    pub(super) fn take_text(&self, text: *mut c_char) -> String {
        if text.is_null() {
            return String::new();
        }
        // SAFETY: JVMTI returns zero-terminated text; it is copied before the memory is given back.
        let copy = unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned();
        self.deallocate(text.cast());
        copy
    }

    pub(super) fn deallocate(&self, memory: *mut u8) {
        // Only fails for memory that is not JVMTI's; there is nothing to do about it.
        let _freed = jvmti!(self.raw, Deallocate(memory));
    }
}

impl Drop for Env {
    fn drop(&mut self) {
        // Fails for an environment that is not valid alone; this one is, and it has no other owner.
        let _disposed = jvmti!(self.raw, DisposeEnvironment());
    }
}
