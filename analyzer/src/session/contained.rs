//! A panic of the analysis is a defect of Rootbound and must not end the session: it is reported, and the regions that
//! are followed already stay followed.

use std::panic::{AssertUnwindSafe, catch_unwind};

/// The message of a panic.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub(super) struct Panicked(String);

/// Runs `work`, which may panic, and returns the panic's message in that case. Values that it was changing must not be
/// used afterwards.
pub(super) fn contained<T>(work: impl FnOnce() -> T) -> Result<T, Panicked> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|payload| {
        let text = payload.downcast_ref::<String>().cloned();
        let text = text.or_else(|| payload.downcast_ref::<&str>().map(|&text| text.to_owned()));
        Panicked(text.unwrap_or_else(|| "a panic without words".to_owned()))
    })
}

#[cfg(test)]
mod tests {
    use super::{Panicked, contained};

    #[test]
    #[allow(clippy::panic)]
    fn a_panic_is_reported_in_its_words() {
        assert_eq!(contained(|| 1), Ok(1));
        let number = 7;
        assert_eq!(contained::<()>(|| panic!("plain")), Err(Panicked("plain".to_owned())));
        assert_eq!(contained::<()>(|| panic!("number {number}")), Err(Panicked("number 7".to_owned())));
        assert_eq!(contained::<()>(|| std::panic::panic_any(7)), Err(Panicked("a panic without words".to_owned())));
    }
}
