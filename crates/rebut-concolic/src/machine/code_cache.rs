//! Compiled modules in files, for the next command that needs them.
//!
//! Compiling takes most of the time of small explorations, and nothing changes between two runs of
//! a command on the same sources. So machine code is kept under a hash of all that it is made of:
//! the module, the plan of its functions, the sources of the instrumenter, and what wasmtime says
//! decides whether code fits an engine (its version, its settings and the processor).
//!
//! A file is written under another name and renamed, so a reader never sees half of one, and two
//! writers of one entry write the same. It begins with a checksum of the rest. A file that does not
//! have it is deleted. When all files together are larger than [`SIZE_MAX`], those that were not
//! used for the longest time are deleted.
//!
//! Loading machine code means running it. [`CodeCache::open`] therefore refuses a directory that
//! belongs to someone else or that others may write to. A program that can write there as the user can
//! also change the user's programs.
//!
//! Roads not taken: wasmtime's own cache compresses entries, which needs a C library and takes
//! longer than reading them; mapping files into memory would run what is in the file later, and not
//! what the checksum was computed of.

use std::fs;
use std::hash::{Hash, Hasher};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::SystemTime;

use sha2::{Digest, Sha256};
use wasmtime::{Engine, Module};

use crate::instrument::{BodyFacts, INSTRUMENTER, Prepared};

/// The largest size of all files together, in bytes. Arbitrary: code of the tests of one file takes
/// 5 to 15 MB.
const SIZE_MAX: u64 = 512 << 20;

/// The first bytes of a file. Another format gets another number.
const MAGIC: &[u8; 8] = b"rebut-c1";

/// The length of a checksum.
const CHECKSUM: usize = 32;

/// A directory with compiled modules.
#[derive(Debug)]
pub struct CodeCache {
    directory: PathBuf,
    size_max: u64,
}

impl CodeCache {
    /// Opens a directory, and creates it if there is none. `None` if that fails, or if someone else
    /// could put code there; modules are then compiled each time.
    #[must_use]
    pub fn open(directory: &Path) -> Option<CodeCache> {
        create(directory).ok()?;
        is_private(directory)
            .then(|| CodeCache { directory: directory.to_owned(), size_max: SIZE_MAX })
    }

    /// Returns the code of a module with what its function bodies showed.
    pub(super) fn load(&self, engine: &Engine, key: &CodeKey) -> Option<(Module, BodyFacts)> {
        let path = self.path(key);
        let bytes = fs::read(&path).ok()?;
        let loaded = read(&bytes).and_then(|(facts, code)| {
            // SAFETY: the bytes are those that `store` got from `Module::serialize`: only this user
            // may write to the directory, the checksum excludes accidents, and wasmtime itself
            // checks that its version and the settings of the engine are the same.
            #[expect(unsafe_code, reason = "wasmtime cannot know where code comes from")]
            let module = unsafe { Module::deserialize(engine, code) };
            Some((module.ok()?, facts))
        });
        match &loaded {
            // The time of its last use. Without it, the entry is only deleted earlier.
            Some(_) => drop(touch(&path)),
            None => drop(fs::remove_file(&path)),
        }
        loaded
    }

    /// Keeps the code of a module. If that fails, it is compiled again next time.
    pub(super) fn store(&self, key: &CodeKey, module: &Module, facts: &BodyFacts) {
        let Ok(code) = module.serialize() else { return };
        let _ = self.write(key, &entry(facts, &code));
    }

    fn write(&self, key: &CodeKey, entry: &[u8]) -> io::Result<()> {
        static WRITES: AtomicUsize = AtomicUsize::new(0);
        let nth = WRITES.fetch_add(1, Ordering::Relaxed);
        let unfinished = self.directory.join(format!("{}-{nth}.writing", std::process::id()));
        let written =
            fs::write(&unfinished, entry).and_then(|()| fs::rename(&unfinished, self.path(key)));
        if written.is_err() {
            let _ = fs::remove_file(&unfinished);
        }
        self.delete_oldest()?;
        written
    }

    /// Deletes the files that were not used for the longest time, until the others fit.
    fn delete_oldest(&self) -> io::Result<()> {
        let mut files = Vec::new();
        for file in fs::read_dir(&self.directory)?.flatten() {
            // Another process may have deleted it.
            let Ok(metadata) = file.metadata() else { continue };
            let used = metadata.modified().unwrap_or(SystemTime::UNIX_EPOCH);
            files.push((used, metadata.len(), file.path()));
        }
        files.sort();
        let mut size: u64 = files.iter().map(|(_, size, _)| size).sum();
        for (_, length, path) in files {
            if size <= self.size_max {
                break;
            }
            let _ = fs::remove_file(path);
            size -= length;
        }
        Ok(())
    }

