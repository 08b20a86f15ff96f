//! Where failures are saved between runs.
//!
//! `#[rebut::test]` saves failures in the directory `.rebut/`. A [`Check`](crate::Check) saves them
//! in the [`Database`] that you pass to [`Check::database`](crate::Check::database).
//!
//! # Examples
//! ```
//! use std::sync::Arc;
//!
//! use rebut::database::{Database, MemoryDatabase};
//! use rebut::{Check, integers};
//!
//! let database = Arc::new(MemoryDatabase::default());
//! let check = Check::new("small").seed(1).database(database.clone());
//! assert!(check.run(|case| case.draw(integers::<u16>()) < 500).has_failed());
//! assert_eq!(database.load("small").len(), 1);
//! ```

pub use rebut_run::{Database, FileDatabase, MemoryDatabase, StoredCase};
