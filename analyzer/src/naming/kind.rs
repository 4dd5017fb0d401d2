//! What kind of thing an object is.

use super::named::named;

named! {
    /// What kind of thing an object is.
    #[derive(Default)]
    pub enum Kind {
        /// None of the others.
        #[default]
        Object = "object",
        /// A class mirror.
        Class = "class",
        /// The object of a live thread.
        Thread = "thread",
        /// The loader of a class; only reports on dumps tell it from other objects.
        ClassLoader = "class loader",
    }
}
