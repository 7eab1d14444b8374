//! A test server and the client process.

use sabi_test_support::{Folder, exit_status};
use std::fs;
use std::io::{BufRead, BufReader, ErrorKind, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// Timeout for normal operations; long because of loaded machines.
const TIMEOUT: Duration = Duration::from_secs(60);

/// Must never be printed.
pub const PASSWORD: &str = "s3cr3t-31337";

/// Quick moves without a book, the same in every run: of several threads, the one chosen may have
/// a line of one move.
const QUICK: &str = "Threads = 1\nUSI_Hash = 1\nEvalType = 'hand'\nUSI_OwnBook = false\n\
                     MinimumThinkingTime = 0\nRoundUpToFullSecond = false\n";

pub struct Server(TcpListener);

impl Server {
    pub fn new() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        listener.set_nonblocking(true).expect("a socket");
        Self(listener)
    }

    /// Starts the program with more configuration keys and instant moves.
    pub fn sabi(&self, keys: &str) -> Sabi {
        self.sabi_with(keys, "DepthLimit = 4")
    }

    /// The same with engine options in place of the limit.
    pub fn sabi_with(&self, keys: &str, options: &str) -> Sabi {
        self.start(&[], keys, options)
    }

    /// The same with `--check`.
    pub fn checking(&self) -> Sabi {
        self.start(&["--check"], "", "DepthLimit = 4")
    }

    fn start(&self, arguments: &[&str], keys: &str, options: &str) -> Sabi {
        let port = self.0.local_addr().expect("an address").port();
        let config = format!(
            "host = '127.0.0.1'\nport = {port}\nuser = 'sabi'\npassword = '{PASSWORD}'\nlatency_margin = 0\n{keys}\n\
             [reconnect]\nfirst = 1\nmost = 1\ntries = 4\n[options]\n{QUICK}{options}"
        );
        Sabi::start(arguments, &config)
    }

    pub fn accept(&self) -> Peer {
        let start = Instant::now();
        loop {
            match self.0.accept() {
                Ok((stream, _)) => return Peer::new(stream),
                Err(error) if error.kind() == ErrorKind::WouldBlock && start.elapsed() < TIMEOUT => {
                    thread::sleep(Duration::from_millis(10));
                }
                Err(error) => panic!("the program does not connect: {error}"),
            }
        }
    }

    /// The next connection, logged in.
    pub fn logged_in(&self) -> Peer {
        let mut peer = self.accept();
        assert_eq!(peer.line(), format!("LOGIN sabi {PASSWORD}"));
        peer.send("LOGIN:sabi OK\n");
        peer
    }

    /// A client with these keys as Black in an even game, and its first move, which is echoed with
    /// this time.
    pub fn in_game(&self, keys: &str, time: u32) -> (Sabi, Peer, String) {
        let sabi = self.sabi(keys);
        let mut peer = self.logged_in();
        peer.begin(&summary('+', FISCHER, EVEN));
        let first = peer.repeat(time);
        (sabi, peer, first)
    }
}

/// A connection of the client.
pub struct Peer {
    stream: TcpStream,
    reader: BufReader<TcpStream>,
}

impl Peer {
    fn new(stream: TcpStream) -> Self {
        stream.set_nonblocking(false).expect("a socket");
        stream.set_read_timeout(Some(TIMEOUT)).expect("a socket");
        Self { reader: BufReader::new(stream.try_clone().expect("a socket")), stream }
    }

    pub fn send(&mut self, text: impl AsRef<[u8]>) {
        // The client may have left.
        let _ = self.stream.write_all(text.as_ref());
    }

    /// The next line, empty ones included.
    pub fn any_line(&mut self) -> String {
        let mut line = String::new();
        self.reader.read_line(&mut line).expect("a line");
        assert!(line.ends_with('\n'), "the program left after '{line}'");
        line.pop();
        line
    }

    pub fn line(&mut self) -> String {
        loop {
            let line = self.any_line();
            if !line.is_empty() {
                return line;
            }
        }
    }

    /// Whether the client has left.
    pub fn is_closed(&mut self) -> bool {
        let mut rest = Vec::new();
        let read = self.reader.read_to_end(&mut rest);
        read.is_ok() || read.is_err_and(|error| error.kind() == ErrorKind::ConnectionReset)
    }

