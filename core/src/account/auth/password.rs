//! Passwords: argon2id with 19 MiB and two passes (OWASP's first choice), a few at a time.
//!
//! Checking a password takes as long for a user who does not exist as for one who does.

use std::fmt;
use std::sync::Arc;

use argon2::password_hash::phc::PasswordHash;
use argon2::{Algorithm, Argon2, Params, PasswordHasher as _, PasswordVerifier as _, Version};
use tokio::sync::{Semaphore, SemaphorePermit};

use crate::entropy::Entropy;
use crate::error::{Error, Result};

/// Memory of one hash, in KiB.
const MEMORY_KIB: u32 = 19 * 1024;
/// Passes over it.
const PASSES: u32 = 2;
/// The shortest password, in characters.
const SHORTEST: usize = 8;
/// The longest password, in bytes: more would only cost time.
const LONGEST_BYTES: usize = 512;
/// A hash of these parameters that no password has: its output is all zeros.
const NOBODY: &str =
    "$argon2id$v=19$m=19456,t=2,p=1$dGFsa2RydW0gbm9ib2R5$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";

/// Refuses a new password that is too short or too long.
///
/// # Errors
/// A rule on the field `password`.
pub fn check_new_password(password: &str) -> Result<()> {
    if password.is_empty() {
        return Err(Error::field("password", "password_required", "Password is required"));
    }
    if password.chars().count() < SHORTEST {
        return Err(Error::field("password", "password_short", "Password must have at least 8 characters"));
    }
    if password.len() > LONGEST_BYTES {
        return Err(Error::field("password", "password_long", "Password must have at most 512 bytes"));
    }
    Ok(())
}

/// Passwords that wait for one processor: about four seconds. What comes then is refused rather than kept waiting.
const WAITING_FOR_ONE: usize = 128;

/// Of these, what strangers do not get: one place in so many is for users whose address signed in lately, and for those who
/// are signed in.
const KEPT_OF: usize = 4;

/// Hashes and checks passwords off the async threads. Each takes about 30 ms and 19 MiB, so only as many run at
/// once as there are processors; a bounded number of others waits.
#[derive(Clone)]
pub struct Passwords {
    permits: Arc<Semaphore>,
    /// Of those that run or wait.
    places: Arc<Semaphore>,
    /// Those of them that strangers may have.
    strangers: Arc<Semaphore>,
    entropy: Arc<dyn Entropy>,
}

impl fmt::Debug for Passwords {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Passwords").field("free", &self.permits.available_permits()).finish()
    }
}

impl Passwords {
    /// As many at once as there are processors.
    pub fn new(entropy: Arc<dyn Entropy>) -> Self {
        let processors = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        Self::of(entropy, processors, WAITING_FOR_ONE.saturating_mul(processors))
    }

    fn of(entropy: Arc<dyn Entropy>, at_once: usize, waiting: usize) -> Self {
        let places = Arc::new(Semaphore::new(at_once.saturating_add(waiting)));
        let strangers = at_once.saturating_add(waiting - waiting / KEPT_OF);
        let strangers = Arc::new(Semaphore::new(strangers));
        Self { permits: Arc::new(Semaphore::new(at_once)), places, strangers, entropy }
    }

    /// The hash of a password, in the PHC form that names its parameters and salt.
    ///
    /// # Errors
    /// `passwords_busy` when too many wait.
    pub async fn hash(&self, password: &str) -> Result<String> {
        let mut salt = [0; 16];
        self.entropy.fill(&mut salt);
        let password = password.to_owned();
        self.off_thread(move || {
            let hash: PasswordHash =
                argon2()?.hash_password_with_salt(password.as_bytes(), &salt).map_err(failed)?;
            Ok(hash.to_string())
        })
        .await
    }

    /// [`Self::hash`] for someone who has proved nothing.
    ///
    /// # Errors
    /// `passwords_busy` when too many strangers wait.
    pub async fn hash_of_stranger(&self, password: &str) -> Result<String> {
        let _place = self.place_of_stranger()?;
        self.hash(password).await
    }

