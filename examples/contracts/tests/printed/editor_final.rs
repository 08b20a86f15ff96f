use rebut_contract_examples::editor::*;

#[test]
#[should_panic(expected = "`self.hooks.in_edit_sequence()`")]
fn fails() {
    struct GeneratedHooks;
    #[rebut::contract]
    impl Hooks for GeneratedHooks {
        fn in_edit_sequence(&self) -> bool {
            false
        }
    }
    let mut editor = Editor::new(std::rc::Rc::new(GeneratedHooks));
    editor.undo();
}
