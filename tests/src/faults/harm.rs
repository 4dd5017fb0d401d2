//! Check whether a program was harmed: it must run, end with its own status, have done its work right, and find nothing
//! left behind. Returns sentences, and judges nothing by the clock.

use super::subject::{self, EXIT_CODE};
use crate::jni_check;
use crate::process::Ended;

/// All harm to a program that was to end by itself.
pub fn done_to(ended: &Ended) -> Vec<String> {
    let mut found = Vec::new();
    if ended.code() != Some(EXIT_CODE) {
        found.push(format!("it ended with {}", ended.status));
    }
    found.extend(subject::mistakes(&ended.stdout));
    found.extend(jni_check::complaints(&format!("{}\n{}", ended.stdout, ended.stderr)));
    found
}
