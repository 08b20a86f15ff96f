use rebut_contract_examples::editor::*;

#[test]
#[should_panic(expected = "there is a keymap")]
fn fails() {
    struct GeneratedHooks;
    impl Hooks for GeneratedHooks {
        fn keymap(&self) -> Option<u8> {
            None
        }
        fn style(&self, editor: &Editor) -> u8 {
            let keymap = editor.keymap();
            keymap
        }
    }
    Editor::new(std::rc::Rc::new(GeneratedHooks));
}
