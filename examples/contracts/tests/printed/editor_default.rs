use rebut_contract_examples::editor::*;

#[test]
#[should_panic(expected = "there is a keymap")]
fn fails() {
    struct GeneratedHooks;
    #[rebut::contract]
    impl Hooks for GeneratedHooks {
        fn keymap(&self) -> Option<u8> {
            None
        }
        fn style(&self, editor: &Editor) -> u8 {
            editor.keymap();
            0
        }
    }
    let _ = Editor::new(std::rc::Rc::new(GeneratedHooks));
}
