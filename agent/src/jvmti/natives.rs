//! The natives of our own Java library, `rootbound.junit.Natives`, by the names under which the JVM looks them up. Each
//! runs on a thread of the program that asked for it: arguments are checked, a panic ends here, and an error becomes a
//! Java exception.
//!
//! The JVM finds them in the library that `System.load` loaded, or in that of `-agentpath`.

use super::java_arrays::Argument;
use super::jni::{Jni, Local, Vm, jni};
use crate::guard::panics;
use jni_sys::{JNIEnv, jboolean, jclass, jlong, jobject};
use std::ffi::{CStr, CString, OsString};
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// Room for local references. It is only a promise, no memory is taken for it.
const ROOM: usize = 60_000;

/// The reason why a call of the Java library fails.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NativeError {
    /// An argument has no meaning: `IllegalArgumentException`.
    #[error("{0}")]
    Argument(String),
    /// It cannot be done now: `IllegalStateException`.
    #[error("{0}")]
    State(String),
}

/// The extent of a measurement.
pub struct Extent<'a, 'j> {
    /// The objects at which it begins; `None`: all GC roots.
    pub roots: Option<&'a Local<'j>>,
    /// The elements of `roots`.
    pub root_objects: &'a [Local<'j>],
    /// Objects that are neither counted nor entered.
    pub skipped: &'a [Local<'j>],
    /// Classes whose instances, and those of their subclasses, are neither counted nor entered.
    pub skipped_classes: &'a [Local<'j>],
    /// Fields that are not followed: the declaring class and the name of each.
    pub skipped_fields: &'a [(Local<'j>, String)],
    /// Whether the objects are wanted, too.
    pub wants_objects: bool,
}

/// Objects and bytes of one class.
pub struct ClassSize<'j> {
    /// Its mirror; `None` for objects whose class was loaded meanwhile.
    pub class: Option<Local<'j>>,
    /// Number of objects.
    pub count: u64,
    /// Sum of their own sizes.
    pub bytes: u64,
}

/// The result of a measurement.
pub struct Sizes<'j> {
    /// By class, in no order.
    pub classes: Vec<ClassSize<'j>>,
    /// The objects, if they were wanted.
    pub objects: Option<Vec<Local<'j>>>,
}

/// Does what the Java library asks for.
pub trait NativeCalls: Sync {
    /// Collects all garbage.
    ///
    /// # Errors
    /// [`NativeError`]
    fn collect(&self, vm: Vm) -> Result<(), NativeError>;
    /// Captures the whole heap to a recording; the objects bear the marks 1, 2, 3 …
    ///
    /// # Errors
    /// [`NativeError`]
    fn capture(&self, jni: &Jni, file: &Path, marked: &[Local<'_>]) -> Result<(), NativeError>;
    /// Measures what is reached from some objects.
    ///
    /// # Errors
    /// [`NativeError`]
    fn measure<'j>(&self, jni: &'j Jni, extent: &Extent<'_, 'j>) -> Result<Sizes<'j>, NativeError>;
    /// The collector's name.
    fn collector(&self) -> &'static str;
}

static CALLS: OnceLock<&'static dyn NativeCalls> = OnceLock::new();

/// Sets who does the work, once; further calls change nothing.
pub fn serve(calls: &'static dyn NativeCalls) {
    let _is_set = CALLS.set(calls);
}

/// Runs one call; `None` when it threw.
///
/// # Safety
/// `env` is the JVM's argument to a native method.
unsafe fn call<R>(
    env: *mut JNIEnv,
    work: impl FnOnce(&'static dyn NativeCalls, &Jni) -> Result<R, NativeError>,
) -> Option<R> {
    // SAFETY: see above.
    let jni = unsafe { Jni::of_native(env) }?;
    panics::install_hook();
    let result = panics::contain(|| match CALLS.get() {
        Some(&calls) => work(calls, &jni),
        None => Err(NativeError::State("the library was not loaded by this JVM".to_owned())),
    });
    let panicked = |text| NativeError::State(format!("the agent panicked; nothing of it is left in the JVM: {text}"));
    match result.unwrap_or_else(|panic| Err(panicked(panic.0))) {
        Ok(result) => Some(result),
        Err(error) => {
            jni.throw(&error);
            None
        }
    }
}

impl Jni {
    /// Raises the error in the program, which asked for it. Unless an exception is on its way already.
    fn throw(&self, error: &NativeError) {
        let name: &CStr = match error {
            NativeError::Argument(_) => c"java/lang/IllegalArgumentException",
            NativeError::State(_) => c"java/lang/IllegalStateException",
        };
        let text = CString::new(error.to_string().replace('\0', " ")).unwrap_or_default();
        if let Some(class) = self.find_class(name) {
            jni!(self.env, v1_1.ThrowNew, class.raw(), text.as_ptr());
        }
    }
}

fn out_of_references() -> NativeError {
    NativeError::State("the JVM gives no room for references".to_owned())
}

/// `static native void collect0()`
///
/// # Safety
/// Called by the JVM alone.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Java_rootbound_junit_Natives_collect0(env: *mut JNIEnv, _class: jclass) {
    // SAFETY: the argument is the JVM's.
    let _thrown = unsafe { call(env, |calls, jni| calls.collect(jni.vm())) };
}

/// `static native void capture0(byte[] file, Object[] marked)`. The array is empty afterwards, so that nothing of ours
/// holds what it held.
///
/// # Safety
/// Called by the JVM alone.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Java_rootbound_junit_Natives_capture0(
    env: *mut JNIEnv,
    _class: jclass,
    file: jobject,
    marked: jobject,
) {
    let capture = |calls: &dyn NativeCalls, jni: &Jni| {
        let file = PathBuf::from(OsString::from_vec(jni.bytes(Argument(file))));
        if file.as_os_str().is_empty() {
            return Err(NativeError::Argument("a capture needs the name of a file".to_owned()));
        }
        let captured = jni.frame(ROOM, || {
            let objects = jni.elements(Argument(marked));
            jni.empty(Argument(marked));
            calls.capture(jni, &file, &objects)
        });
        captured.unwrap_or_else(|| Err(out_of_references()))
    };
    // SAFETY: the argument is the JVM's.
    let _thrown = unsafe { call(env, capture) };
}

