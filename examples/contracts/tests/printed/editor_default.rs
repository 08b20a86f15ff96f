use rebut_contract_examples::editor::*;

#[test]
#[should_panic(expected = "there is a keymap")]
fn fails() {
    struct GeneratedHooks;
    impl Hooks for GeneratedHooks {
        fn keymap(&self) -> Option<u8> {
            None
        }
    }
    let editor = Editor::new(std::rc::Rc::new(GeneratedHooks));
    editor.keymap();
}
