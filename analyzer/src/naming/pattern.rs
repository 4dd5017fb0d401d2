//! Names with `*` for any letters, including none.

/// A pattern for one name or many.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    text: String,
}

impl Pattern {
    /// The pattern of a typed text.
    pub fn new(text: &str) -> Self {
        Self { text: text.trim().to_owned() }
    }

    /// The typed text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether the whole name fits. Without a `*` it must be equal.
    pub fn fits(&self, name: &str) -> bool {
        let mut parts = self.text.split('*');
        let Some(mut rest) = parts.next().and_then(|first| name.strip_prefix(first)) else { return false };
        let Some(last) = parts.next_back() else { return rest.is_empty() };
        for part in parts {
            let Some(at) = rest.find(part) else { return false };
            rest = &rest[at + part.len()..];
        }
        rest.len() >= last.len() && rest.ends_with(last)
    }
}
