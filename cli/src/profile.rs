//! Stored sign-ins and what goes with them: `$XDG_CONFIG_HOME/talkdrum/profiles.toml`, readable by its owner only and replaced whole, so that
//! neither another user nor a crash ever sees half of it.

use std::collections::BTreeMap;
use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::args::Pay;
use crate::exit::{Code, Exit, Failure, Result};

/// Who messages are from where nothing else is said.
const SENDER: &str = "WEBSMS";

/// What commands take where neither they nor the environment say otherwise.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Defaults {
    /// The wallet that pays.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) pay: Option<Pay>,
    /// The sender ID.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) from: Option<String>,
    /// The time zone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) zone: Option<String>,
    /// Whose they are, `username at address`; `None` before the first sign-in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) account: Option<String>,
}

impl Defaults {
    /// The wallet that pays, as the API names it.
    pub(crate) fn payment_method(&self, given: Option<Pay>) -> String {
        given.or(self.pay).unwrap_or(Pay::Espees).method().to_owned()
    }

    /// The sender ID.
    pub(crate) fn sender(&self, given: Option<&String>) -> String {
        given.or(self.from.as_ref()).map_or_else(|| SENDER.to_owned(), String::clone)
    }
}

/// One sign-in.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Profile {
    /// The daemon's address.
    pub(crate) url: String,
    /// Who signed in.
    pub(crate) username: String,
    /// The session token.
    pub(crate) token: String,
}

impl Profile {
    /// Who it is, and where.
    fn account(&self) -> String {
        format!("{} at {}", self.username, self.url.trim_end_matches('/'))
    }
}

impl std::fmt::Debug for Profile {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Profile").field("url", &self.url).field("username", &self.username).finish()
    }
}

/// All sign-ins of this user of the machine.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Contents {
    #[serde(default)]
    profiles: BTreeMap<String, Profile>,
    /// By the profile's name; they stay when its session ends.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    defaults: BTreeMap<String, Defaults>,
}

/// The file they are kept in.
#[derive(Debug)]
pub(crate) struct Profiles {
    path: PathBuf,
}

impl Profiles {
    /// The file of this user: below `XDG_CONFIG_HOME`, else below `~/.config`.
    pub(crate) fn of_user() -> Result<Self> {
        let absolute = |name| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
        let base = absolute("XDG_CONFIG_HOME").or_else(|| absolute("HOME").map(|home| home.join(".config")));
        let base = base.ok_or_else(|| {
            Failure::failed("there is no place for profiles: neither XDG_CONFIG_HOME nor HOME is set")
                .hint("set TALKDRUM_URL and TALKDRUM_TOKEN instead")
        })?;
        Ok(Self { path: base.join("talkdrum").join("profiles.toml") })
    }

    /// The profile of that name, if there is one.
    pub(crate) fn find(&self, name: &str) -> Result<Option<Profile>> {
        Ok(self.read()?.profiles.remove(name))
    }

    /// All profiles by name: the sign-in, where there is one, and the defaults.
    pub(crate) fn all(&self) -> Result<BTreeMap<String, (Option<Profile>, Defaults)>> {
        let Contents { profiles, defaults } = self.read()?;
        let mut all: BTreeMap<_, _> = profiles
            .into_iter()
            .map(|(name, profile)| (name, (Some(profile), Defaults::default())))
            .collect();
        for (name, found) in defaults {
            all.entry(name).or_default().1 = found;
        }
        Ok(all)
    }

    /// The defaults of the profile of that name.
    pub(crate) fn defaults(&self, name: &str) -> Result<Defaults> {
        Ok(self.read()?.defaults.remove(name).unwrap_or_default())
    }

    /// Stores the defaults of a profile, replacing those before. They are those of the account that is signed in, else of the
    /// next one.
    pub(crate) fn set_defaults(&self, name: &str, mut defaults: Defaults) -> Result<()> {
        let mut contents = self.read()?;
        defaults.account = contents.profiles.get(name).map(Profile::account);
        if (&defaults.pay, &defaults.from, &defaults.zone) == (&None, &None, &None) {
            contents.defaults.remove(name);
        } else {
            contents.defaults.insert(name.to_owned(), defaults);
        }
        self.write(&contents)
    }

    /// Stores a profile under a name, replacing the one before. Returns whether the wallet and the sender of another account
    /// were dropped: one does not pay with the wallet that another chose. The zone is the person's.
    pub(crate) fn store(&self, name: &str, profile: Profile) -> Result<bool> {
        let mut contents = self.read()?;
        let account = profile.account();
        let before = contents.profiles.insert(name.to_owned(), profile).map(|before| before.account());
        let mut drops = false;
        if let Some(defaults) = contents.defaults.get_mut(name) {
            let whose = defaults.account.take().or(before);
            drops = whose.is_some_and(|whose| whose != account)
                && (defaults.pay.is_some() || defaults.from.is_some());
            if drops {
                (defaults.pay, defaults.from) = (None, None);
            }
            defaults.account = Some(account);
        }
        self.write(&contents)?;
        Ok(drops)
    }

    /// Forgets a profile; whether there was one.
    pub(crate) fn forget(&self, name: &str) -> Result<bool> {
        let mut contents = self.read()?;
        let known = contents.profiles.remove(name).is_some();
        if known {
            self.write(&contents)?;
        }
        Ok(known)
    }

