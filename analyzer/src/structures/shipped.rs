//! The descriptions that come with the program. They are data: the code knows no class by name.

use super::language::{Complaint, DescriptionFile, parse};

/// A shipped file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shipped {
    /// Its name, without folder or ending.
    pub name: &'static str,
    /// Its text.
    pub text: &'static str,
}

/// All shipped files: the JDK's collections first, then those of libraries.
pub const SHIPPED: [Shipped; 8] = [
    Shipped { name: "jdk", text: include_str!("../../structures/jdk.ds") },
    Shipped { name: "guava", text: include_str!("../../structures/guava.ds") },
    Shipped { name: "caffeine", text: include_str!("../../structures/caffeine.ds") },
    Shipped { name: "fastutil", text: include_str!("../../structures/fastutil.ds") },
    Shipped { name: "netty", text: include_str!("../../structures/netty.ds") },
    Shipped { name: "scala", text: include_str!("../../structures/scala.ds") },
    Shipped { name: "clojure", text: include_str!("../../structures/clojure.ds") },
    Shipped { name: "kotlin", text: include_str!("../../structures/kotlin.ds") },
];

impl Shipped {
    /// The file of that name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        SHIPPED.into_iter().find(|shipped| shipped.name == name)
    }

    /// Its descriptions.
    ///
    /// # Errors
    /// None in a released program: a test reads every file.
    pub fn descriptions(self) -> Result<DescriptionFile, Vec<Complaint>> {
        parse(self.name, self.text).map(|file| DescriptionFile { is_shipped: true, ..file })
    }
}
