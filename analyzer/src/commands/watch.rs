//! `rootbound watch`: waits for JVMs that were started with the agent, and watches them.

use crate::args::WatchArgs;
use crate::commands::check::Check;
use crate::commands::control::Control;
use crate::commands::delivery::Delivery;
use crate::commands::diagnostics::Diagnostics;
use crate::commands::display::{Display, wants_terminal};
use crate::commands::fleet::{Fleet, Plan};
use crate::commands::follower::JvmEnding;
use crate::commands::interrupt::Interrupt;
use crate::commands::language::{self, MISTAKEN};
use crate::commands::launch::{agent_for, agent_option};
use crate::commands::naming::Naming;
use crate::commands::output::Output;
use crate::commands::recordings::Recordings;
use crate::commands::watching::{Ending, Outcome, Watching};
use anyhow::Context;
use rootbound::agents::libc::Libc;
use rootbound::ingest::listener::Listener;
use rootbound::report::Report;
use rootbound_wire::endpoint::{Endpoint, default_endpoint};
use rootbound_wire::secret::Token;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

/// Watches JVMs, each from its connection to its end or to the end of `--for`, until none is left.
pub(crate) fn watch(args: &WatchArgs, diagnostics: &Diagnostics) -> anyhow::Result<ExitCode> {
    let Some(growth) = language::growth(&args.shared)? else { return Ok(ExitCode::from(MISTAKEN)) };
    let output = Output::prepare(&args.shared, diagnostics.loudness())?;
    let check = Check::prepare(&args.shared.gate)?;
    let recordings = Recordings::prepare(args.live.record.as_deref())?;
    let interrupt = Interrupt::catch()?;
    let endpoint = args.listen.clone().unwrap_or_else(default_endpoint);
    let listener = Listener::open(&endpoint, token(&endpoint)?)?;
    let live = wants_terminal(args.live.plain, &output);
    let mut delivery = Delivery::new(&output, check);
    let watching = Watching {
        listener,
        fleet: Fleet::new(Plan::of(&args.live, &args.shared, growth, false), output.json().map(Naming::of), recordings)
            .keeping(args.keep_reports),
        control: Control::open(None),
        display: Display::open(live, &output, diagnostics, "leave")?,
        interrupt: &interrupt,
        program: None,
        delivery: Some(&mut delivery),
        run_for: args.live.run_for,
        keep_listening: args.keep_listening,
        agent_option: option_for(&endpoint),
        started: Instant::now(),
        missed: false,
    };
    let outcome = watching.watch();
    if outcome.ending == Ending::NoJvm {
        tracing::error!("no JVM has connected in the time that --for gives");
        let status = delivery.status_without_jvm();
        return delivery.conclude(status);
    }
    conclude(&outcome, delivery, live)
}

/// The option that connects a JVM to this analyzer. Agents try the user's own socket by themselves.
fn option_for(endpoint: &Endpoint) -> String {
    let agent = agent_for(None, None).unwrap_or_else(|_| PathBuf::from("/path/to").join(Libc::Glibc.library()));
    if *endpoint == default_endpoint() {
        return format!("-agentpath:{}", agent.display());
    }
    agent_option(&agent, endpoint).unwrap_or_else(|_| format!("-agentpath:{}=connect={endpoint}", agent.display()))
}

/// The secret that agents need over TCP.
fn token(endpoint: &Endpoint) -> anyhow::Result<Option<Token>> {
    match endpoint {
        Endpoint::Unix(_) => Ok(None),
        Endpoint::Tcp { .. } => {
            Token::from_environment().map(Some).with_context(|| format!("cannot listen on {endpoint}"))
        }
    }
}

/// Delivers the reports that were not delivered when their JVMs ended.
pub(crate) fn conclude(outcome: &Outcome, mut delivery: Delivery<'_>, was_live: bool) -> anyhow::Result<ExitCode> {
    let fleet = &outcome.fleet;
    let tally = fleet.tally();
    let has_failed = fleet.members().iter().any(|member| member.ended_by(JvmEnding::Failed));
    if let Some(report) = &outcome.nobody {
        delivery.nobody(report);
    }
    for member in fleet.members() {
        if was_live || !member.is_delivered {
            delivery.print(&member.published.report, tally.is_several());
        }
        if !member.is_delivered {
            delivery.write(member.json.as_deref(), &member.published.report);
        }
    }
    if tally.is_several() {
        let reports: Vec<&Report> = fleet.members().iter().map(|member| &*member.published.report).collect();
        delivery.sum_up(&reports, tally);
    }
    delivery.conclude(if has_failed { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}
