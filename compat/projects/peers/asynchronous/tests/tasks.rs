//! Panics, hangs and local tasks on tokio.

#[rebut::test(runtime = tokio)]
async fn awaited_panic(number: u32) {
    let task = tokio::spawn(async move { assert!(number < 300, "too large") });
    task.await.expect("no panic");
}

#[rebut::test(runtime = |future| tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap().block_on(future), cases = 100)]
async fn awaited_panic_on_a_worker(number: u32) {
    let task = tokio::spawn(async move { assert!(number < 300, "too large") });
    task.await.expect("no panic");
}

#[rebut::test(runtime = tokio, deadline = "300ms")]
async fn pending(number: u32) {
    if number >= 300 {
        std::future::pending::<()>().await;
    }
}

#[rebut::test(runtime = tokio, cases = 50)]
async fn local_tasks(number: u8) {
    let local = tokio::task::LocalSet::new();
    let shared = std::rc::Rc::new(number);
    let same = local.run_until(async { tokio::task::spawn_local(async move { *shared }).await }).await;
    assert_eq!(same.ok(), Some(number));
}

#[tokio::test]
async fn check_inside_a_tokio_test() {
    rebut::check(|case| {
        let number: u8 = case.draw_as("number", rebut::any());
        tokio::runtime::Handle::current();
        assert!(number < 200);
    });
}

#[rebut::test(runtime = tokio, cases = 20)]
async fn panic_that_nobody_awaits(number: u8) {
    tokio::spawn(async move { assert!(number < 100) });
    tokio::task::yield_now().await;
}
