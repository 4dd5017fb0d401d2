//! Reads of this process's own memory that cannot fault: the kernel copies, and returns an error when nothing is
//! there. One call reads many places, without allocation, so that tables of the JVM can be read while the world is
//! stopped.

use std::ffi::c_void;

/// Places that one call reads at most (`UIO_MAXIOV` is 1024).
const PLACES: usize = 256;

/// Fills each `part` bytes of `into` from the next of `places`. `false` when one of them could not be read, or when the
/// system forbids such reads.
pub fn read_places(places: impl IntoIterator<Item = u64>, part: usize, into: &mut [u8]) -> bool {
    let mut places = places.into_iter();
    into.chunks_mut(part.max(1) * PLACES).all(|stretch| {
        let mut remote = [libc::iovec { iov_base: std::ptr::null_mut(), iov_len: 0 }; PLACES];
        let mut count = 0;
        for (slot, bytes) in remote.iter_mut().zip(stretch.chunks(part.max(1))) {
            let Some(place) = places.next() else { return false };
            *slot = libc::iovec { iov_base: place as usize as *mut c_void, iov_len: bytes.len() };
            count += 1;
        }
        let local = libc::iovec { iov_base: stretch.as_mut_ptr().cast(), iov_len: stretch.len() };
        // SAFETY: the local part is the slice; the remote ones are only read, by the kernel, which fails where nothing
        // is mapped.
        let read = unsafe { libc::process_vm_readv(libc::getpid(), &local, 1, remote.as_ptr(), count, 0) };
        usize::try_from(read).is_ok_and(|read| read == stretch.len())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_places_are_read_at_once_and_a_wrong_one_is_no_fault() {
        let words: Vec<Box<u64>> = (0..1000).map(|number| Box::new(number * 3)).collect();
        let places = || words.iter().map(|word| std::ptr::from_ref(&**word) as u64);
        let mut bytes = vec![0; 8000];
        assert!(read_places(places(), 8, &mut bytes));
        let read: Vec<u64> = bytes.as_chunks::<8>().0.iter().map(|word| u64::from_ne_bytes(*word)).collect();
        assert_eq!(read, (0..1000).map(|number| number * 3).collect::<Vec<_>>());
        assert!(!read_places([8_u64], 8, &mut bytes[..8]));
        assert!(!read_places(places().take(3), 8, &mut bytes), "too few places");
    }
}