    fn path(&self, key: &CodeKey) -> PathBuf {
        let name: String = key.0.iter().map(|byte| format!("{byte:02x}")).collect();
        self.directory.join(name)
    }
}

/// The name of an entry: a hash of all that its code is made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct CodeKey([u8; CHECKSUM]);

impl CodeKey {
    pub(super) fn new(engine: &Engine, prepared: &Prepared<'_>) -> CodeKey {
        let mut digest = DigestHasher(Sha256::new());
        INSTRUMENTER.hash(&mut digest);
        engine.precompile_compatibility_hash().hash(&mut digest);
        prepared.hash(&mut digest);
        CodeKey(digest.0.finalize().into())
    }
}

/// Feeds what is hashed to a cryptographic hash.
struct DigestHasher(Sha256);

impl Hasher for DigestHasher {
    fn write(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    /// Not used: the digest itself is.
    fn finish(&self) -> u64 {
        0
    }
}

/// Returns the contents of a file.
fn entry(facts: &BodyFacts, code: &[u8]) -> Vec<u8> {
    let facts = facts.to_words();
    let mut rest = Vec::with_capacity(8 + facts.len() * 4 + code.len());
    rest.extend((facts.len() as u64).to_le_bytes());
    rest.extend(facts.iter().flat_map(|word| word.to_le_bytes()));
    rest.extend(code);
    [&MAGIC[..], &Sha256::digest(&rest)[..], &rest].concat()
}

/// Returns the parts of a file; `None` if it is damaged.
fn read(bytes: &[u8]) -> Option<(BodyFacts, &[u8])> {
    let (magic, rest) = bytes.split_at_checked(MAGIC.len())?;
    let (checksum, rest) = rest.split_at_checked(CHECKSUM)?;
    if magic != MAGIC || checksum != &Sha256::digest(rest)[..] {
        return None;
    }
    let (count, rest) = rest.split_first_chunk::<8>()?;
    let length = usize::try_from(u64::from_le_bytes(*count)).ok()?.checked_mul(4)?;
    let (words, code) = rest.split_at_checked(length)?;
    let words = words.as_chunks::<4>().0.iter().map(|word| u32::from_le_bytes(*word));
    Some((BodyFacts::from_words(&words.collect::<Vec<u32>>())?, code))
}

fn touch(path: &Path) -> io::Result<()> {
    fs::File::options().append(true).open(path)?.set_modified(SystemTime::now())
}

#[cfg(unix)]
fn create(directory: &Path) -> io::Result<()> {
    use std::os::unix::fs::DirBuilderExt as _;
    fs::DirBuilder::new().recursive(true).mode(0o700).create(directory)
}

#[cfg(not(unix))]
fn create(directory: &Path) -> io::Result<()> {
    fs::create_dir_all(directory)
}

/// Whether a directory belongs to the user and no one else may write to it.
#[cfg(unix)]
fn is_private(directory: &Path) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    let own = rustix::process::geteuid().as_raw();
    // A link could lead anywhere.
    let metadata = fs::symlink_metadata(directory);
    metadata.is_ok_and(|one| one.is_dir() && one.uid() == own && one.mode() & 0o022 == 0)
}

