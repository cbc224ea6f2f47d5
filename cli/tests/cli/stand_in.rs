//! A stand-in for the daemon: real HTTP/1.1 on loopback, scripted answers, and the power to hang up at the worst
//! moment. It remembers what it was asked.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};

/// What was asked.
#[derive(Clone, Debug, Default)]
pub(crate) struct Request {
    /// `POST /api/login`.
    pub(crate) line: String,
    /// Names in lower case.
    pub(crate) headers: BTreeMap<String, String>,
    /// The body, decoded from its chunks.
    pub(crate) body: String,
}

impl Request {
    /// A header, or nothing.
    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", String::as_str)
    }

    /// The values of a multipart field, in order.
    pub(crate) fn fields(&self, name: &str) -> Vec<String> {
        let boundary = self.header("content-type").split("boundary=").nth(1).unwrap_or_default();
        let delimiter = format!("--{boundary}");
        let parts = self.body.split(&delimiter);
        let named = parts.filter(|part| part.contains(&format!("name=\"{name}\"")));
        named
            .filter_map(|part| part.split_once("\r\n\r\n"))
            .map(|(_, value)| value.strip_suffix("\r\n").unwrap_or(value).to_owned())
            .collect()
    }
}

/// What to answer.
#[derive(Clone, Debug)]
pub(crate) enum Answer {
    /// A status and a JSON body.
    Json(u16, Value),
    /// Text of a content type.
    Text(&'static str, String),
    /// Nothing: the connection is closed.
    HangUp,
}

/// A problem document.
pub(crate) fn problem(status: u16, code: &str, detail: &str) -> Answer {
    let document = json!({
        "type": format!("/problems/{code}"), "title": "", "status": status, "detail": detail, "code": code,
        "message": detail, "request_id": "r-1",
    });
    Answer::Json(status, document)
}

/// A running stand-in.
#[derive(Debug)]
pub(crate) struct StandIn {
    /// Its address.
    pub(crate) url: String,
    requests: Arc<Mutex<Vec<Request>>>,
}

impl StandIn {
    /// Starts one that answers as told; it lives as long as the test.
    pub(crate) fn new(answer: impl Fn(&Request) -> Answer + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let requests = Arc::new(Mutex::new(Vec::new()));
        let (log, answer) = (Arc::clone(&requests), Arc::new(answer));
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (log, answer) = (Arc::clone(&log), Arc::clone(&answer));
                std::thread::spawn(move || serve(stream, &log, &*answer));
            }
        });
        Self { url, requests }
    }

    /// What it was asked so far.
    pub(crate) fn requests(&self) -> Vec<Request> {
        self.requests.lock().unwrap().clone()
    }

    /// The first lines of what it was asked so far.
    pub(crate) fn lines(&self) -> Vec<String> {
        self.requests().into_iter().map(|request| request.line).collect()
    }
}

fn serve(
    mut stream: TcpStream,
    log: &Mutex<Vec<Request>>,
    answer: &(dyn Fn(&Request) -> Answer + Send + Sync),
) {
    let Some(request) = read(&stream) else { return };
    log.lock().unwrap().push(request.clone());
    let (status, kind, body) = match answer(&request) {
        Answer::Json(status, body) => (status, "application/json", body.to_string()),
        Answer::Text(kind, body) => (200, kind, body),
        Answer::HangUp => return,
    };
    let date = "Mon, 04 Jan 2027 08:00:12 GMT";
    let head =
        format!("HTTP/1.1 {status} X\r\nDate: {date}\r\nContent-Type: {kind}\r\nConnection: close\r\n\r\n");
    let _ = stream.write_all(format!("{head}{body}").as_bytes());
}

fn read(stream: &TcpStream) -> Option<Request> {
    let mut reader = BufReader::new(stream);
    let mut line = String::new();
    reader.read_line(&mut line).ok()?;
    let mut request = Request { line: line.trim().replace(" HTTP/1.1", ""), ..Request::default() };
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).ok()?;
        let Some((name, value)) = line.trim().split_once(": ") else { break };
        request.headers.insert(name.to_lowercase(), value.to_owned());
    }
    let body = if request.header("transfer-encoding") == "chunked" {
        read_chunks(&mut reader)?
    } else {
        let mut body = vec![0; request.header("content-length").parse().unwrap_or(0)];
        reader.read_exact(&mut body).ok()?;
        body
    };
    request.body = String::from_utf8(body).ok()?;
    Some(request)
}

fn read_chunks(reader: &mut impl BufRead) -> Option<Vec<u8>> {
    let mut body = Vec::new();
    loop {
        let mut size = String::new();
        reader.read_line(&mut size).ok()?;
        let size = usize::from_str_radix(size.trim(), 16).ok()?;
        let mut chunk = vec![0; size + 2];
        reader.read_exact(&mut chunk).ok()?;
        if size == 0 {
            return Some(body);
        }
        body.extend_from_slice(&chunk[..size]);
    }
}
