//! Enums whose values have one name each: the word by which reports call them.

/// Declares an enum with a name for each value, which is its text and its JSON.
macro_rules! named {
    ($(#[$about:meta])* pub enum $kind:ident { $($(#[$doc:meta])* $value:ident = $name:literal,)+ }) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $kind {
            $($(#[$doc])* $value,)+
        }

        impl $kind {
            /// As reports call it.
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
    };
}

pub(crate) use named;