/// On other systems, cache directories are in the profile of the user, which is private.
#[cfg(not(unix))]
fn is_private(directory: &Path) -> bool {
    directory.is_dir()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Scout;
    use crate::machine::shared_code::tests::{TESTS, module};
    use crate::machine::{Machine, Quality};
    use std::sync::Arc;

    fn directory(name: &str) -> PathBuf {
        let path = std::env::temp_dir().join(format!("rebut-code-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        path
    }

    fn files(directory: &Path) -> Vec<PathBuf> {
        let mut files: Vec<PathBuf> =
            fs::read_dir(directory).expect("it exists").flatten().map(|file| file.path()).collect();
        files.sort();
        files
    }

    /// Explores both tests with this cache, and returns all that was found.
    fn explored(cache: Option<CodeCache>) -> Vec<String> {
        let scout =
            Scout::with_cache(module(false), |_| None, cache.map(Arc::new)).expect("a module");
        let machines = Machine::for_tests(&Arc::new(scout), &TESTS, Quality::Fine);
        let explored = machines.expect("machines").into_iter().map(|mut machine| {
            let explored = crate::explore(&mut machine, &crate::Budget::default(), &[]);
            format!("{:?} {:?} {:?}", explored.verdict, explored.runs, explored.leaves)
        });
        explored.collect()
    }

    /// Otherwise code that an older instrumenter wrote would be used again.
    #[test]
    fn keys_depend_on_all_sources_of_the_instrumenter() {
        let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/instrument");
        let all = files(&sources);
        // These write other modules.
        let others = ["callers.rs", "coverage_module.rs"].map(|name| sources.join(name));
        for file in all.iter().filter(|file| !others.contains(file)) {
            let text = fs::read_to_string(file).expect("a source");
            assert!(INSTRUMENTER.contains(&&*text), "{}", file.display());
        }
        assert!(all.len() > others.len());
    }

    #[test]
    fn cached_code_does_what_compiled_code_does() {
        let path = directory("same");
        let compiled = explored(None);
        assert_eq!(explored(CodeCache::open(&path)), compiled);
        let written = files(&path);
        assert!(!written.is_empty());
        assert_eq!(explored(CodeCache::open(&path)), compiled);
        assert_eq!(files(&path), written, "the second time, nothing is compiled");
        fs::remove_dir_all(path).expect("a directory");
    }

    #[test]
    fn damaged_files_are_compiled_again() {
        let path = directory("damaged");
        let compiled = explored(CodeCache::open(&path));
        let written = files(&path);
        for (nth, file) in written.iter().enumerate() {
            let mut bytes = fs::read(file).expect("an entry");
            assert!(read(&bytes).is_some());
            match nth % 3 {
                0 => bytes.truncate(bytes.len() / 2),
                1 => bytes.clear(),
                _ => {}
            }
            let middle = bytes.len() / 2;
            if let Some(byte) = bytes.get_mut(middle) {
                *byte ^= 1;
            }
            assert!(read(&bytes).is_none());
            fs::write(file, bytes).expect("written");
        }
        assert_eq!(explored(CodeCache::open(&path)), compiled);
        let again = files(&path);
        assert_eq!(again, written);
        assert!(again.iter().all(|file| read(&fs::read(file).expect("an entry")).is_some()));
        fs::remove_dir_all(path).expect("a directory");
    }

    #[test]
    fn the_oldest_files_are_deleted_when_there_are_too_many() {
        let path = directory("full");
        let cache = CodeCache { size_max: 25, ..CodeCache::open(&path).expect("a directory") };
        let keys = [1, 2, 3].map(|n| CodeKey([n; CHECKSUM]));
        for (nth, key) in keys.iter().enumerate() {
            cache.write(key, &[0; 10]).expect("written");
            let file = fs::File::options().append(true).open(cache.path(key)).expect("a file");
            let time = SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(nth as u64);
            file.set_modified(time).expect("a time");
        }
        // The third did not fit, and the first was the oldest then.
        assert_eq!(files(&path), [cache.path(&keys[1]), cache.path(&keys[2])]);
        fs::remove_dir_all(path).expect("a directory");
    }

    #[test]
    fn writers_and_readers_at_once_see_whole_entries() {
        let path = directory("many");
        let compiled = explored(None);
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| assert_eq!(explored(CodeCache::open(&path)), compiled));
            }
        });
        assert!(files(&path).iter().all(|file| read(&fs::read(file).expect("it")).is_some()));
        fs::remove_dir_all(path).expect("a directory");
    }

    #[cfg(unix)]
    #[test]
    fn a_directory_that_others_may_write_to_is_refused() {
        use std::os::unix::fs::PermissionsExt as _;
        let path = directory("open");
        assert!(CodeCache::open(&path).is_some());
        fs::set_permissions(&path, fs::Permissions::from_mode(0o777)).expect("permissions");
        assert!(CodeCache::open(&path).is_none());
        fs::set_permissions(&path, fs::Permissions::from_mode(0o700)).expect("permissions");
        let link = directory("link");
        let _ = fs::remove_file(&link);
        std::os::unix::fs::symlink(&path, &link).expect("a link");
        assert!(CodeCache::open(&link).is_none());
        fs::remove_file(link).expect("a link");
        fs::remove_dir_all(path).expect("a directory");
    }
}
