//! Items of a shop, a few of each kind: `cargo run --example products`.
//!
//! Two items are different if they are in different subcategories, or if their prices are
//! far apart. `products.rebut` says so with a recursive function over the tree of products.

#![expect(clippy::print_stdout, reason = "the story is what it prints")]

use rebut_examples::inputs;
use std::collections::BTreeMap;

/// The price with postage. The mistake: whoever wrote it thought of shoes as cheap.
fn with_postage(subcat: &str, price: i64) -> i64 {
    match (subcat, price) {
        ("shoes", 151..) => price - 5,
        (_, 100..) => price,
        _ => price + 5,
    }
}

fn main() {
    let inputs = inputs(include_str!("products.rebut"), &[], "items");
    let mut prices: BTreeMap<&str, Vec<i64>> = BTreeMap::new();
    for input in &inputs {
        let item = &input["item"];
        let (subcat, price) = (
            item["subcat"].as_str().unwrap_or_default(),
            item["price"].as_i64().unwrap_or_default(),
        );
        prices.entry(subcat).or_default().push(price);
        if with_postage(subcat, price) < price {
            println!("{item} gets cheaper by postage");
        }
    }
    for (subcat, mut prices) in prices {
        prices.sort_unstable();
        println!("{subcat}: {prices:?}");
    }
}
