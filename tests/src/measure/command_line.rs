//! The command line of a bench: the part to measure, and `--key value` pairs.

use super::machine;
use super::option_error::OptionError;

/// Options of a bench.
pub trait Options: Default {
    /// Takes in one option, if it is one of its own.
    ///
    /// # Errors
    /// When the value is invalid.
    fn take(&mut self, key: &str, value: &str) -> Result<bool, OptionError>;
}

/// Parts of a bench, by name.
pub type Parts<O> = [(&'static str, fn(&O))];

/// Runs the part that the command line names, or prints the usage. A bench of one part has no name for it.
pub fn run<O: Options>(usage: &str, parts: &Parts<O>) {
    // Cargo passes `--bench` to a benchmark.
    let mut arguments = std::env::args().skip(1).filter(|argument| argument != "--bench");
    let part = match parts {
        [(_, only)] => Some(only),
        _ => arguments.next().and_then(|name| parts.iter().find(|part| part.0 == name)).map(|part| &part.1),
    };
    let Some(part) = part else { return println!("{usage}") };
    match options::<O>(arguments) {
        Ok(options) => {
            println!("{}\n", machine::facts());
            part(&options);
        }
        Err(error) => eprintln!("{error}\n\n{usage}"),
    }
}

fn options<O: Options>(mut arguments: impl Iterator<Item = String>) -> Result<O, OptionError> {
    let mut options = O::default();
    while let Some(key) = arguments.next() {
        let value = arguments.next().ok_or_else(|| OptionError::NoValue(key.clone()))?;
        if !options.take(&key, &value)? {
            return Err(OptionError::Unknown(key));
        }
    }
    Ok(options)
}
