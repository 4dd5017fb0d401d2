//! The place of a stack frame in the source: class, method, file and line, and the class's loader. Names only.

use super::abi::LineEntry;
use super::env::Env;
use super::functions::jvmti;
use super::jni::{Jni, Local, jni};
use jni_sys::{jlong, jmethodID, jobject};
use std::ffi::c_char;

/// A method, as its class file describes it.
pub struct Described {
    /// JVM signature of the declaring class.
    pub class: String,
    /// Its name.
    pub name: String,
    /// The source file.
    pub file: Option<String>,
    /// Whether the boot or the platform loader loaded its class.
    pub is_platform: bool,
    /// Byte code index from which on each line counts.
    lines: Vec<(jlong, u32)>,
}

impl Described {
    /// The line of a byte code index; `None` in native methods and where the class has no line table.
    pub fn line(&self, location: jlong) -> Option<u32> {
        let before = self.lines.iter().filter(|&&(begins_at, _)| begins_at <= location);
        before.max_by_key(|&&(begins_at, _)| begins_at).map(|&(_, line)| line)
    }
}

impl Env {
    /// Describes the method of a stack's frame; `None` when its class has been unloaded. `platform` is the platform
    /// class loader.
    pub fn describe_method(&self, jni: &Jni, method: usize, platform: Option<&Local<'_>>) -> Option<Described> {
        let (class, name) = self.method_name(jni, method as u64)?;
        let declaring = self.declaring_class(jni, method as jmethodID)?;
        let file = self.source_file(&declaring);
        let loader = self.loader(jni, &declaring)?;
        let is_platform = loader.is_none_or(|loader| platform.is_some_and(|platform| jni.same(&loader, platform)));
        Some(Described { class, name, file, is_platform, lines: self.lines(method) })
    }

    /// The loader of a class: `Some(None)` for the boot loader, `None` when the JVM does not return it.
    fn loader<'j>(&self, jni: &'j Jni, class: &Local<'_>) -> Option<Option<Local<'j>>> {
        let mut loader: jobject = std::ptr::null_mut();
        jvmti!(self.raw, GetClassLoader(class.raw(), &mut loader)).ok()?;
        Some(jni.adopt(loader))
    }

    fn source_file(&self, class: &Local<'_>) -> Option<String> {
        let mut name: *mut c_char = std::ptr::null_mut();
        jvmti!(self.raw, GetSourceFileName(class.raw(), &mut name)).ok()?;
        Some(self.take_text(name))
    }

    fn lines(&self, method: usize) -> Vec<(jlong, u32)> {
        let (mut count, mut table) = (0, std::ptr::null_mut());
        let result = jvmti!(self.raw, GetLineNumberTable(method as jmethodID, &mut count, &mut table));
        if result.is_err() {
            return Vec::new();
        }
        let entries = self.take_array::<LineEntry>(table, count).into_iter();
        entries.map(|entry| (entry.begins_at, u32::try_from(entry.line).unwrap_or(0))).collect()
    }
}

impl Jni {
    /// The platform class loader, from `java.lang.ClassLoader`.
    pub fn platform_loader(&self) -> Option<Local<'_>> {
        let class = self.find_class(c"java/lang/ClassLoader")?;
        let getter = jni!(
            self.env,
            v1_1.GetStaticMethodID,
            class.raw(),
            c"getPlatformClassLoader".as_ptr(),
            c"()Ljava/lang/ClassLoader;".as_ptr()
        );
        if self.clear() || getter.is_null() {
            return None;
        }
        let loader = jni!(self.env, v1_1.CallStaticObjectMethodA, class.raw(), getter, std::ptr::null());
        if self.clear() { None } else { self.adopt(loader) }
    }
}

#[cfg(test)]
mod tests {
    use super::Described;

    #[test]
    fn a_line_counts_from_its_first_byte_code_on() {
        // Line tables need not be in the order of the code.
        let lines = vec![(0, 10), (12, 9), (5, 11)];
        let method = Described { class: String::new(), name: String::new(), file: None, is_platform: false, lines };
        assert_eq!([0, 4, 5, 12, 40].map(|at| method.line(at)), [Some(10), Some(10), Some(11), Some(9), Some(9)]);
        assert_eq!(method.line(-1), None);
    }
}
