//! Costs of every pause and every child: from the agent's messages to the report.

use super::methods;
use crate::report::{Child, MarkMethod, Method, Snapshot, SnapshotKind, Stop, StopKind};
use rootbound_wire::message::{CaptureDone, CaptureMethod, ChildReceipt, MarkDone};

pub(super) fn child(receipt: &ChildReceipt) -> Child {
    Child {
        lifetime_ms: receipt.lifetime_ms,
        cpu_ms: receipt.cpu_ms,
        private_bytes: receipt.private_bytes,
        parent_faults: receipt.parent_faults,
        collections: receipt.collections,
        longest_collection_ms: receipt.longest_collection_ms,
        usual_collection_ms: receipt.usual_collection_ms,
        left_out_bytes: receipt.left_out_bytes,
        waited_ms: receipt.waited_ms,
        copied_ahead_bytes: receipt.copied_ahead_bytes,
        huge_pages_split_bytes: receipt.huge_pages_split_bytes,
        huge_pages_restored_bytes: receipt.huge_pages_restored_bytes,
    }
}

/// The pause of a capture, whatever became of it.
pub(super) fn stop_of_capture(done: &CaptureDone, method: CaptureMethod) -> Option<Stop> {
    let what = match method {
        CaptureMethod::Fork => StopKind::Fork,
        CaptureMethod::InProcess => StopKind::InProcess,
        CaptureMethod::Tags => StopKind::Tags,
    };
    stop(done.at_ms, what, done.pause_ms)
}

/// The pause of a mark; marking by paths causes one only where paths begin at objects to which local variables refer.
pub(super) fn stop_of_mark(done: &MarkDone, by_paths: bool) -> Option<Stop> {
    let what = if by_paths { StopKind::PathBeginnings } else { StopKind::Iteration };
    stop(done.at_ms, what, done.pause_ms)
}

pub(super) fn stop(at_ms: u64, what: StopKind, ms: f64) -> Option<Stop> {
    (ms > 0.0).then_some(Stop { at_s: at_ms as f64 / 1000.0, what, ms })
}

/// A capture as the report lists it; the caller fills in the facts of the heap.
pub(super) fn capture(done: &CaptureDone, method: CaptureMethod) -> Snapshot {
    Snapshot {
        at_s: done.at_ms as f64 / 1000.0,
        method: Some(Method::Capture(methods::reported(method))),
        identity: Some(methods::identity(method)),
        pause_ms: done.pause_ms,
        child: done.child.as_ref().map(child),
        agent_bytes: (done.agent_bytes > 0).then_some(done.agent_bytes),
        remark: done.remark.clone(),
        ..Snapshot::new(SnapshotKind::Capture)
    }
}

/// A mark as the report lists it.
pub(super) fn mark(done: &MarkDone, by_paths: bool) -> Snapshot {
    Snapshot {
        at_s: done.at_ms as f64 / 1000.0,
        method: Some(Method::Mark(if by_paths { MarkMethod::Paths } else { MarkMethod::Iteration })),
        objects: Some(done.objects),
        marked: Some(done.marked),
        missed: by_paths.then_some(done.missed.len() as u64),
        pause_ms: done.pause_ms,
        failure: done.failure.clone(),
        ..Snapshot::new(SnapshotKind::Mark)
    }
}
