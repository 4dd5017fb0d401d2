//! The JVM's allocation sampler (JEP 331): the environment that holds its capability, and its event, which the JVM
//! sends on the thread that allocates. Keeps nothing, and decides nothing.
//!
//! Switching the event on and off is a store and no safepoint operation (-Xlog:safepoint on 11, 17, 21, 25). One
//! environment in the whole JVM may hold the capability, and the interval is the JVM's: both are given back.

use super::abi::{self, Event, EventCallbacks, EventMode, FrameInfo, RawEnv};
use super::env::{Env, JvmtiError};
use super::functions::jvmti;
use super::host::deliver;
use super::jni::Vm;
use jni_sys::{JNIEnv, jint, jlong, jobject};
use std::marker::PhantomData;

/// Most frames of a stack: about 10 µs.
pub const DEEPEST: usize = 64;
/// The JVM's own interval, in bytes.
pub const DEFAULT_INTERVAL_BYTES: u32 = 512 << 10;

/// An allocation, while the JVM reports it on the thread that makes it.
pub struct SampledAllocation<'e> {
    env: RawEnv,
    object: jobject,
    class: jobject,
    event: PhantomData<&'e ()>,
}

unsafe extern "C" fn on_allocation(
    env: RawEnv,
    _jni: *mut JNIEnv,
    _thread: jobject,
    object: jobject,
    class: jobject,
    _bytes: jlong,
) {
    let event = SampledAllocation { env, object, class, event: PhantomData };
    deliver(|host| host.on_allocation(&event));
}

impl SampledAllocation<'_> {
    /// The tag that the sampler's environment gave the object's class; 0 for none.
    pub fn class_tag(&self) -> i64 {
        let mut tag = 0;
        let result = jvmti!(self.env, GetTag(self.class, &mut tag));
        if result.is_ok() { tag } else { 0 }
    }

    /// Tags the object in the sampler's environment.
    pub fn set_tag(&self, tag: i64) -> bool {
        jvmti!(self.env, SetTag(self.object, tag)).is_ok()
    }

    /// Reads the stack of this thread, top first; returns the number of frames.
    pub fn stack(&self, frames: &mut [FrameInfo; DEEPEST]) -> usize {
        let (mut count, this_thread): (jint, jobject) = (0, std::ptr::null_mut());
        let result = jvmti!(self.env, GetStackTrace(this_thread, 0, DEEPEST as jint, frames.as_mut_ptr(), &mut count));
        if result.is_ok() { usize::try_from(count).unwrap_or(0).min(DEEPEST) } else { 0 }
    }

    /// Sets the mean of bytes between two events, for every thread from its next event on.
    pub fn set_interval(&self, bytes: u32) {
        // Fails only without the capability, that is, when nothing is sampled any more.
        let _set = set_interval(self.env, bytes);
    }
}

fn set_interval(env: RawEnv, bytes: u32) -> Result<(), JvmtiError> {
    let bytes = jint::try_from(bytes).unwrap_or(jint::MAX);
    jvmti!(env, SetHeapSamplingInterval(bytes))
}

impl Env {
    /// An environment that holds the sampler, can tag, and can look up lines and files of methods.
    ///
    /// # Errors
    /// When the JVM is older than release 11, or another environment holds the sampler.
    pub fn sampler(vm: Vm) -> Result<Self, JvmtiError> {
        let env = Self::of_version(vm, abi::VERSION_11)?;
        env.add_capability(abi::CAN_SAMPLE_ALLOCATIONS_BIT)?;
        env.add_capability(abi::CAN_TAG_OBJECTS_BIT)?;
        // Without these stacks have no lines, and are stacks all the same.
        let _lines = env.add_capability(abi::CAN_GET_LINE_NUMBERS_BIT);
        let _files = env.add_capability(abi::CAN_GET_SOURCE_FILE_NAME_BIT);
        Ok(env)
    }

    /// Switches the event on.
    ///
    /// # Errors
    /// When JVMTI refuses.
    pub fn start_sampling(&self, interval_bytes: u32) -> Result<(), JvmtiError> {
        let callbacks = EventCallbacks { sampled_allocation: Some(on_allocation), ..EventCallbacks::default() };
        self.set_callbacks(&callbacks)?;
        self.set_sampling_interval(interval_bytes)?;
        self.notify(Event::SAMPLED_ALLOCATION, EventMode::ENABLE)
    }

    /// Switches the event off and sets the JVM's own interval again. The capability goes with the environment.
    pub fn stop_sampling(&self) {
        // What fails here was not on.
        let _off = self.notify(Event::SAMPLED_ALLOCATION, EventMode::DISABLE);
        let _interval = self.set_sampling_interval(DEFAULT_INTERVAL_BYTES);
    }

    /// Sets the mean of bytes between two events; a thread heeds it from its next event on.
    ///
    /// # Errors
    /// When JVMTI refuses.
    pub fn set_sampling_interval(&self, bytes: u32) -> Result<(), JvmtiError> {
        set_interval(self.raw, bytes)
    }
}
