//! Sentences of a report, read back as the values from which they were made. A value is accepted only if it is written
//! as exactly the same sentence; where the sentence does not state the whole value, the value holds the sentence.
//!
//! The engine decides on values, never on these sentences: only reports that were read from JSON come here.

use super::trace::{LeakTrace, TraceLine, UNDERLINE};
use super::{CaptureMethod, End, Frame, MarkMethod, Method, Note, Status};
use crate::tracking::Untracked;
use serde::de::{Error, Unexpected};
use serde::{Deserialize, Deserializer};
use std::fmt::Display;

/// Reads a status from its sentence; [`Status::AsRead`] where the sentence is incomplete: for a start and for the end
/// of a given time.
impl<'de> Deserialize<'de> for Status {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer).map(status)
    }
}

/// Reads a note from its text; [`Note::AsRead`] where names or numbers are shortened in it.
impl<'de> Deserialize<'de> for Note {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer).map(note)
    }
}

/// Reads a reason from its text; any other text is a reason in the words of its author.
impl<'de> Deserialize<'de> for Untracked {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer).map(untracked)
    }
}

/// Reads a frame as Java prints it; an error for a text without class, method or place.
impl<'de> Deserialize<'de> for Frame {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        frame(&text).ok_or_else(|| Error::invalid_value(Unexpected::Str(&text), &"`Class.method(File.java:1)`"))
    }
}

/// Reads a method by its name; the error for any other text lists the names.
impl<'de> Deserialize<'de> for Method {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        let capture = CaptureMethod::named(&name).map(Self::Capture);
        capture.or_else(|| MarkMethod::named(&name).map(Self::Mark)).ok_or_else(|| {
            let names = [CaptureMethod::NAMES, MarkMethod::NAMES].concat().join("`, `");
            Error::custom(format!("unknown method `{name}`, expected one of `{names}`"))
        })
    }
}

/// Reads a trace from the lines of its text, from which the route cannot be rebuilt.
impl<'de> Deserialize<'de> for LeakTrace {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Vec::<String>::deserialize(deserializer).map(|lines| Self::AsRead(trace_lines(lines)))
    }
}

fn status(text: String) -> Status {
    let [number, _] = numbers(&text);
    let all = [
        Status::AwaitingJvm,
        Status::AwaitingProgram,
        Status::Surveying,
        Status::Marking,
        Status::Settling { due_s: number },
        Status::AwaitingRequest { due_s: number },
        Status::Capturing,
        Status::AwaitingTurn,
        Status::Tracking,
        Status::GivenUp,
        Status::Incapable,
        Status::DryRun,
        Status::Compared { dumps: size(number) },
    ];
    let ends = [End::JvmEnded, End::Detached, End::Lost, End::Interrupted, End::Failed].map(Status::Ended);
    let program_ended = way_of_end(&text).map(|how| Status::Ended(End::ProgramEnded(how)));
    written_as(&text, all.into_iter().chain(ends).chain(program_ended)).unwrap_or(Status::AsRead(text))
}

/// The text in the brackets of `the program ended (exit status: 0)`.
fn way_of_end(text: &str) -> Option<String> {
    Some(text.split_once('(')?.1.strip_suffix(')')?.to_owned())
}

fn note(text: String) -> Note {
    let [first, second] = numbers(&text);
    let all = [
        Note::FillsArray { filled: first, slots: second },
        Note::FullLikeOthers { filled: second, most: first },
        Note::DroppedBefore { filled: second, most: first },
        Note::InOneArray { slots: first },
        Note::RepeatsInOneArray { slots: first },
        Note::SomeOfMany { followed: first, all: second },
        Note::Counted { captures: first },
    ];
    written_as(&text, all).unwrap_or(Note::AsRead(text))
}

fn untracked(text: String) -> Untracked {
    let number = size(numbers(&text)[0]);
    let all = [
        Untracked::RanksTooLow { most: number },
        Untracked::OneOfMany { count: number },
        Untracked::Part,
        Untracked::InsideMember,
        Untracked::OwnerGone,
        Untracked::NoSizeYet,
        Untracked::SizeTooRough,
    ];
    written_as(&text, all).unwrap_or(Untracked::Unreadable(text))
}

fn frame(text: &str) -> Option<Frame> {
    let (code, place) = text.strip_suffix(')')?.rsplit_once('(')?;
    let (class, method) = code.rsplit_once('.')?;
    let line = place.rsplit_once(':').and_then(|(file, line)| Some((file, line.parse::<u32>().ok()?)));
    let of = |file: Option<&str>, line| Frame {
        class: class.to_owned(),
        method: method.to_owned(),
        file: file.map(str::to_owned),
        line,
    };
    let with_line = line.map(|(file, line)| of(Some(file), Some(line)));
    written_as(text, [of(None, None)].into_iter().chain(with_line).chain([of(Some(place), None)]))
}

/// Lines, each with its underlined columns. Underlines that follow no line are lines of their own.
fn trace_lines(texts: Vec<String>) -> Vec<TraceLine> {
    let mut lines: Vec<TraceLine> = Vec::new();
    for text in texts {
        match (underlined(&text), lines.last_mut()) {
            (Some(marked), Some(above)) if above.marked.is_none() => above.marked = Some(marked),
            _ => lines.push(TraceLine { text, marked: None }),
        }
    }
    lines
}

/// The columns above a line of nothing but underlines.
fn underlined(text: &str) -> Option<(usize, usize)> {
    let marks = text.trim_start_matches(' ');
    let is_underline = !marks.is_empty() && marks.trim_start_matches(UNDERLINE).is_empty();
    is_underline.then_some((text.len() - marks.len(), text.len()))
}

/// The first of the values that is written as this text.
fn written_as<T: Display>(text: &str, values: impl IntoIterator<Item = T>) -> Option<T> {
    values.into_iter().find(|value| value.to_string() == text)
}

/// The first two numbers in a text; 0 for one that is missing or too large.
fn numbers(text: &str) -> [u64; 2] {
    let mut found = text.split(|letter: char| !letter.is_ascii_digit()).filter(|digits| !digits.is_empty());
    [(); 2].map(|()| found.next().and_then(|digits| digits.parse().ok()).unwrap_or(0))
}

fn size(number: u64) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

#[cfg(test)]
#[path = "sentences_tests.rs"]
mod tests;
