//! Enums whose values have one name each: the word in reports.

/// Declares an enum with a name for each value, which is its text and its JSON.
macro_rules! named {
    ($(#[$about:meta])* pub enum $kind:ident { $($(#[$doc:meta])* $value:ident = $name:literal,)+ }) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $kind {
            $($(#[$doc])* $value,)+
        }

        impl $kind {
            /// The name of each value, in their order.
            pub const NAMES: &'static [&'static str] = &[$($name,)+];

            /// The value of this name; `None` where no value has it.
            #[must_use]
            pub fn named(name: &str) -> Option<Self> {
                match name {
                    $($name => Some(Self::$value),)+
                    _ => None,
                }
            }

            /// The name in reports.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$value => $name,)+
                }
            }
        }

        impl std::fmt::Display for $kind {
            fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.pad(self.name())
            }
        }

        impl serde::Serialize for $kind {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.name())
            }
        }

        /// Reads a value by its name; the error for any other text lists the names.
        impl<'de> serde::Deserialize<'de> for $kind {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let name = <String as serde::Deserialize>::deserialize(deserializer)?;
                Self::named(&name).ok_or_else(|| serde::de::Error::unknown_variant(&name, Self::NAMES))
            }
        }
    };
}

pub(crate) use named;
