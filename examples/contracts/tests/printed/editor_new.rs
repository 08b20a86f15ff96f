use rebut_contract_examples::editor::*;

#[test]
#[should_panic(expected = "index out of bounds: the len is 0 but the index is 0")]
fn fails() {
    struct GeneratedHooks;
    #[rebut::contract]
    impl Hooks for GeneratedHooks {
        fn style(&self, editor: &Editor) -> u8 {
            editor.line_start(0);
            0
        }
    }
    let _ = Editor::new(std::rc::Rc::new(GeneratedHooks));
}
