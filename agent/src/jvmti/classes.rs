//! Facts from JVMTI about classes, fields, methods and threads: names and kinds only, never a value of the program.

use super::abi::ThreadInfo;
use super::env::{Env, JvmtiError};
use super::functions::jvmti;
use super::jni::{Jni, Local};
use jni_sys::{jfieldID, jint, jmethodID, jobject};
use std::ffi::{c_char, c_void};

const ACC_STATIC: jint = 0x8;
const ACC_FINAL: jint = 0x10;

/// A declared field.
pub struct DeclaredField {
    /// Name.
    pub name: String,
    /// JVM descriptor.
    pub descriptor: String,
    /// Static or not.
    pub is_static: bool,
    /// Whether it is final.
    pub is_final: bool,
}

/// JVMTI makes one local reference for each class or thread; the room is only a promise, no memory is taken for it.
pub(super) const ROOM: usize = 60_000;

impl Env {
    /// Every loaded class, each handed to `visit` as a local reference that ends right after.
    ///
    /// # Errors
    /// When JVMTI refuses.
    pub fn for_each_class(&self, jni: &Jni, mut visit: impl FnMut(&Local<'_>)) -> Result<(), JvmtiError> {
        jni.frame(ROOM, || self.visit_classes(jni, &mut visit))
            .unwrap_or(Err(JvmtiError { function: "GetLoadedClasses (no room for references)", code: 110 }))
    }

    fn visit_classes(&self, jni: &Jni, visit: &mut impl FnMut(&Local<'_>)) -> Result<(), JvmtiError> {
        for class in self.loaded_classes(jni)? {
            visit(&class);
        }
        Ok(())
    }

    /// Every loaded class, each held by a local reference of the present frame.
    ///
    /// # Errors
    /// When JVMTI refuses.
    pub fn loaded_classes<'j>(&self, jni: &'j Jni) -> Result<impl Iterator<Item = Local<'j>>, JvmtiError> {
        let (mut count, mut classes) = (0, std::ptr::null_mut());
        jvmti!(self.raw, GetLoadedClasses(&mut count, &mut classes))?;
        Ok(self.take_array::<jobject>(classes, count).into_iter().filter_map(|raw| jni.adopt(raw)))
    }

    /// The class's JVM signature; empty when it has been unloaded meanwhile.
    pub fn class_signature(&self, class: &Local<'_>) -> String {
        let mut text: *mut c_char = std::ptr::null_mut();
        let generic: *mut *mut c_char = std::ptr::null_mut();
        let result = jvmti!(self.raw, GetClassSignature(class.raw(), &mut text, generic));
        if result.is_ok() { self.take_text(text) } else { String::new() }
    }

    /// Whether the class is an interface.
    pub fn is_interface(&self, class: &Local<'_>) -> bool {
        let mut answer = 0_u8;
        let _no_interface_on_failure = jvmti!(self.raw, IsInterface(class.raw(), &mut answer));
        answer != 0
    }

    /// Tag of the class's loader in this environment; 0 for the boot loader.
    pub fn loader_tag(&self, jni: &Jni, class: &Local<'_>) -> i64 {
        let mut loader: jobject = std::ptr::null_mut();
        let result = jvmti!(self.raw, GetClassLoader(class.raw(), &mut loader));
        result.ok().and_then(|()| jni.adopt(loader)).map_or(0, |loader| self.tag(&loader))
    }

    /// Tags of the interfaces that the class declares; none when it is not prepared.
    pub fn interface_tags(&self, jni: &Jni, class: &Local<'_>) -> Vec<i64> {
        self.interfaces(jni, class).iter().map(|interface| self.tag(interface)).collect()
    }

    /// The interfaces that the class declares; none when it is not prepared.
    pub fn interfaces<'j>(&self, jni: &'j Jni, class: &Local<'_>) -> Vec<Local<'j>> {
        let (mut count, mut interfaces) = (0, std::ptr::null_mut());
        let result = jvmti!(self.raw, GetImplementedInterfaces(class.raw(), &mut count, &mut interfaces));
        if result.is_err() {
            return Vec::new();
        }
        let interfaces = self.take_array::<jobject>(interfaces, count);
        interfaces.into_iter().filter_map(|raw| jni.adopt(raw)).collect()
    }

    /// The fields that the class declares, in JVMTI's order; none when it is not prepared.
    pub fn declared_fields(&self, class: &Local<'_>) -> Vec<DeclaredField> {
        self.fields_of(class).into_iter().map(|(field, _)| field).collect()
    }

    /// The same with their handles.
    pub(super) fn fields_of(&self, class: &Local<'_>) -> Vec<(DeclaredField, jfieldID)> {
        let described = |field: jfieldID| Some((self.declared_field(class, field)?, field));
        self.field_ids(class).into_iter().filter_map(described).collect()
    }

    /// The handle of the field that the class itself declares, if there is one.
    pub(super) fn field_named(
        &self,
        class: &Local<'_>,
        name: &str,
        descriptor: &str,
        is_static: bool,
    ) -> Option<jfieldID> {
        let is_it = |found: &DeclaredField| {
            found.name == name && found.descriptor == descriptor && found.is_static == is_static
        };
        let mut fields = self.field_ids(class).into_iter();
        fields.find(|&field| self.declared_field(class, field).is_some_and(|found| is_it(&found)))
    }