    /// A place among those of strangers, held while a password is hashed or checked, and before that where something else
    /// has to be shown first.
    ///
    /// # Errors
    /// `passwords_busy` when too many strangers wait.
    pub(crate) fn place_of_stranger(&self) -> Result<SemaphorePermit<'_>> {
        self.strangers.try_acquire().map_err(|_| busy())
    }

    /// Whether `password` belongs to `hash`. Without a hash (no such user, or one who never set a password) it
    /// takes as long and is false.
    ///
    /// # Errors
    /// `passwords_busy` when too many wait, whatever the name and the password.
    pub async fn verify(&self, password: &str, hash: Option<&str>) -> Result<bool> {
        let known = hash.is_some();
        let hash = hash.unwrap_or(NOBODY).to_owned();
        // A password that could never be set is refused without work that its length would drive.
        let password = password.get(..LONGEST_BYTES + 1).unwrap_or(password).to_owned();
        self.off_thread(move || {
            let hash = PasswordHash::new(&hash)
                .map_err(|error| Error::Corrupt(format!("a password hash cannot be read: {error}")))?;
            Ok(argon2()?.verify_password(password.as_bytes(), &hash).is_ok() && known)
        })
        .await
    }

    /// [`Self::verify`] for an address with no recent sign-in.
    ///
    /// # Errors
    /// `passwords_busy` when too many strangers wait, whatever the name and the password.
    pub async fn verify_of_stranger(&self, password: &str, hash: Option<&str>) -> Result<bool> {
        let _place = self.place_of_stranger()?;
        self.verify(password, hash).await
    }

    /// All permits: until they are dropped, every caller waits.
    #[cfg(test)]
    pub(crate) async fn held(&self) -> SemaphorePermit<'_> {
        let all = u32::try_from(self.permits.available_permits()).unwrap();
        self.permits.acquire_many(all).await.unwrap()
    }

    /// All places of strangers: until they are dropped, every stranger is refused.
    #[cfg(test)]
    pub(crate) fn held_by_strangers(&self) -> SemaphorePermit<'_> {
        let all = u32::try_from(self.strangers.available_permits()).unwrap();
        self.strangers.try_acquire_many(all).unwrap()
    }

    /// Places that are free.
    #[cfg(test)]
    pub(crate) fn free_places(&self) -> usize {
        self.places.available_permits()
    }

    async fn off_thread<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> Result<T> + Send + 'static,
    ) -> Result<T> {
        // Given back when the asker leaves, too; the work of an asker who left ends under its permit.
        let _place = self.places.try_acquire().map_err(|_| busy())?;
        let permit = Arc::clone(&self.permits).acquire_owned().await.map_err(|_| {
            Error::unavailable("shutting_down", "The daemon is shutting down; try again in a moment")
        })?;
        tokio::task::spawn_blocking(move || {
            let _permit = permit;
            work()
        })
        .await
        .map_err(|panic| Error::Corrupt(format!("hashing a password panicked: {panic}")))?
    }
}

fn busy() -> Error {
    Error::unavailable(
        "passwords_busy",
        "Too many passwords are being checked at the moment: try again in a few seconds",
    )
}

fn argon2() -> Result<Argon2<'static>> {
    let params = Params::new(MEMORY_KIB, PASSES, 1, None).map_err(failed)?;
    Ok(Argon2::new(Algorithm::Argon2id, Version::V0x13, params))
}

fn failed(error: impl fmt::Display) -> Error {
    Error::Corrupt(format!("hashing a password failed: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::entropy::SeededEntropy;

    fn passwords() -> Passwords {
        Passwords::new(Arc::new(SeededEntropy::new(7)))
    }

    #[tokio::test]
    async fn a_password_matches_its_own_hash_only_and_salts_differ() {
        let passwords = passwords();
        let first = passwords.hash("correct horse").await.unwrap();
        let second = passwords.hash("correct horse").await.unwrap();
        assert_ne!(first, second);
        assert!(passwords.verify("correct horse", Some(&first)).await.unwrap());
        assert!(!passwords.verify("correct hors", Some(&first)).await.unwrap());
    }

    #[tokio::test]
    async fn nobody_has_a_password_and_its_check_costs_the_same_work() {
        let passwords = passwords();
        assert!(!passwords.verify("anything", None).await.unwrap());
        let real = passwords.hash("anything").await.unwrap();
        let parameters = |hash: &str| hash.split('$').take(4).collect::<Vec<_>>().join("$");
        assert_eq!(parameters(&real), parameters(NOBODY));
        let lengths = |hash: &str| hash.split('$').map(str::len).next_back();
        assert_eq!(lengths(&real), lengths(NOBODY));
    }

    #[tokio::test]
    async fn as_many_passwords_as_may_wait_are_checked_and_the_rest_is_refused_at_once() {
        let passwords = Passwords::of(Arc::new(SeededEntropy::new(7)), 1, 2);
        // All are asked for before the first answer is looked at.
        let asked = futures::future::join_all((0..5).map(|_| passwords.verify("anything", None))).await;
        let refused: Vec<_> = asked.iter().map(|asked| asked.as_ref().err().map(Error::code)).collect();
        assert_eq!(refused, [None, None, None, Some("passwords_busy"), Some("passwords_busy")]);
        assert!(!passwords.verify("anything", None).await.unwrap(), "their places are free again");
    }

    #[tokio::test]
    async fn strangers_never_take_the_last_places() {
        let passwords = Passwords::of(Arc::new(SeededEntropy::new(7)), 1, 8);
        let strangers =
            futures::future::join_all((0..10).map(|_| passwords.verify_of_stranger("anything", None)));
        let known = futures::future::join_all((0..3).map(|_| passwords.verify("anything", None)));
        let (strangers, known) = futures::future::join(strangers, known).await;
        let refused = |asked: &[Result<bool>]| asked.iter().filter(|asked| asked.is_err()).count();
        assert_eq!((refused(&strangers), refused(&known)), (3, 1));
    }

    #[tokio::test]
    async fn new_passwords_of_strangers_never_take_the_last_places() {
        let passwords = Passwords::of(Arc::new(SeededEntropy::new(7)), 1, 8);
        let strangers = futures::future::join_all((0..10).map(|_| passwords.hash_of_stranger("anything")));
        let known = futures::future::join_all((0..3).map(|_| passwords.hash("anything")));
        let (strangers, known) = futures::future::join(strangers, known).await;
        let refused = |asked: &[Result<String>]| asked.iter().filter(|asked| asked.is_err()).count();
        assert_eq!((refused(&strangers), refused(&known)), (3, 1));
    }

    #[test]
    fn a_new_password_has_between_8_characters_and_512_bytes() {
        assert!(check_new_password("1234567").is_err());
        assert!(check_new_password("12345678").is_ok());
        assert!(check_new_password(&"a".repeat(513)).is_err());
        assert_eq!(check_new_password("").unwrap_err().to_string(), "Password is required");
    }
}
