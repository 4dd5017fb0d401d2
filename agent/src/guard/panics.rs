//! Panics of the agent: no text of Rust's on the program's standard error, but one line of the agent's own, printed
//! where the panic is contained. Panics of other users of this copy of the standard library take their usual path.

use crate::os::fork;
use parking_lot::Mutex;
use std::cell::Cell;
use std::panic::{self, AssertUnwindSafe, PanicHookInfo, UnwindSafe, catch_unwind};
use std::sync::Once;
use std::thread;

/// The text of the last panic.
static LAST: Mutex<Option<String>> = Mutex::new(None);

thread_local! {
    // No destructor: one would keep the JVM from unloading the library.
    static OURS: Cell<bool> = const { Cell::new(false) };
}

/// The panic that a piece of work ended with: its place and text.
#[derive(Debug)]
pub struct Panicked(pub String);

/// Sets the hook, once.
pub fn install_hook() {
    static INSTALLED: Once = Once::new();
    INSTALLED.call_once(|| {
        let others = panic::take_hook();
        panic::set_hook(Box::new(move |info| if is_ours() { remember(info) } else { others(info) }));
    });
}

fn is_ours() -> bool {
    OURS.get() || thread::current().name().is_some_and(|name| name.starts_with("rootbound-"))
}

fn remember(info: &PanicHookInfo<'_>) {
    // There a lock may be held by a thread that does not exist.
    if fork::is_child() {
        fork::leave(fork::EXIT_PANICKED);
    }
    let said = info.payload_as_str().unwrap_or("no reason given");
    let place = info.location().map(|at| format!(" at {}:{}", at.file(), at.line())).unwrap_or_default();
    // Printed later: this may run with the world stopped.
    *LAST.lock() = Some(format!("{said}{place}"));
}

/// Runs work of the agent on any thread; a panic ends here.
///
/// # Errors
/// The text of the panic.
pub fn contain<R>(work: impl FnOnce() -> R) -> Result<R, Panicked> {
    let outer = OURS.replace(true);
    let result = catch_unwind(AssertUnwindSafe(work));
    OURS.set(outer);
    result.map_err(|_| taken())
}

/// As [`contain`], but leaves the text for the place that contains the panic when it goes on outside the heap
/// callback.
pub fn contain_in_callback<R>(work: impl FnOnce() -> R + UnwindSafe) -> Option<R> {
    let outer = OURS.replace(true);
    let result = catch_unwind(work);
    OURS.set(outer);
    result.ok()
}

/// From now on panics of this thread are the agent's, until it ends: for a thread of the JVM that runs no other Rust
/// code.
pub fn claim_thread() {
    OURS.set(true);
}

/// The text of the panic of a thread that has ended.
pub fn taken() -> Panicked {
    Panicked(LAST.lock().take().unwrap_or_else(|| "no reason given".to_owned()))
}
