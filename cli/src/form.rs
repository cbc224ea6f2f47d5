//! The form of a campaign: read from the command line, checked, and posted as multipart. Files are streamed; none is
//! ever held in memory whole.

use std::io::IsTerminal;
use std::path::{Path, PathBuf};

use futures::TryStreamExt;
use reqwest::Body;
use reqwest::multipart::{Form, Part};
use talkdrum_api::kind::Kind;
use tokio::io::AsyncRead;
use tokio_util::io::ReaderStream;

use crate::args::{CanaryArgs, ContentArgs, FormArgs, RecipientArgs, SendVoiceArgs};
use crate::exit::{Failure, Result};
use crate::output::is_stdin;
use crate::profile::Defaults;
use crate::progress::Upload;
use crate::vcard_file;
use crate::zone::Zone;

/// The call that quotes and confirms calls to many.
pub(crate) const VOICE_CALL: &str = "/api/voice-call";

/// How much of a file is read at a time.
const READ_BYTES: usize = 128 * 1024;

/// What to send to whom, ready to be posted.
#[derive(Debug)]
pub(crate) struct CampaignForm {
    /// The kind, which is part of the call's path.
    pub(crate) kind: Kind,
    /// Whether it has start times.
    pub(crate) scheduled: bool,
    fields: Vec<Field>,
    sources: Vec<Source>,
    /// What is played in calls, where it is uploaded.
    mp3: Option<PathBuf>,
    /// Whether the message was read from stdin.
    message_from_stdin: bool,
}

