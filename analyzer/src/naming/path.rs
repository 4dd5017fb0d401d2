//! Paths through a heap that outlive it: each step has the names of its field and class, and its kind.

use super::{Kind, Reference};
use serde::{Serialize, Serializer};
use std::fmt;

/// Stands before the number of equal steps.
pub(super) const REPEATED: char = '×';

/// Root by which the JVM holds an object.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum GcRoot {
    /// It is a class, or an object that the JVM lists among the classes.
    Class,
    /// It is a live thread.
    Thread,
    /// A local variable.
    Local {
        /// The method of the local variable.
        method: Option<String>,
        /// Name of the thread that runs the method.
        thread: Option<String>,
    },
    /// Native code.
    JniGlobal,
    /// A thread has entered its monitor.
    Monitor,
    /// Something else.
    Other,
}

/// The object at the beginning of a path.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Start {
    /// Kind of that object.
    pub kind: Kind,
    /// Its class, or the class that it is the mirror of.
    pub class: String,
    /// Name of a thread; empty for all other objects.
    pub thread: String,
}

/// A reference and its target.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Step {
    /// Reference to the object.
    pub reference: Reference,
    /// Its class, or the class that it is the mirror of.
    pub class: String,
    /// Number of repetitions of the step: the path into a list has one step as often as the list is long.
    pub times: usize,
}

/// An element of a path.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum PathStep {
    /// GC root of the first object.
    Root(GcRoot),
    /// The first object.
    Start(Start),
    /// A reference to the next object.
    Step(Step),
    /// The text of an element that was read from a report and may be parsed in more than one way.
    AsRead(String),
}

impl PathStep {
    /// The step, if it is a reference.
    #[must_use]
    pub fn step(&self) -> Option<&Step> {
        match self {
            Self::Step(step) => Some(step),
            Self::Root(_) | Self::Start(_) | Self::AsRead(_) => None,
        }
    }
}

/// Adds a step to a path. One that equals the last increases its count.
pub fn push_step(steps: &mut Vec<Step>, reference: Reference, class: &str) {
    match steps.last_mut() {
        Some(last) if last.reference == reference && last.class == class => last.times += 1,
        _ => steps.push(Step { reference, class: class.to_owned(), times: 1 }),
    }
}

/// `local variable of com.example.Shop.main (thread "main")`; empty for classes, which need no root.
impl fmt::Display for GcRoot {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Class => Ok(()),
            Self::Thread => formatter.write_str("live thread"),
            Self::Local { method, thread } => {
                formatter.write_str("local variable")?;
                if let Some(method) = method {
                    write!(formatter, " of {method}")?;
                }
                thread.as_ref().map_or(Ok(()), |name| write!(formatter, " (thread \"{name}\")"))
            }
            Self::JniGlobal => formatter.write_str("JNI global reference"),
            Self::Monitor => formatter.write_str("held monitor"),
            Self::Other => formatter.write_str("JVM root"),
        }
    }
}

/// `class com.example.Shop`, `thread "main": java.lang.Thread`, `com.example.Shop`.
impl fmt::Display for Start {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind {
            Kind::Class => write!(formatter, "class {}", self.class),
            Kind::Thread => write!(formatter, "thread \"{}\": {}", self.thread, self.class),
            Kind::Object | Kind::ClassLoader => formatter.write_str(&self.class),
        }
    }
}

/// `.next: com.example.Node ×7`.
impl fmt::Display for Step {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}: {}", self.reference, self.class)?;
        write_times(formatter, " ", self.times)
    }
}

pub(super) fn write_times(formatter: &mut fmt::Formatter<'_>, gap: &str, times: usize) -> fmt::Result {
    if times == 1 { Ok(()) } else { write!(formatter, "{gap}{REPEATED}{times}") }
}

impl fmt::Display for PathStep {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Root(root) => root.fmt(formatter),
            Self::Start(start) => start.fmt(formatter),
            Self::Step(step) => step.fmt(formatter),
            Self::AsRead(text) => formatter.write_str(text),
        }
    }
}

impl Serialize for PathStep {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}
