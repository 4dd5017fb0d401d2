//! Kinds of object.

use super::named::named;

named! {
    /// Kind of an object.
    #[derive(Default)]
    pub enum Kind {
        /// None of the others.
        #[default]
        Object = "object",
        /// A class mirror.
        Class = "class",
        /// The object of a live thread.
        Thread = "thread",
        /// The loader of a class; only reports on dumps distinguish it from other objects.
        ClassLoader = "class loader",
    }
}
