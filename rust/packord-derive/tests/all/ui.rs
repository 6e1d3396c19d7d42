//! Wrong attributes are errors at their place.

#[test]
fn wrong_attributes() {
    trybuild::TestCases::new().compile_fail("tests/ui/*.rs");
}
