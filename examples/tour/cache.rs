//! Story 4: a cache with a contract. `insert` breaks it if the callback inserts, too.

#[path = "../contracts/src/lru.rs"]
#[expect(unreachable_pub, reason = "the file is part of a library, too")]
mod lru;

use lru::*;

#[rebut::test]
fn cache_keeps_its_contract(program: rebut::Program<Lru>) {
    program.run();
}
