//! Generated inputs, stored until the specification changes.
//!
//! They are in `.rebut/inputs/` next to the specification, one file for each outline, with a hash
//! of everything that they depend on: the contents of all files that were read, the outline, the
//! number, the seed, the solver, its encoding and the version of Rebut. Tests in Rust read only
//! these files. For them, each file also names its specification and outline, and has a hash of
//! each source file.

use rebut_cli::output::write_whole;
use rebut_spec::{Environment, Options, Program, Verdict};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// The inputs of an outline, in the form in which they are printed.
#[derive(Clone, Debug)]
pub(crate) struct Inputs {
    pub(crate) models: Vec<Value>,
    pub(crate) verdict: Verdict,
}

/// The cache file of one outline, and the hash for which it is valid.
#[derive(Clone, Debug)]
pub(crate) struct InputCache {
    pub(crate) path: PathBuf,
    hash: String,
    /// The fields of the file that identify the specification.
    header: Value,
}

impl InputCache {
    pub(crate) fn new(
        file: &Path,
        differ: &str,
        program: &Program,
        environment: &Environment,
        options: &Options,
    ) -> Self {
        let mut hasher = Hasher::default();
        for source in program.sources.files() {
            hasher.write(&source.text);
        }
        hasher.write(&environment.name);
        let number = options.count.unwrap_or(environment.count);
        hasher.write(&number.to_string());
        hasher.write(&options.seed.to_string());
        hasher.write(options.solver.as_deref().unwrap_or("embedded"));
        if let Some(encoding) = options.encoding {
            hasher.write(&format!("{encoding:?}"));
        }
        hasher.write(env!("CARGO_PKG_VERSION"));
        let stem = file.file_stem().unwrap_or_default().to_string_lossy();
        let outline: String = environment
            .name
            .chars()
            .map(|c| if c.is_alphanumeric() || c == '-' { c } else { '_' })
            .collect();
        let name = match differ {
            "" => format!("{stem}.{outline}.json"),
            differ => format!("{stem}.{outline}.{}.json", fnv1a_hex(differ)),
        };
        let header = json!({
            "file": file.file_name().unwrap_or_default().to_string_lossy(),
            "outline": &*environment.name,
            "differ": differ,
            "number": number,
            "sources": sources(file, program),
        });
        let folder = file.parent().unwrap_or(Path::new("")).join(".rebut").join("inputs");
        Self { path: folder.join(name), hash: hasher.finish(), header }
    }

    /// Reads the inputs; `None` if there is no file or it is out of date.
    pub(crate) fn load(&self) -> Option<Inputs> {
        let text = std::fs::read_to_string(&self.path).ok()?;
        let stored: Value = serde_json::from_str(&text).ok()?;
        if self.header.as_object()?.iter().any(|(name, value)| stored.get(name) != Some(value)) {
            return None;
        }
        if stored.get("specification")?.as_str()? != self.hash {
            return None;
        }
        let verdict = match stored.get("verdict")?.as_str()? {
            "complete" => Verdict::Complete,
            "largest" => Verdict::Largest,
            "covered" => Verdict::Covered(stored.get("why")?.as_str()?.to_owned()),
            _ => return None,
        };
        Some(Inputs { models: stored.get("models")?.as_array()?.clone(), verdict })
    }

    /// Stores inputs whose number is final. If another run might find more, it stores nothing.
    pub(crate) fn save(&self, inputs: &Inputs) -> std::io::Result<()> {
        let (verdict, why) = match &inputs.verdict {
            Verdict::Complete => ("complete", ""),
            Verdict::Largest => ("largest", ""),
            Verdict::Covered(why) => ("covered", why.as_str()),
            _ => return Ok(()),
        };
        let mut stored = self.header.clone();
        stored["specification"] = json!(self.hash);
        stored["verdict"] = json!(verdict);
        stored["why"] = json!(why);
        stored["models"] = json!(inputs.models);
        if let Some(folder) = self.path.parent() {
            std::fs::create_dir_all(folder)?;
        }
        write_whole(&self.path, &stored.to_string())
    }
}

/// The files that were read, relative to the directory of the specification, with their hashes.
fn sources(file: &Path, program: &Program) -> Vec<Value> {
    let folder = file.parent().unwrap_or(Path::new(""));
    let files = program.sources.files().iter().map(|source| {
        let path = Path::new(&*source.path);
        let name = path.strip_prefix(folder).unwrap_or(path).to_string_lossy();
        // Version control may change line endings; the hash must not depend on them.
        (name.into_owned(), fnv1a_hex(&source.text.replace("\r\n", "\n")))
    });
    // The text of `--differ` is not a file.
    let files = files.filter(|(name, _)| name != crate::generate::DIFFER);
    files.map(|(name, hash)| json!({ "file": name, "hash": hash })).collect()
}

/// FNV-1a with 64 bits. Tests in Rust compute the same hash.
fn fnv1a_hex(text: &str) -> String {
    format!("{:016x}", rebut_protocol::hash::fnv1a(text.as_bytes()))
}

/// FNV-1a with 128 bits. It only has to detect changes, and to be the same on all platforms.
struct Hasher(u128);

impl Default for Hasher {
    fn default() -> Self {
        Self(0x6c62_272e_07bb_0142_62b8_2175_6295_c58d)
    }
}

impl Hasher {
    fn write(&mut self, text: &str) {
        for byte in text.bytes().chain([0xff]) {
            self.0 =
                (self.0 ^ u128::from(byte)).wrapping_mul(0x0000_0000_0100_0000_0000_0000_0000_013b);
        }
    }

    fn finish(&self) -> String {
        format!("{:032x}", self.0)
    }
}
