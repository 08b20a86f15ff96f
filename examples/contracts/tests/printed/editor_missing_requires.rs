use rebut_contract_examples::editor::*;

#[test]
#[should_panic(expected = "`!self.is_write_locked()`")]
fn fails() {
    struct GeneratedHooks;
    #[rebut::contract]
    impl Hooks for GeneratedHooks {
        fn on_insert(&self, editor: &mut Editor, _length: usize) {
            editor.clear();
        }
    }
    let mut editor = Editor::new(std::rc::Rc::new(GeneratedHooks));
    editor.insert(0);
}
