//! Java arrays that pass between our own Java library and its natives: arguments are read, results are made. Arrays of
//! the program are read in [`super::checked`].

use super::jni::{Jni, Local, jni};
use jni_sys::{jint, jlong, jobject};
use std::ffi::CStr;

/// An argument of a native method, or null. The JVM owns the reference.
#[derive(Clone, Copy)]
pub struct Argument(pub(super) jobject);

impl Argument {
    /// Whether it is null.
    pub fn is_null(self) -> bool {
        self.0.is_null()
    }
}

impl Jni {
    /// A reference of our own to an argument; `None` for null, and where the JVM has no room.
    pub fn own(&self, argument: Argument) -> Option<Local<'_>> {
        if argument.is_null() { None } else { self.adopt(jni!(self.env, v1_2.NewLocalRef, argument.0)) }
    }

    fn length(&self, array: Argument) -> jint {
        if array.is_null() { 0 } else { jni!(self.env, v1_1.GetArrayLength, array.0) }
    }

    /// The elements of an array of references, without those that are null; none of null.
    pub fn elements(&self, array: Argument) -> Vec<Local<'_>> {
        let element = |at| self.adopt(jni!(self.env, v1_1.GetObjectArrayElement, array.0, at));
        (0..self.length(array)).filter_map(element).collect()
    }

    /// Sets every element of an array of references to null.
    pub fn empty(&self, array: Argument) {
        for at in 0..self.length(array) {
            jni!(self.env, v1_1.SetObjectArrayElement, array.0, at, std::ptr::null_mut());
        }
    }

    /// The contents of a `byte[]`; empty for null.
    pub fn bytes(&self, array: Argument) -> Vec<u8> {
        let length = self.length(array);
        let mut bytes = vec![0_u8; length as usize];
        if length > 0 {
            jni!(self.env, v1_1.GetByteArrayRegion, array.0, 0, length, bytes.as_mut_ptr().cast());
        }
        bytes
    }

    /// A new array of this class with these elements; `None` when the program has no memory left.
    pub(super) fn object_array<'j>(&'j self, class: &CStr, elements: &[Option<&Local<'_>>]) -> Option<Local<'j>> {
        let class = self.find_class(class)?;
        let length = jint::try_from(elements.len()).ok()?;
        let array = jni!(self.env, v1_1.NewObjectArray, length, class.raw(), std::ptr::null_mut());
        let array = if self.clear() { None } else { self.adopt(array) }?;
        for (at, element) in (0..).zip(elements) {
            let element = element.map_or(std::ptr::null_mut(), Local::raw);
            jni!(self.env, v1_1.SetObjectArrayElement, array.raw(), at, element);
        }
        if self.clear() { None } else { Some(array) }
    }

    /// A new `long[]`; `None` when the program has no memory left.
    pub(super) fn long_array(&self, numbers: &[jlong]) -> Option<Local<'_>> {
        let length = jint::try_from(numbers.len()).ok()?;
        let array = jni!(self.env, v1_1.NewLongArray, length);
        let array = if self.clear() { None } else { self.adopt(array) }?;
        jni!(self.env, v1_1.SetLongArrayRegion, array.raw(), 0, length, numbers.as_ptr());
        Some(array)
    }
}
