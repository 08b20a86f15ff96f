#[rebut::test]
fn identified(_id: uuid::Uuid) {}

#[derive(Debug, rebut::Generate)]
struct Event {
    _date: chrono::NaiveDate,
    _names: indexmap::IndexMap<String, u8>,
}