    fn field_ids(&self, class: &Local<'_>) -> Vec<jfieldID> {
        let (mut count, mut fields) = (0, std::ptr::null_mut());
        let result = jvmti!(self.raw, GetClassFields(class.raw(), &mut count, &mut fields));
        if result.is_ok() { self.take_array::<jfieldID>(fields, count) } else { Vec::new() }
    }

    fn declared_field(&self, class: &Local<'_>, field: jfieldID) -> Option<DeclaredField> {
        let (mut name, mut descriptor) = (std::ptr::null_mut(), std::ptr::null_mut());
        let generic: *mut *mut c_char = std::ptr::null_mut();
        jvmti!(self.raw, GetFieldName(class.raw(), field, &mut name, &mut descriptor, generic)).ok()?;
        let (name, descriptor) = (self.take_text(name), self.take_text(descriptor));
        let mut modifiers = 0;
        jvmti!(self.raw, GetFieldModifiers(class.raw(), field, &mut modifiers)).ok()?;
        Some(DeclaredField {
            name,
            descriptor,
            is_static: modifiers & ACC_STATIC != 0,
            is_final: modifiers & ACC_FINAL != 0,
        })
    }

    /// Signature of the declaring class, and the name, of a method that a stack root named during a walk.
    /// `None` when its class has been unloaded meanwhile.
    pub fn method_name(&self, jni: &Jni, method: u64) -> Option<(String, String)> {
        let method = method as usize as jmethodID;
        let mut name: *mut c_char = std::ptr::null_mut();
        let unasked: *mut *mut c_char = std::ptr::null_mut();
        jvmti!(self.raw, GetMethodName(method, &mut name, unasked, unasked)).ok()?;
        let name = self.take_text(name);
        Some((self.class_signature(&self.declaring_class(jni, method)?), name))
    }

    /// The class that declares a method; `None` when it has been unloaded.
    pub(super) fn declaring_class<'j>(&self, jni: &'j Jni, method: jmethodID) -> Option<Local<'j>> {
        let mut class: jobject = std::ptr::null_mut();
        jvmti!(self.raw, GetMethodDeclaringClass(method, &mut class)).ok()?;
        jni.adopt(class)
    }

    /// Tag and name of every live platform thread.
    ///
    /// # Errors
    /// When JVMTI refuses.
    pub fn threads(&self, jni: &Jni) -> Result<Vec<(i64, String)>, JvmtiError> {
        let mut threads = Vec::new();
        self.for_each_thread(jni, |thread| {
            threads.extend(self.thread_name(jni, thread).map(|name| (self.tag(thread), name)));
        })?;
        Ok(threads)
    }

    /// Every live platform thread, each handed to `visit` as a local reference that ends right after.
    ///
    /// # Errors
    /// When JVMTI refuses.
    pub fn for_each_thread(&self, jni: &Jni, mut visit: impl FnMut(&Local<'_>)) -> Result<(), JvmtiError> {
        let mut visit_all = || -> Result<(), JvmtiError> {
            self.live_threads(jni)?.for_each(|thread| visit(&thread));
            Ok(())
        };
        jni.frame(ROOM, &mut visit_all)
            .unwrap_or(Err(JvmtiError { function: "GetAllThreads (no room for references)", code: 110 }))
    }

    /// Every live platform thread, each held by a local reference of the present frame.
    ///
    /// # Errors
    /// When JVMTI refuses.
    pub fn live_threads<'j>(&self, jni: &'j Jni) -> Result<impl Iterator<Item = Local<'j>>, JvmtiError> {
        let (mut count, mut threads) = (0, std::ptr::null_mut());
        jvmti!(self.raw, GetAllThreads(&mut count, &mut threads))?;
        Ok(self.take_array::<jobject>(threads, count).into_iter().filter_map(|raw| jni.adopt(raw)))
    }

    /// The thread that calls.
    ///
    /// # Errors
    /// When JVMTI refuses.
    pub fn this_thread<'j>(&self, jni: &'j Jni) -> Result<Local<'j>, JvmtiError> {
        let mut thread: jobject = std::ptr::null_mut();
        jvmti!(self.raw, GetCurrentThread(&mut thread))?;
        jni.adopt(thread).ok_or(JvmtiError { function: "GetCurrentThread (no thread)", code: 110 })
    }

    fn thread_name(&self, jni: &Jni, thread: &Local<'_>) -> Option<String> {
        let null = std::ptr::null_mut::<c_void>();
        let mut info = ThreadInfo {
            name: null.cast(),
            priority: 0,
            is_daemon: 0,
            thread_group: null.cast(),
            context_class_loader: null.cast(),
        };
        jvmti!(self.raw, GetThreadInfo(thread.raw(), &mut info)).ok()?;
        // Adopted only so that they are deleted immediately.
        drop((jni.adopt(info.thread_group), jni.adopt(info.context_class_loader)));
        Some(self.take_text(info.name))
    }
}