    fn read(&self) -> Result<Contents> {
        let text = match fs::read_to_string(&self.path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Contents::default()),
            Err(error) => return Err(Failure::file("read", &self.path, &error)),
        };
        toml::from_str(&text).map_err(|error: toml::de::Error| {
            // The line's number and not its text, which may be a token; the parser's message may hold it, too.
            let before = error.span().and_then(|span| text.get(..span.start)).unwrap_or_default();
            let line = before.matches('\n').count() + 1;
            let message = format!("{} cannot be read: line {line} is damaged", self.path.display());
            Failure::new(Exit::Failed, Code::File, message)
                .hint("correct it, or delete it and sign in again with: talkdrum login")
        })
    }

    fn write(&self, contents: &Contents) -> Result<()> {
        let text = toml::to_string(contents)
            .map_err(|error| Failure::failed(format!("cannot write a profile: {error}")))?;
        replace(&self.path, text.as_bytes()).map_err(|error| Failure::file("write", &self.path, &error))
    }
}

/// Writes a private file beside `path`, makes it durable, and puts it in place in one step.
fn replace(path: &Path, contents: &[u8]) -> io::Result<()> {
    let folder = path.parent().ok_or(io::ErrorKind::InvalidInput)?;
    private_folder(folder)?;
    let draft = folder.join(format!(".profiles.{:016x}", rand::random::<u64>()));
    let written = private_file(&draft).and_then(|mut file| {
        file.write_all(contents)?;
        file.sync_all()
    });
    let placed = written.and_then(|()| fs::rename(&draft, path));
    if placed.is_err() {
        // The draft may not exist; what matters is the error that is returned.
        let _ = fs::remove_file(&draft);
    }
    placed
}

fn private_folder(folder: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

fn private_file(path: &Path) -> io::Result<fs::File> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn profiles(folder: &tempfile::TempDir) -> Profiles {
        Profiles { path: folder.path().join("talkdrum/profiles.toml") }
    }

    fn profile(token: &str) -> Profile {
        let (url, username) = ("http://127.0.0.1:8080".to_owned(), "ada".to_owned());
        Profile { url, username, token: token.to_owned() }
    }

    #[test]
    fn a_stored_profile_is_found_and_others_stay() {
        let folder = tempfile::tempdir().unwrap();
        let profiles = profiles(&folder);
        assert_eq!(profiles.find("default").unwrap(), None);
        profiles.store("default", profile("one")).unwrap();
        profiles.store("work", profile("two")).unwrap();
        profiles.store("default", profile("three")).unwrap();
        assert_eq!(profiles.find("default").unwrap(), Some(profile("three")));
        let account = Some("ada at http://127.0.0.1:8080".to_owned());
        let shop = Defaults { pay: Some(Pay::Naira), from: Some("SHOP".to_owned()), zone: None, account };
        profiles.set_defaults("default", shop.clone()).unwrap();
        assert!(profiles.forget("default").unwrap());
        assert!(!profiles.forget("default").unwrap());
        assert_eq!(profiles.find("work").unwrap(), Some(profile("two")));
        assert_eq!(profiles.defaults("default").unwrap(), shop, "they outlive the session");
        let all = profiles.all().unwrap();
        assert_eq!(all["default"], (None, shop));
        assert_eq!(all["work"], (Some(profile("two")), Defaults::default()));
        profiles.set_defaults("default", Defaults::default()).unwrap();
        assert_eq!(profiles.all().unwrap().len(), 1);
    }

    #[test]
    fn another_account_takes_no_defaults_over() {
        let folder = tempfile::tempdir().unwrap();
        let profiles = profiles(&folder);
        let zone = Some("Europe/London".to_owned());
        let shop = Defaults { from: Some("SHOP".to_owned()), zone: zone.clone(), ..Defaults::default() };
        profiles.set_defaults("default", shop).unwrap();
        assert!(
            !profiles.store("default", profile("one")).unwrap(),
            "set before the first sign-in, they are its"
        );
        profiles.forget("default").unwrap();
        assert!(!profiles.store("default", profile("two")).unwrap());
        assert_eq!(profiles.defaults("default").unwrap().from.as_deref(), Some("SHOP"));
        let other = Profile { username: "bob".to_owned(), ..profile("three") };
        assert!(profiles.store("default", other).unwrap());
        let left = profiles.defaults("default").unwrap();
        assert_eq!((left.pay, left.from, left.zone), (None, None, zone), "the zone is the person's");
    }

    #[cfg(unix)]
    #[test]
    fn only_the_owner_can_read_it_and_no_draft_stays_behind() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let profiles = profiles(&folder);
        profiles.store("default", profile("one")).unwrap();
        fs::set_permissions(&profiles.path, fs::Permissions::from_mode(0o644)).unwrap();
        profiles.store("default", profile("two")).unwrap();
        assert_eq!(fs::metadata(&profiles.path).unwrap().permissions().mode() & 0o777, 0o600);
        assert_eq!(fs::read_dir(profiles.path.parent().unwrap()).unwrap().count(), 1);
    }

    #[test]
    fn a_damaged_file_is_named_with_its_line_and_without_its_text() {
        let folder = tempfile::tempdir().unwrap();
        let profiles = profiles(&folder);
        profiles.store("default", profile("one")).unwrap();
        fs::write(&profiles.path, "[profiles").unwrap();
        let failure = profiles.find("default").unwrap_err();
        assert!(failure.message.contains("profiles.toml cannot be read: line 1"), "{}", failure.message);
        fs::write(&profiles.path, "[profiles]\ndefault = 'secret'\n").unwrap();
        let failure = profiles.find("default").unwrap_err();
        assert!(
            failure.message.contains("line 2") && !failure.message.contains("secret"),
            "{}",
            failure.message
        );
    }
}
