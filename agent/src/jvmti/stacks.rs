//! The methods on the stacks of the program, without arguments and values. A forked child may name no others: an id
//! that the JVM makes there lies in the child's memory and means nothing, or something else, in the parent.

use super::abi::{FrameInfo, StackInfo};
use super::classes::ROOM;
use super::env::{Env, JvmtiError};
use super::functions::jvmti;
use super::jni::Jni;
use jni_sys::{jint, jobject};

/// Frames of each thread to read, from the top.
const FRAMES: jint = 64;

impl Env {
    /// Ids of the methods in the upper frames of the calling thread, from the top.
    ///
    /// # Errors
    /// When JVMTI refuses.
    pub fn own_methods(&self) -> Result<Vec<u64>, JvmtiError> {
        let mut frames = [FrameInfo::default(); FRAMES as usize];
        let (mut count, this_thread): (jint, jobject) = (0, std::ptr::null_mut());
        jvmti!(self.raw, GetStackTrace(this_thread, 0, FRAMES, frames.as_mut_ptr(), &mut count))?;
        Ok(frames.iter().take(count.max(0) as usize).map(|frame| frame.method as u64).collect())
    }

    /// Ids of the methods in the upper frames of all platform threads. Stops the program for a moment.
    ///
    /// # Errors
    /// When JVMTI refuses.
    pub fn methods_on_stacks(&self, jni: &Jni) -> Result<Vec<u64>, JvmtiError> {
        jni.frame(ROOM, || self.all_methods(jni))
            .unwrap_or(Err(JvmtiError { function: "GetAllStackTraces (no room for references)", code: 110 }))
    }

    fn all_methods(&self, jni: &Jni) -> Result<Vec<u64>, JvmtiError> {
        let (mut stacks, mut count): (*mut StackInfo, jint) = (std::ptr::null_mut(), 0);
        jvmti!(self.raw, GetAllStackTraces(FRAMES, &mut stacks, &mut count))?;
        let mut methods = Vec::new();
        for at in 0..count.max(0) as usize {
            // SAFETY: JVMTI filled `count` entries with this number of frames each; they are freed only below.
            let frames = unsafe {
                let stack = *stacks.add(at);
                // Adopted only so that it is deleted immediately.
                drop(jni.adopt(stack.thread));
                (0..stack.count.max(0) as usize).map(move |frame| (*stack.frames.add(frame)).method as u64)
            };
            methods.extend(frames);
        }
        self.deallocate(stacks.cast());
        Ok(methods)
    }
}
