#[rebut::test]
fn scoped(list: Vec<u8>) {
    std::thread::scope(|scope| {
        scope.spawn(|| assert!(list.len() < 4, "too long"));
    });
}

#[rebut::test]
fn joined(number: u32) {
    let thread = std::thread::spawn(move || assert!(number < 300, "too large"));
    thread.join().expect("no panic");
}
