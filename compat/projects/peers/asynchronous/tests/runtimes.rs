//! Async properties on every runtime.

use std::time::Duration;

#[rebut::test(runtime = tokio, cases = 50)]
async fn tokio_holds(number: u8) {
    tokio::time::sleep(Duration::ZERO).await;
    let doubled = tokio::spawn(async move { u16::from(number) * 2 }).await;
    assert_eq!(doubled.ok(), Some(u16::from(number) * 2));
}

#[rebut::test(runtime = tokio)]
async fn tokio_fails(text: &str, list: &mut Vec<u8>) {
    tokio::task::yield_now().await;
    list.push(1);
    assert!(text.len() < 2);
}

#[rebut::test(runtime = tokio)]
async fn tokio_returns(number: u8) -> Result<(), String> {
    tokio::task::yield_now().await;
    if number < 200 { Ok(()) } else { Err("too large".to_owned()) }
}

#[rebut::test(runtime = |future| tokio::runtime::Runtime::new().unwrap().block_on(future), cases = 20)]
async fn tokio_by_a_closure(number: u8) {
    tokio::task::yield_now().await;
    assert!(number < 255 || number == 255);
}

#[rebut::test(runtime = smol)]
async fn smol_fails(number: u8) {
    smol::Timer::after(Duration::ZERO).await;
    assert!(number < 200);
}

#[rebut::test(runtime = async_std)]
async fn async_std_fails(number: u8) {
    async_std::task::yield_now().await;
    assert!(number < 200);
}

#[rebut::test(runtime = pollster::block_on)]
async fn pollster_fails(number: u8) {
    std::future::ready(()).await;
    assert!(number < 200);
}
