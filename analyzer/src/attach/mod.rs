//! Attaching to a running HotSpot JVM: finding it, refusing before anything is touched, placing the agent's library
//! where the JVM can read it, and loading it over the JVM's own attach socket. Works through `/proc/PID/root` alone: no
//! namespace is entered and no user changed, and no link of the program's leads out of its own files.
//!
//! Reading order: [`jvm`] (a JVM as `/proc` shows it), [`files`] (its files), [`listing`] (all of them), [`flags`] and
//! [`checks`] (reasons to refuse), [`place`] (the folder of library and socket), [`leftovers`] (those of killed
//! analyzers), [`handshake`] (the JVM's socket), [`load`] (the command and its reply), [`error`].

pub mod checks;
pub mod error;
pub mod files;
pub mod flags;
pub mod handshake;
pub mod jvm;
pub mod leftovers;
pub mod listing;
pub mod load;
pub mod place;
