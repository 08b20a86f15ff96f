use rebut_contract_examples::queue::*;

#[test]
#[should_panic(expected = "assertion `left == right` failed")]
fn fails() {
    let mut machine = Machine::start();
    machine.push(0);
    machine.pop();
    machine.push(0);
    machine.push(1);
    machine.push(0);
    machine.pop();
    machine.pop();
}