/// A small field of the form.
pub(crate) type Field = (&'static str, String);

/// Where recipients come from beside the command line.
#[derive(Debug, PartialEq, Eq)]
enum Source {
    /// A regular file of known size.
    File {
        path: PathBuf,
        size: u64,
    },
    /// A pipe or another stream, which can be read once.
    Stream {
        path: PathBuf,
    },
    Stdin,
}

/// One `--to`.
#[derive(Debug, PartialEq, Eq)]
enum Recipients {
    Numbers(String),
    From(Source),
}

impl CampaignForm {
    /// Reads and checks the options, and every file but those of recipients.
    pub(crate) fn read(args: &FormArgs, zone: &Zone, defaults: &Defaults) -> Result<Self> {
        let kind = args.content.kind.kind();
        let is_from_stdin = |path: &PathBuf| is_stdin(&path.to_string_lossy());
        let message_from_stdin = args.content.message_file.as_ref().is_some_and(is_from_stdin);
        if message_from_stdin && args.recipients.to.iter().any(|to| is_stdin(to.trim_start_matches('@'))) {
            return Err(Failure::usage(
                "stdin is given for the message and for recipients, but there is one stdin",
            ));
        }
        let mut fields = vec![("payment_method", defaults.payment_method(args.pay))];
        match &args.template {
            None => fields.extend(content(&args.content, defaults)?),
            // Its text comes once the daemon was asked for it.
            Some(_) if matches!(kind, Kind::Text | Kind::Flash | Kind::Unicode) => {
                fields.push(("senderid", defaults.sender(args.content.from.as_ref())));
                fields.extend(args.content.purpose.clone().map(|purpose| ("purpose", purpose)));
            }
            Some(_) => {
                return Err(Failure::usage(
                    "a template is the text of a message: use --type text, flash or unicode",
                ));
            }
        }
        for time in &args.at {
            fields.push(("time", zone.read(time)?));
        }
        fields.extend(canary(&args.canary));
        let (contacts, sources) = read_recipients(&args.recipients)?;
        fields.extend(contacts);
        fields.extend(columns(&args.recipients.column, &sources)?);
        Ok(Self { kind, scheduled: !args.at.is_empty(), fields, sources, mp3: None, message_from_stdin })
    }

    /// Calls to many, to be quoted.
    pub(crate) fn of_calls(args: &SendVoiceArgs, zone: &Zone, defaults: &Defaults) -> Result<Self> {
        let mut fields =
            vec![("quote", "1".to_owned()), ("payment_method", defaults.payment_method(args.pay))];
        if let Some(text) = &args.text {
            fields.extend([("ttsMsg", text.clone()), ("ttsVoice", args.voice.clone())]);
        }
        fields.extend(args.purpose.clone().map(|purpose| ("purpose", purpose)));
        fields.extend(args.recording.map(|id| ("audioUrl", id.to_string())));
        fields.extend(args.own_number.clone().map(|number| ("own_number", number)));
        fields.extend(args.virtual_number.clone().map(|number| ("virtual_number", number)));
        fields.extend(args.digit.iter().map(|digit| ("digits", digit.clone())));
        fields.extend(args.plays.map(|plays| ("plays", plays.to_string())));
        for time in &args.at {
            fields.push(("startTime", zone.read(time)?));
        }
        fields.extend(canary(&args.canary));
        let (contacts, sources) = read_recipients(&args.recipients)?;
        fields.extend(contacts);
        fields.extend(columns(&args.recipients.column, &sources)?);
        let scheduled = !args.at.is_empty();
        let mp3 = args.mp3.clone();
        Ok(Self { kind: Kind::Voice, scheduled, fields, sources, mp3, message_from_stdin: false })
    }

    /// Recipients alone, to be looked at.
    pub(crate) fn of_recipients(args: &RecipientArgs) -> Result<Self> {
        let (mut fields, sources) = read_recipients(args)?;
        fields.extend(columns(&args.column, &sources)?);
        Ok(Self { kind: Kind::Text, scheduled: false, fields, sources, mp3: None, message_from_stdin: false })
    }

    /// Says this.
    pub(crate) fn set_message(&mut self, text: String) {
        self.fields.push(("message", text));
    }

    /// Sends to a group of contacts too.
    pub(crate) fn add_group(&mut self, id: i64) {
        self.fields.push(("groups", id.to_string()));
    }

    /// The files of recipients.
    pub(crate) fn files(&self) -> impl Iterator<Item = &Path> {
        self.sources.iter().filter_map(|source| match source {
            Source::File { path, .. } | Source::Stream { path } => Some(path.as_path()),
            Source::Stdin => None,
        })
    }

    /// Whether recipients or the message are read from stdin, which then cannot answer questions.
    pub(crate) fn reads_stdin(&self) -> bool {
        self.message_from_stdin || self.sources.contains(&Source::Stdin)
    }

    /// Its starts in RFC 3339, with the offset of the zone.
    pub(crate) fn starts(&self, zone: &Zone) -> Vec<String> {
        let times = self.fields.iter().filter(|(name, _)| matches!(*name, "time" | "startTime"));
        times.map(|(_, time)| zone.with_offset(time)).collect()
    }

    /// Whether the recipients come from a stream, which cannot be sent a second time.
    pub(crate) fn reads_once(&self) -> bool {
        self.sources.iter().any(|source| !matches!(source, Source::File { .. }))
    }

    /// `send-{kind}-sms` or `schedule-{kind}-sms`; that of calls.
    pub(crate) fn path(&self) -> String {
        if self.kind == Kind::Voice {
            return VOICE_CALL.to_owned();
        }
        format!("/api/{}-{}-sms", action(self.scheduled), self.kind.code())
    }

    /// How many bytes of files there are, where that can be known.
    pub(crate) fn upload_bytes(&self) -> Option<u64> {
        let mp3 = match &self.mp3 {
            Some(path) => std::fs::metadata(path).ok()?.len(),
            None => 0,
        };
        self.sources.iter().try_fold(mp3, |sum, source| match source {
            Source::File { size, .. } => Some(sum + size),
            Source::Stream { .. } | Source::Stdin => None,
        })
    }

    /// Whether there is any file to upload.
    pub(crate) fn has_files(&self) -> bool {
        !self.sources.is_empty() || self.mp3.is_some()
    }

    /// The multipart form: fields first, so that the daemon knows what it is asked before the files come.
    pub(crate) async fn multipart(&self, upload: &Upload) -> Result<Form> {
        let mut form = Form::new();
        for (name, value) in &self.fields {
            form = form.text(*name, value.clone());
        }
        for source in &self.sources {
            form = form.part("file", source.part(upload).await?);
        }
        if let Some(path) = &self.mp3 {
            form = form.part("audioFile", mime(file(path)?.part(upload).await?, "audio/mpeg")?);
        }
        Ok(form)
    }
}

/// The columns of files that are read as numbers.
fn columns(names: &[String], sources: &[Source]) -> Result<Vec<Field>> {
    if !names.is_empty() && sources.is_empty() {
        return Err(Failure::usage("--column needs a file").hint("give the table with --to FILE"));
    }
    Ok(names.iter().map(|name| ("column", name.clone())).collect())
}

/// The verb in the paths of a campaign's calls.
pub(crate) const fn action(scheduled: bool) -> &'static str {
    if scheduled { "schedule" } else { "send" }
}