/// `static native Object[] measure0(Object[] roots, Object[] skip, Class<?>[] skipClasses, Class<?>[] fieldClasses,
/// byte[] fieldNames, boolean objects)`. The names of fields end with a zero each. The result has a `Class<?>[]`, a
/// `long[]` with the counts, a `long[]` with the bytes, and an `Object[]` or null.
///
/// # Safety
/// Called by the JVM alone.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Java_rootbound_junit_Natives_measure0(
    env: *mut JNIEnv,
    _class: jclass,
    roots: jobject,
    skip: jobject,
    skip_classes: jobject,
    field_classes: jobject,
    field_names: jobject,
    objects: jboolean,
) -> jobject {
    let measure = |calls: &dyn NativeCalls, jni: &Jni| {
        let result = jni.keeping(ROOM, || {
            let names = String::from_utf8_lossy(&jni.bytes(Argument(field_names))).into_owned();
            let fields = jni.elements(Argument(field_classes)).into_iter();
            let sizes = calls.measure(
                jni,
                &Extent {
                    roots: jni.own(Argument(roots)).as_ref(),
                    root_objects: &jni.elements(Argument(roots)),
                    skipped: &jni.elements(Argument(skip)),
                    skipped_classes: &jni.elements(Argument(skip_classes)),
                    skipped_fields: &fields.zip(names.split('\0').map(str::to_owned)).collect::<Vec<_>>(),
                    wants_objects: objects,
                },
            )?;
            let no_memory = || NativeError::State("the program has no memory left for the result".to_owned());
            in_java(jni, &sizes).ok_or_else(no_memory)
        });
        result.unwrap_or_else(|| Err(out_of_references()))
    };
    // SAFETY: the argument is the JVM's.
    unsafe { call(env, measure) }.unwrap_or(std::ptr::null_mut())
}

/// `static native String collector0()`: the collector's name.
///
/// # Safety
/// Called by the JVM alone.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn Java_rootbound_junit_Natives_collector0(env: *mut JNIEnv, _class: jclass) -> jobject {
    let name = |calls: &dyn NativeCalls, jni: &Jni| {
        let name = CString::new(calls.collector()).unwrap_or_default();
        Ok(jni!(jni.env, v1_1.NewStringUTF, name.as_ptr()))
    };
    // SAFETY: the argument is the JVM's.
    unsafe { call(env, name) }.unwrap_or(std::ptr::null_mut())
}

fn in_java<'j>(jni: &'j Jni, sizes: &Sizes<'_>) -> Option<Local<'j>> {
    let classes: Vec<_> = sizes.classes.iter().map(|of| of.class.as_ref()).collect();
    let numbers = |number: fn(&ClassSize<'_>) -> u64| {
        jni.long_array(&sizes.classes.iter().map(|of| number(of) as jlong).collect::<Vec<_>>())
    };
    let objects = match &sizes.objects {
        Some(objects) => Some(jni.object_array(c"java/lang/Object", &objects.iter().map(Some).collect::<Vec<_>>())?),
        None => None,
    };
    let parts = (jni.object_array(c"java/lang/Class", &classes)?, numbers(|of| of.count)?, numbers(|of| of.bytes)?);
    jni.object_array(c"java/lang/Object", &[Some(&parts.0), Some(&parts.1), Some(&parts.2), objects.as_ref()])
}
