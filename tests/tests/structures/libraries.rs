//! Collections of libraries, where Debian's packages of them are installed.
