//! `rootbound render REPORT…`: the table, the check and its files from stored reports.

use crate::args::{RenderArgs, Shared};
use crate::commands::check::Check;
use crate::commands::delivery::Delivery;
use crate::commands::diagnostics::Diagnostics;
use crate::commands::inputs::read_run;
use crate::commands::output::Output;
use std::process::ExitCode;

/// Delivers stored reports as if their JVMs had just ended.
pub(crate) fn render(args: &RenderArgs, diagnostics: &Diagnostics) -> anyhow::Result<ExitCode> {
    let shared =
        Shared { gate: args.gate.clone(), columns: args.columns, receipts: args.receipts, ..Shared::default() };
    let output = Output::prepare(&shared, diagnostics.loudness())?;
    let check = Check::prepare(&args.gate)?;
    let reports = args.files.iter().map(|file| read_run(file)).collect::<anyhow::Result<Vec<_>>>()?;
    let mut delivery = Delivery::new(&output, check);
    for report in &reports {
        delivery.print(report, reports.len() > 1);
        delivery.write(None, report);
    }
    delivery.conclude(ExitCode::SUCCESS)
}
