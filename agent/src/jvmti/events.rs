//! The events the agent listens to. Each is contained: a panic in the agent never reaches the JVM.

use super::abi::{EVENT_GC_FINISH, EVENT_GC_START, EVENT_SLOTS, EVENT_VM_DEATH, EVENT_VM_INIT, RawEnv, slot};
use super::env::{Env, JvmtiError, jvmti};
use super::host::deliver;
use jni_sys::{JNIEnv, jint, jobject};

/// `JVMTI_ENABLE`.
pub(super) const ENABLE: jint = 1;
/// `JVMTI_DISABLE`.
pub(super) const DISABLE: jint = 0;

unsafe extern "C" fn on_vm_init(_env: RawEnv, _jni: *mut JNIEnv, _thread: jobject) {
    deliver(|host| host.on_vm_init());
}

unsafe extern "C" fn on_vm_death(_env: RawEnv, _jni: *mut JNIEnv) {
    deliver(|host| host.on_vm_death());
}

/// Sent while the world is stopped: no JNI, no JVMTI.
unsafe extern "C" fn on_gc_start(_env: RawEnv) {
    deliver(|host| host.on_gc_start());
}

/// Sent while the world is stopped: no JNI, no JVMTI.
unsafe extern "C" fn on_gc_finish(_env: RawEnv) {
    deliver(|host| host.on_gc_finish());
}

impl Env {
    /// Sets the callbacks and switches the events on; collections only when `with_gc`.
    ///
    /// # Errors
    /// As JVMTI says.
    pub fn listen(&self, with_gc: bool) -> Result<(), JvmtiError> {
        let mut callbacks = [std::ptr::null::<()>(); EVENT_SLOTS];
        callbacks[0] = on_vm_init as *const ();
        callbacks[(EVENT_VM_DEATH - EVENT_VM_INIT) as usize] = on_vm_death as *const ();
        callbacks[(EVENT_GC_START - EVENT_VM_INIT) as usize] = on_gc_start as *const ();
        callbacks[(EVENT_GC_FINISH - EVENT_VM_INIT) as usize] = on_gc_finish as *const ();
        self.set_callbacks(&callbacks)?;
        let events = [EVENT_VM_INIT, EVENT_VM_DEATH, EVENT_GC_START, EVENT_GC_FINISH];
        events[..if with_gc { 4 } else { 2 }].iter().try_for_each(|&event| self.notify(event, ENABLE))
    }

    /// The functions that the JVM calls, by event from the first one on; null where there is none.
    pub(super) fn set_callbacks(&self, callbacks: &[*const ()]) -> Result<(), JvmtiError> {
        jvmti!(
            self.raw,
            "SetEventCallbacks",
            slot::SET_EVENT_CALLBACKS,
            (*const *const (), jint),
            callbacks.as_ptr(),
            size_of_val(callbacks) as jint
        )
    }

    /// Switches an event on or off, on all threads.
    pub(super) fn notify(&self, event: jint, mode: jint) -> Result<(), JvmtiError> {
        let all_threads: jobject = std::ptr::null_mut();
        jvmti!(
            self.raw,
            "SetEventNotificationMode",
            slot::SET_EVENT_NOTIFICATION_MODE,
            (jint, jint, jobject),
            mode,
            event,
            all_threads
        )
    }
}
