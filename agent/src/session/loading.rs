//! Loading the agent's library: the first load sets the session up. A later one wakes an agent that has left, or gives
//! one that waits another analyzer.

use super::{SESSION, Session, contained};
use crate::guard::{log, panics};
use crate::jvmti::abi;
use crate::jvmti::env::Env;
use crate::jvmti::host;
use crate::jvmti::jni::Vm;
use crate::link::destination::{Destination, Place};
use crate::options::{Options, OptionsError, Target};
use crate::sampling::samples::Samples;
use parking_lot::Mutex;
use rootbound_wire::endpoint::default_endpoint;
use rootbound_wire::loading;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// Longest wait for the threads of an agent that has just left.
const LEAVING: Duration = Duration::from_secs(3);
const POLL: Duration = Duration::from_millis(10);

/// The reason why a load changes nothing.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LoadError {
    /// The options have no meaning.
    #[error(transparent)]
    Options(#[from] OptionsError),
    /// The JVM gives no environment, or no events.
    #[error("the JVM lets no agent work: {0}")]
    Jvm(String),
    /// An analyzer with this process id watches the JVM.
    #[error("the agent is loaded already, and an analyzer (process {0}) watches this JVM; this load changes nothing")]
    Watched(u32),
    /// It writes a recording.
    #[error("the agent is loaded already, and writes a recording; this load changes nothing")]
    Records,
    /// Its threads have not ended yet.
    #[error("the agent is just leaving this JVM; load it again in a moment")]
    Leaving,
    /// It panicked.
    #[error("the agent panicked in this JVM earlier, and never works in it again")]
    Broken,
}

impl LoadError {
    /// The number that `Agent_OnAttach` returns.
    pub fn code(&self) -> i32 {
        match self {
            Self::Options(_) => loading::BAD_OPTIONS,
            Self::Jvm(_) => loading::NO_ENVIRONMENT,
            Self::Records => loading::RECORDS,
            Self::Leaving => loading::LEAVING,
            Self::Broken => loading::BROKEN,
            Self::Watched(analyzer) => loading::watched_by(*analyzer),
        }
    }
}

/// Loads the library, for the first time or again.
///
/// # Errors
/// [`LoadError`]; then the agent is as before.
pub fn load(vm: Vm, options: &str, is_live: bool) -> Result<(), LoadError> {
    let options = options.parse::<Options>()?;
    if let Some(session) = SESSION.get() {
        return session.load_again(options);
    }
    log::set_level(options.log);
    panics::install_hook();
    let session = new_session(vm, options)?;
    // Two loads at once cannot be: the JVM runs one command after the other.
    let Some(session) = SESSION.set(session).ok().and_then(|()| SESSION.get()) else { return Err(LoadError::Leaving) };
    if !host::set(session) {
        return Err(LoadError::Leaving);
    }
    let can_generate_gc_events = session.env.add_capability(abi::CAN_GENERATE_GC_EVENTS_BIT).is_ok();
    if let Err(error) = session.env.listen(can_generate_gc_events) {
        session.sleep();
        return Err(LoadError::Jvm(error.to_string()));
    }
    if is_live {
        contained(host::Host::on_vm_init);
    }
    Ok(())
}

fn new_session(vm: Vm, options: Options) -> Result<Session, LoadError> {
    let env = Env::new(vm).map_err(|error| LoadError::Jvm(error.to_string()))?;
    let other_sampler = if options.faults.holds_sampler() { Env::sampler(vm).ok() } else { None };
    let incapable = Env::tagging(vm).err().map(|error| format!("the JVM lets no agent tag objects ({error})"));
    Ok(Session {
        vm,
        env,
        target: Mutex::new(options.target.clone()),
        destination: Destination::new(place(&options.target)),
        options,
        incapable,
        begun: Instant::now(),
        collections: super::collections::Collections::new(),
        dormant: AtomicBool::new(false),
        outbox: Mutex::new(None),
        gc: crossbeam_channel::bounded(1),
        samples: Samples::default(),
        _other_sampler: other_sampler,
        started: AtomicBool::new(false),
        threads: AtomicU32::new(0),
        is_broken: AtomicBool::new(false),
    })
}

/// Where an analyzer is looked for; a recording looks for none.
fn place(target: &Target) -> Place {
    match target {
        Target::Analyzer { endpoint, patience } => Place { endpoint: endpoint.clone(), patience: *patience },
        Target::Recording(_) => Place { endpoint: default_endpoint(), patience: None },
    }
}

impl Session {
    fn load_again(&'static self, options: Options) -> Result<(), LoadError> {
        if self.is_broken.load(Ordering::Relaxed) {
            return Err(LoadError::Broken);
        }
        if !self.is_dormant() {
            return self.redirect(&options.target);
        }
        self.await_end_of_threads()?;
        log::set_level(options.log);
        self.destination.change(place(&options.target));
        *self.target.lock() = options.target;
        *self.outbox.lock() = None;
        self.started.store(false, Ordering::Release);
        self.dormant.store(false, Ordering::Relaxed);
        contained(host::Host::on_vm_init);
        Ok(())
    }

    /// Gives an agent that waits for an analyzer another one.
    fn redirect(&self, target: &Target) -> Result<(), LoadError> {
        let mut present = self.target.lock();
        match (&*present, target) {
            (Target::Recording(_), _) | (_, Target::Recording(_)) => Err(LoadError::Records),
            _ if self.outbox.lock().is_some() => Err(LoadError::Watched(self.destination.analyzer())),
            _ => {
                *present = target.clone();
                self.destination.change(place(target));
                Ok(())
            }
        }
    }

    fn await_end_of_threads(&self) -> Result<(), LoadError> {
        let begun = Instant::now();
        while self.threads.load(Ordering::Acquire) > 0 {
            if begun.elapsed() > LEAVING {
                return Err(LoadError::Leaving);
            }
            thread::sleep(POLL);
        }
        Ok(())
    }
}
