//! A terminal for a program under test: what it draws can be read, keys can be pressed, and it can go away.

use rustix::fs::{Mode, OFlags, open};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};
use std::ffi::CString;
use std::fs::File;
use std::io::{Read, Write};
use std::process::{Child, Command, Stdio};
use std::thread::{self, JoinHandle};

/// The keyboard's and screen's side of a terminal of 120 columns and 40 rows. It goes away when it is dropped.
#[derive(Debug)]
pub struct Terminal {
    /// What is drawn is read here, and keys are written.
    pub screen: File,
    name: CString,
}

impl Terminal {
    /// A new terminal.
    ///
    /// # Panics
    /// When the system has none left.
    #[must_use]
    pub fn open() -> Self {
        let screen = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC).expect("a terminal");
        grantpt(&screen).and_then(|()| unlockpt(&screen)).expect("the terminal can be used");
        let size = Winsize { ws_row: 40, ws_col: 120, ws_xpixel: 0, ws_ypixel: 0 };
        tcsetwinsize(&screen, size).expect("the terminal has a size");
        let name = ptsname(&screen, Vec::new()).expect("the terminal has a name");
        Self { screen: File::from(screen), name }
    }

    /// Starts a command in a session of its own with this terminal, so that it notices when the terminal goes.
    ///
    /// # Panics
    /// When it cannot be started.
    #[must_use]
    pub fn start(&self, command: &Command) -> Child {
        let window = || {
            let window = open(&self.name, OFlags::RDWR | OFlags::NOCTTY, Mode::empty()).expect("the terminal is there");
            Stdio::from(File::from(window))
        };
        let mut session = Command::new("setsid");
        session.arg("--ctty").arg(command.get_program()).args(command.get_args());
        for (name, value) in command.get_envs() {
            match value {
                Some(value) => session.env(name, value),
                None => session.env_remove(name),
            };
        }
        session.stdin(window()).stdout(window()).stderr(window());
        session.spawn().expect("setsid starts")
    }

    /// Presses keys.
    ///
    /// # Panics
    /// When the terminal has gone.
    pub fn press(&self, keys: &str) {
        (&self.screen).write_all(keys.as_bytes()).expect("keys can be pressed");
    }

    /// Reads what is drawn from now on, so that the program can go on drawing; returns it at the end.
    ///
    /// # Panics
    /// When the terminal has gone.
    #[must_use]
    pub fn watch(&self) -> JoinHandle<String> {
        let mut screen = self.screen.try_clone().expect("a second handle");
        thread::spawn(move || {
            let (mut part, mut drawn) = (vec![0; 4096], String::new());
            while let Ok(count @ 1..) = screen.read(&mut part) {
                drawn.push_str(&String::from_utf8_lossy(&part[..count]));
            }
            drawn
        })
    }
}
