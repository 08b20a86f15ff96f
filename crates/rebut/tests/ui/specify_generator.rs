#[derive(rebut::Specify)]
struct Hours {
    #[generate(rebut::integers().max_value(23))]
    hours: u8,
    #[specify(even)]
    minutes: u8,
}

fn main() {}
