//! What our Java library asks of the JVM that it runs in: a collection, a capture to a file, the size of a structure.
//! Each call has a JVMTI environment of its own, works on the calling thread, and leaves nothing behind. None needs the
//! agent's session, and none disturbs it.
//!
//! Reading order: this file, [`capture`], [`measure`] with [`fields`] and [`visit`].

pub mod capture;
pub mod fields;
pub mod measure;
pub mod visit;

use crate::jvmti::env::{Env, JvmtiError};
use crate::jvmti::jni::{Jni, Local, Vm};
use crate::jvmti::natives::{Extent, NativeCalls, NativeError, Sizes};
use crate::platform::collector;
use std::path::Path;

/// The calls, in any JVM.
pub struct Assertions;

impl NativeCalls for Assertions {
    fn collect(&self, vm: Vm) -> Result<(), NativeError> {
        Ok(Env::new(vm)?.collect()?)
    }

    fn capture(&self, jni: &Jni, file: &Path, marked: &[Local<'_>]) -> Result<(), NativeError> {
        Ok(capture::capture(jni, file, marked)?)
    }

    fn measure<'j>(&self, jni: &'j Jni, extent: &Extent<'_, 'j>) -> Result<Sizes<'j>, NativeError> {
        measure::measure(jni, extent)
    }

    fn collector(&self) -> &'static str {
        collector::gc()
    }
}

impl From<JvmtiError> for NativeError {
    fn from(error: JvmtiError) -> Self {
        Self::State(error.to_string())
    }
}
