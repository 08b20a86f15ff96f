use rebut_contract_examples::editor::*;

#[test]
#[should_panic(expected = "a character before the position")]
fn fails() {
    struct GeneratedHooks;
    impl Hooks for GeneratedHooks {}
    let editor = Editor::new(std::rc::Rc::new(GeneratedHooks));
    editor.before(0);
}
