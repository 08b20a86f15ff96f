//! Files of a fuzzer as a test, and a property as a fuzz target.

fn decode(data: &[u8]) -> Vec<u8> {
    let mut decoded = Vec::new();
    let mut rest = data;
    while let [first, tail @ ..] = rest {
        rest = tail;
        if *first == b'%' && tail.len() >= 2 {
            let digits = std::str::from_utf8(&tail[..2]).unwrap_or("00");
            decoded.push(u8::from_str_radix(digits, 16).expect("two digits"));
            rest = &tail[2..];
        } else {
            decoded.push(*first);
        }
    }
    decoded
}

#[test]
fn files_of_a_fuzzer() {
    rebut::replay_corpus("corpus", |data| {
        decode(data);
    });
}

#[rebut::test]
fn random_bytes(data: &[u8]) {
    decode(data);
}

#[test]
fn bytes_drive_a_property() {
    let mut sums = std::collections::HashSet::new();
    for seed in 0..200u32 {
        let data: Vec<u8> = (0..40).map(|n| (seed.wrapping_mul(2_654_435_761) >> (n % 25)) as u8).collect();
        let sum = std::cell::Cell::new(0);
        rebut::fuzz(&data, |case| {
            let list: Vec<u8> = case.draw_as("list", rebut::any());
            sum.set(list.iter().map(|&n| u32::from(n)).sum());
        });
        sums.insert(sum.get());
    }
    assert!(sums.len() > 20, "{sums:?}");
}
