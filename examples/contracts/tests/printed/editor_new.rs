use rebut_contract_examples::editor::*;

#[test]
#[should_panic(expected = "index out of bounds: the len is 0 but the index is 0")]
fn fails() {
    struct GeneratedHooks;
    impl Hooks for GeneratedHooks {
        fn style(&self, editor: &Editor) -> u8 {
            editor.line_start(0);
            0
        }
    }
    Editor::new(std::rc::Rc::new(GeneratedHooks));
}
