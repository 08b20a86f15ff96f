#[derive(rebut::Specify)]
struct Timer {
    left: std::time::Duration,
}

fn main() {}