/// A file, or stdin for `-`, as the one part of a form that has to be streamed.
pub(crate) async fn file_part(path: &str, upload: &dyn Fn(Option<u64>) -> Upload) -> Result<(Part, Upload)> {
    let source = if is_stdin(path) { Source::Stdin } else { file(Path::new(path))? };
    let size = match &source {
        Source::File { size, .. } => Some(*size),
        Source::Stream { .. } | Source::Stdin => None,
    };
    let upload = upload(size);
    Ok((source.part(&upload).await?, upload))
}

/// The MP3 that a command line names as a field of a form, and the progress of its upload.
///
/// # Errors
/// When it cannot be read.
pub(crate) async fn mp3_part(path: &str, upload: &dyn Fn(Option<u64>) -> Upload) -> Result<(Part, Upload)> {
    let (part, upload) = file_part(path, upload).await?;
    // Without a name of its own, it is called as the daemon sees fit.
    let part = if is_stdin(path) { part.file_name("Recording.mp3") } else { part };
    Ok((mime(part, "audio/mpeg")?, upload))
}

/// An open file of known size as a field of a form that is streamed.
pub(crate) fn text_part(file: std::fs::File, size: u64, upload: &Upload) -> Part {
    Part::stream_with_length(body(tokio::fs::File::from_std(file), upload), size)
}

impl Source {
    async fn part(&self, upload: &Upload) -> Result<Part> {
        match self {
            Self::Stdin => {
                let body = body(stdin()?, upload);
                mime(Part::stream(body).file_name("stdin.txt"), "text/plain")
            }
            Self::Stream { path } => {
                let body = body(opened(path).await?, upload);
                mime(Part::stream(body).file_name("stream.txt"), "text/plain")
            }
            Self::File { path, size } => {
                let body = body(opened(path).await?, upload);
                let name = path.file_name().map_or("recipients".into(), |name| name.to_string_lossy());
                let csv = path.extension().is_some_and(|kind| kind.eq_ignore_ascii_case("csv"));
                let part = Part::stream_with_length(body, *size).file_name(name.into_owned());
                mime(part, if csv { "text/csv" } else { "text/plain" })
            }
        }
    }
}

async fn opened(path: &Path) -> Result<tokio::fs::File> {
    let opened = tokio::fs::File::open(path).await;
    opened.map_err(|error| Failure::unreadable(path, &error))
}

/// Stdin as an unbuffered file: nothing of it was read before.
fn stdin() -> Result<tokio::fs::File> {
    let stdin = stdin_file().map_err(|error| Failure::unreadable(Path::new("stdin"), &error))?;
    Ok(tokio::fs::File::from_std(stdin))
}

/// The same for reading at once.
pub(crate) fn stdin_file() -> std::io::Result<std::fs::File> {
    #[cfg(unix)]
    let stdin = std::os::fd::AsFd::as_fd(&std::io::stdin()).try_clone_to_owned();
    #[cfg(windows)]
    let stdin = std::os::windows::io::AsHandle::as_handle(&std::io::stdin()).try_clone_to_owned();
    Ok(std::fs::File::from(stdin?))
}

fn mime(part: Part, kind: &str) -> Result<Part> {
    part.mime_str(kind).map_err(|error| Failure::failed(format!("cannot build the form: {error}")))
}