    /// Offers a game and starts it.
    pub fn begin(&mut self, summary: &str) {
        self.send(summary);
        assert_eq!(self.line(), "AGREE g-1");
        self.send("START:g-1\n");
    }

    /// Receives a move or statement, and echoes it.
    pub fn repeat(&mut self, time: u32) -> String {
        let line = self.line();
        let mv = line.split(',').next().expect("a word").to_owned();
        self.send(format!("{mv},T{time}\n"));
        line
    }

    pub fn log_out(&mut self) {
        assert_eq!(self.line(), "LOGOUT");
        self.send("LOGOUT:completed\n");
    }
}

/// A game description.
pub fn summary(turn: char, time: &str, position: &str) -> String {
    format!(
        "BEGIN Game_Summary\nProtocol_Version:1.2\nProtocol_Mode:Server\nFormat:Shogi 1.0\nDeclaration:Jishogi 1.1\n\
         Game_ID:g-1\nName+:black\nName-:white\nYour_Turn:{turn}\nRematch_On_Draw:NO\nTo_Move:+\nMax_Moves:256\n\
         BEGIN Time\nTime_Unit:1sec\n{time}END Time\nBEGIN Position\n{position}END Position\nEND Game_Summary\n"
    )
}

pub const EVEN: &str = "PI\n+\n";
pub const FISCHER: &str = "Total_Time:300\nByoyomi:0\nIncrement:10\nLeast_Time_Per_Move:0\n";

/// The client process.
pub struct Sabi {
    child: Child,
    stdout: Option<JoinHandle<String>>,
    stderr: Option<JoinHandle<String>>,
    folder: Folder,
}

pub struct Exited {
    pub success: bool,
    pub stdout: String,
    pub stderr: String,
    /// Records by name.
    pub records: Vec<(String, String)>,
}

impl Sabi {
    fn start(arguments: &[&str], config: &str) -> Self {
        let folder = Folder::new();
        let records = folder.name("records");
        let file = folder.with("csa.toml", format!("records = '{records}'\nlog = '{}'\n{config}", folder.name("log")));
        let mut child = Command::new(env!("CARGO_BIN_EXE_sabi"))
            .args(["csa", "--config", &file])
            .args(arguments)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let read = |mut pipe: Box<dyn Read + Send>| {
            thread::spawn(move || {
                let mut text = String::new();
                pipe.read_to_string(&mut text).expect("UTF-8");
                text
            })
        };
        let stdout = Some(read(Box::new(child.stdout.take().expect("piped"))));
        let stderr = Some(read(Box::new(child.stderr.take().expect("piped"))));
        Self { child, stdout, stderr, folder }
    }

    #[cfg(unix)]
    pub fn interrupt(&self) {
        let status = Command::new("kill").args(["-INT", &self.child.id().to_string()]).status();
        assert!(status.expect("kill").success());
    }

    /// Waits for exit. The password is never printed, and nothing panics.
    pub fn exited(mut self) -> Exited {
        let status = exit_status(&mut self.child, TIMEOUT);
        let text = |thread: &mut Option<JoinHandle<String>>| thread.take().expect("once").join().expect("text");
        let (stdout, stderr) = (text(&mut self.stdout), text(&mut self.stderr));
        let log = fs::read_to_string(self.folder.path("log")).expect("a log");
        assert_eq!(log, stdout, "the log is what is printed");
        assert!(!stdout.contains(PASSWORD) && !stderr.contains(PASSWORD), "{stdout}\n{stderr}");
        assert!(!stderr.contains("panicked"), "{stderr}");
        assert!(stderr.lines().count() <= 1, "{stderr}");
        let mut records: Vec<(String, String)> = fs::read_dir(self.folder.path("records"))
            .expect("a folder")
            .map(|entry| entry.expect("an entry"))
            .map(|entry| {
                let name = entry.file_name().into_string().expect("UTF-8");
                (name, fs::read_to_string(entry.path()).expect("a record"))
            })
            .collect();
        records.sort();
        Exited { success: status.success(), stdout, stderr, records }
    }
}

impl Drop for Sabi {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
