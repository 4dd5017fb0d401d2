//! A name for a region that survives restarts: made of names of classes and fields, never of addresses or numbers.

/// FNV-1a over the words that make a region what it is: leak root, path of the owner, type of the change-proxy.
/// Generated parts of class names (lambdas, hidden classes, proxies) end with numbers that differ from run to run;
/// digits are therefore left out.
pub fn fingerprint(words: &[&str]) -> String {
    const OFFSET: u64 = 0xcbf2_9ce4_8422_2325;
    const PRIME: u64 = 0x0000_0100_0000_01b3;
    let mut hash = OFFSET;
    let mut mix = |byte: u8| hash = (hash ^ u64::from(byte)).wrapping_mul(PRIME);
    for word in words {
        word.bytes().filter(|byte| !byte.is_ascii_digit()).for_each(&mut mix);
        mix(0);
    }
    format!("{hash:016x}")
}
