use rebut_contract_examples::editor::*;

#[test]
#[should_panic(expected = "`result == (self.len() == 0 && self.lines.len() <= 1)`")]
fn fails() {
    struct GeneratedHooks;
    impl Hooks for GeneratedHooks {}
    let mut editor = Editor::new(std::rc::Rc::new(GeneratedHooks));
    editor.break_line();
    editor.is_empty();
}