/// The bytes of a reader, each counted as it goes.
fn body(reader: impl AsyncRead + Send + 'static, upload: &Upload) -> Body {
    let upload = upload.clone();
    let pieces = ReaderStream::with_capacity(reader, READ_BYTES);
    Body::wrap_stream(pieces.inspect_ok(move |bytes| upload.add(bytes.len())))
}

/// The fields that say what is sent, and from whom.
pub(crate) fn content(args: &ContentArgs, defaults: &Defaults) -> Result<Vec<Field>> {
    let kind = args.kind.kind();
    reject_strangers(args, kind)?;
    let mut fields = vec![("senderid", defaults.sender(args.from.as_ref()))];
    fields.extend(args.purpose.clone().map(|purpose| ("purpose", purpose)));
    match kind {
        Kind::Vcard => {
            let path = args.vcard.as_ref().ok_or_else(|| {
                Failure::usage("a business card needs its file").hint("give it with --vcard FILE")
            })?;
            let card = vcard_file::parse(&read_text(path)?).ok_or_else(|| {
                Failure::usage(format!(
                    "{}: The file holds no business card: it should begin with BEGIN:VCARD. Export the contact as vCard (.vcf)",
                    path.display()
                ))
            })?;
            fields.extend(card.into_fields());
        }
        Kind::WapPush => match (&args.wap_title, &args.wap_url) {
            (Some(title), Some(url)) => {
                fields.extend([("wap_title", title.clone()), ("wap_url", url.clone())]);
            }
            _ => {
                return Err(Failure::usage("WAP title and URL are required for WAP push messages")
                    .hint("give them with --wap-title and --wap-url"));
            }
        },
        Kind::Text | Kind::Flash | Kind::Unicode => fields.push(("message", message(args)?)),
        Kind::Voice => return Err(Failure::usage("calls are no text messages: use 'talkdrum voice send'")),
    }
    Ok(fields)
}

/// The fields that say who gets it before the rest.
fn canary(args: &CanaryArgs) -> impl Iterator<Item = Field> + use<> {
    let CanaryArgs { canary, canary_seeds, canary_delivery, canary_wait } = args.clone();
    let fields = [
        ("canary", canary),
        ("canary_seeds", canary_seeds),
        ("canary_delivery", canary_delivery.map(|share| share.to_string())),
        ("canary_wait_s", canary_wait.map(|wait| wait.to_string())),
    ];
    fields.into_iter().filter_map(|(name, value)| Some((name, value?)))
}

/// Options that belong to another kind are a mistake, not to be dropped in silence.
fn reject_strangers(args: &ContentArgs, kind: Kind) -> Result<()> {
    let written = args.message.is_some() || args.message_file.is_some();
    let stranger = match kind {
        Kind::Vcard | Kind::WapPush if written => Some("--message"),
        _ if kind != Kind::Vcard && args.vcard.is_some() => Some("--vcard"),
        _ if kind != Kind::WapPush && (args.wap_title.is_some() || args.wap_url.is_some()) => {
            Some("--wap-...")
        }
        _ => None,
    };
    match stranger {
        Some(option) => Err(Failure::usage(format!("{option} does not go with --type {}", kind.code()))
            .hint("--type says what is sent: text, flash, unicode, wap-push or vcard")),
        None => Ok(()),
    }
}

fn message(args: &ContentArgs) -> Result<String> {
    let text = written(args.message.as_deref(), args.message_file.as_deref())?.unwrap_or_default();
    if text.is_empty() {
        return Err(Failure::usage("Message is required").hint("give it with -m TEXT or --message-file FILE"));
    }
    Ok(text)
}

/// What an option says, or the file that another one names, without its last line break.
pub(crate) fn written(text: Option<&str>, file: Option<&Path>) -> Result<Option<String>> {
    let Some(path) = file.filter(|_| text.is_none()) else { return Ok(text.map(str::to_owned)) };
    let text = read_text(path)?;
    Ok(Some(text.strip_suffix("\r\n").or_else(|| text.strip_suffix('\n')).unwrap_or(&text).to_owned()))
}

