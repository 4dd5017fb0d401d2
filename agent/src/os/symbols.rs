//! Symbols of a loaded library. Their addresses only: nothing is called and nothing read here.

use std::ffi::{CStr, CString, c_void};

/// The addresses of these names in a library that is loaded already; `None` when it or one of them is not there.
pub fn of_library<const N: usize>(library: &CStr, names: [&str; N]) -> Option<[u64; N]> {
    // SAFETY: the name is zero-terminated; NOLOAD gives a handle of a library that is loaded already, or null.
    let handle = unsafe { libc::dlopen(library.as_ptr(), libc::RTLD_LAZY | libc::RTLD_NOLOAD) };
    if handle.is_null() {
        return None;
    }
    let found = names.map(|name| address(handle, name).unwrap_or(0));
    // SAFETY: the handle came from dlopen and is closed once; the library stays loaded by its first user.
    unsafe { libc::dlclose(handle) };
    (!found.contains(&0)).then_some(found)
}

fn address(library: *mut c_void, name: &str) -> Option<u64> {
    let name = CString::new(name).ok()?;
    // SAFETY: the handle is alive and the name zero-terminated.
    let symbol = unsafe { libc::dlsym(library, name.as_ptr()) };
    Some(symbol as u64)
}

#[cfg(test)]
mod tests {
    use super::of_library;

    #[test]
    fn a_loaded_library_is_known_and_another_is_not_loaded() {
        assert!(of_library(c"libc.so.6", ["malloc"]).is_some_and(|[address]| address > 0));
        assert_eq!(of_library(c"libc.so.6", ["no_such_symbol_anywhere"]), None);
        assert_eq!(of_library(c"libnobody-has-this.so", ["malloc"]), None);
    }
}
