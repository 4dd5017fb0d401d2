//! `rootbound attach`: loads the agent into a running JVM, and watches it.

use crate::args::AttachArgs;
use crate::commands::check::Check;
use crate::commands::control::Control;
use crate::commands::delivery::Delivery;
use crate::commands::diagnostics::Diagnostics;
use crate::commands::display::{Display, wants_terminal};
use crate::commands::fleet::{Fleet, Plan};
use crate::commands::interrupt::Interrupt;
use crate::commands::language::{self, MISTAKEN};
use crate::commands::naming::Naming;
use crate::commands::output::Output;
use crate::commands::ps;
use crate::commands::recordings::Recordings;
use crate::commands::watch::conclude;
use crate::commands::watching::Watching;
use anyhow::bail;
use rootbound::attach::error::AttachError;
use rootbound::attach::jvm::{Jvm, Machine};
use rootbound::attach::place::Place;
use rootbound::attach::{checks, listing, load};
use rootbound::ingest::handshake::Candidate;
use rootbound::ingest::listener::Listener;
use rootbound_wire::endpoint::Endpoint;
use std::process::ExitCode;
use std::thread;
use std::time::{Duration, Instant};

/// Longest wait for the agent after the JVM has loaded it.
const HELLO: Duration = Duration::from_secs(10);
/// Longest wait for an agent that is about to leave, and the time between two tries.
const LEAVES: Duration = Duration::from_secs(5);
const AGAIN: Duration = Duration::from_millis(200);
/// Time without an analyzer after which the agent leaves: ours may be killed.
const PATIENCE: &str = "60s";
/// Releases from this one on warn of agents that are loaded later (JEP 451).
const WARNS: u32 = 21;

/// Attaches, and watches to the JVM's end, to the end of `--for`, or to Ctrl-C. The program runs on.
pub(crate) fn attach(args: &AttachArgs, diagnostics: &Diagnostics) -> anyhow::Result<ExitCode> {
    let Some(target) = &args.target else { bail!("{}", ps::choose()?) };
    let Some(growth) = language::growth(&args.shared)? else { return Ok(ExitCode::from(MISTAKEN)) };
    let output = Output::prepare(&args.shared, diagnostics.loudness())?;
    let check = Check::prepare(&args.shared.gate)?;
    let recordings = Recordings::prepare(args.live.record.as_deref())?;
    let jvm = listing::named(target)?;
    let agent = checks::library(&jvm, args.agent.as_deref())?;
    let jvm = ready(jvm)?;
    // From here on Ctrl-C leaves no folder behind.
    let interrupt = Interrupt::catch()?;
    let mut place = Place::make(&jvm, &agent, args.agent_dir.as_deref())?;
    let listener = Listener::open_for(&Endpoint::Unix(place.our_socket()), None, jvm.user)?;
    place.hand_over_socket(&jvm)?;
    let candidate = introduce(&jvm, &place, &listener)?;
    place.settle_copy();
    let live = wants_terminal(args.live.plain, &output);
    let mut delivery = Delivery::new(&output, check);
    let mut fleet =
        Fleet::new(Plan::of(&args.live, &args.shared, growth, false), output.json().map(Naming::of), recordings);
    fleet.admit(candidate);
    let watching = Watching {
        listener,
        fleet,
        control: Control::open(u32::try_from(jvm.pid).ok()),
        display: Display::open(live, &output, diagnostics, "leave")?,
        interrupt: &interrupt,
        program: None,
        delivery: Some(&mut delivery),
        run_for: args.live.run_for,
        keep_listening: false,
        agent_option: String::new(),
        started: Instant::now(),
        missed: false,
    };
    conclude(&watching.watch(), delivery, live)
}

/// Waits for a JVM that has just started, and says so.
fn ready(jvm: Jvm) -> Result<Jvm, AttachError> {
    if checks::is_young(&jvm) {
        tracing::warn!("process {} has just started; attaching when it is 10 s old", jvm.pid);
    }
    let jvm = checks::ready(jvm)?;
    if matches!(jvm.machine, Machine::HotSpot(Some(release)) if release >= WARNS) {
        tracing::warn!(
            "the JVM will print a warning of JEP 451 to its standard error; -XX:+EnableDynamicAgentLoading at its start \
             prevents it"
        );
    }
    Ok(jvm)
}

/// Loads the agent. One that has just lost its analyzer may not have noticed that yet.
fn load_when_free(jvm: &Jvm, place: &Place, options: &str) -> Result<(), AttachError> {
    let begun = Instant::now();
    loop {
        match load::load(jvm, &place.library, options) {
            Err(error) if error.may_pass() && begun.elapsed() < LEAVES => thread::sleep(AGAIN),
            loaded => return loaded,
        }
    }
}

/// Loads the agent, and waits for it at our socket.
fn introduce(jvm: &Jvm, place: &Place, listener: &Listener) -> anyhow::Result<Candidate> {
    let options = format!("connect={},patience={PATIENCE}", Endpoint::Unix(place.their_socket()));
    load_when_free(jvm, place, &options)?;
    let deadline = Instant::now() + HELLO;
    while let Ok(knock) = listener.knocks().recv_deadline(deadline) {
        match knock {
            Ok(candidate) => return Ok(candidate),
            Err(error) => tracing::warn!("{error}"),
        }
    }
    Err(AttachError::NoHello(HELLO.as_secs()).into())
}