fn read_text(path: &Path) -> Result<String> {
    let text = if is_stdin(&path.to_string_lossy()) {
        stdin_file().and_then(std::io::read_to_string)
    } else {
        std::fs::read_to_string(path)
    };
    text.map_err(|error| Failure::unreadable(path, &error))
}

/// The numbers among the options, and what is to be read.
fn read_recipients(given: &RecipientArgs) -> Result<(Vec<Field>, Vec<Source>)> {
    let mut contacts: Vec<Field> = given.audience.iter().map(|list| ("audience", list.clone())).collect();
    let mut sources = Vec::new();
    for to in &given.to {
        match recipients(to)? {
            Recipients::Numbers(numbers) => contacts.push(("contacts", numbers)),
            Recipients::From(source) => sources.push(source),
        }
    }
    if sources.iter().filter(|source| **source == Source::Stdin).count() > 1 {
        return Err(Failure::usage("stdin is given twice, but there is one stdin"));
    }
    Ok((contacts, sources))
}

/// What a `--to` means: `-` is stdin, `@FILE` and a path that exists are files, digits are numbers. Anything else is
/// a mistyped file name, which must not become a list of numbers.
fn recipients(to: &str) -> Result<Recipients> {
    let path = to.strip_prefix('@').unwrap_or(to);
    if is_stdin(path) {
        return Ok(Recipients::From(Source::Stdin));
    }
    if to.starts_with('@') || Path::new(to).exists() {
        return file(Path::new(path)).map(Recipients::From);
    }
    let looks_like_numbers = to.bytes().any(|byte| byte.is_ascii_digit())
        && to.chars().all(|character| character.is_numeric() || "+-()., ;\t\r\n".contains(character));
    if looks_like_numbers {
        return Ok(Recipients::Numbers(to.to_owned()));
    }
    Err(Failure::usage(format!("'{to}' is neither a file nor phone numbers"))
        .hint("name a CSV or TXT file, write numbers as 08031234567,08051234567, or use '-' for stdin"))
}

/// What is to be read from a path: a regular file, or any stream. The daemon bounds how much it takes.
fn file(path: &Path) -> Result<Source> {
    let about = std::fs::metadata(path).map_err(|error| {
        Failure::unreadable(path, &error).hint("name a file that is there, or '-' for stdin")
    })?;
    if about.is_dir() {
        return Err(Failure::usage(format!("{} is a directory", path.display())).hint("name a file"));
    }
    let path = path.to_owned();
    Ok(if about.is_file() { Source::File { path, size: about.len() } } else { Source::Stream { path } })
}

/// Whether there is a person to ask.
pub(crate) fn can_ask() -> bool {
    std::io::stdin().is_terminal() && std::io::stderr().is_terminal()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_files_and_stdin_are_told_apart() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("list.csv");
        std::fs::write(&path, "08031234567\n").unwrap();
        let written = path.display().to_string();
        let from_file = Recipients::From(Source::File { path, size: 12 });
        assert_eq!(recipients(&written).unwrap(), from_file);
        assert_eq!(recipients(&format!("@{written}")).unwrap(), from_file);
        for stdin in ["-", "/dev/stdin", "/dev/fd/0", "@/dev/stdin"] {
            assert_eq!(recipients(stdin).unwrap(), Recipients::From(Source::Stdin), "{stdin}");
        }
        let stream = Recipients::From(Source::Stream { path: "/dev/zero".into() });
        assert_eq!(recipients("/dev/zero").unwrap(), stream);
        let numbers = "+234 803-123 (4567), 08051234567";
        assert_eq!(recipients(numbers).unwrap(), Recipients::Numbers(numbers.to_owned()));
    }

    #[test]
    fn a_mistyped_file_name_is_no_number() {
        for to in ["list2024.csv", "@missing", "/tmp", "", ",,"] {
            assert_eq!(recipients(to).unwrap_err().exit, crate::exit::Exit::Usage, "{to}");
        }
    }
}
