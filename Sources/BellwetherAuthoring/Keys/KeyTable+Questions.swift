/// Questionnaires of Owlmetry and surveys of SurveyNative, with Bellwether's additions to both.
extension KeyTable {
    /// Bellwether's own keys, which have their own readers.
    private static let content = """
        kind slug offer strings notify predicates retention_days hosted theme link keep hidden_answers name description
        is_active
        """

    static let questionnaire = KeyTable.recipe(
        content + """
             id project_id app_id created_by created_at updated_by updated_at deleted_at response_count \
            submitted_count last_response_at
            """,
        ["schema": .object("version", ["questions": .list(questionnaireQuestion)])])

    static let survey = KeyTable.recipe(
        content + " id auto_focus_text",
        ["questions": .list(surveyQuestion), "submit": .object("button_title url")])

    private static let questionnaireQuestion = KeyTable.kinds(
        by: "type", common: keys("id type title subtitle required sensitive", ["show_if": .later { showIf }]),
        [
            "text": keys("placeholder multiline"), "single_choice": keys("", ["options": .list(.object("id label"))]),
            "multi_choice": keys("", ["options": .list(.object("id label"))]), "rating": keys("scale display"),
            "nps": [:],
        ])

    private static let surveyQuestion: KeyTable = .kinds(
        by: "question_type",
        common: keys(
            "id header question question_type required sensitive subtitle",
            ["show_if": .later { showIf }, "sub_questions": .list(.later { surveyQuestion })]),
        [
            "single_select": selectKeys, "multi_select": selectKeys,
            "year_picker": keys("min_year max_year num_years initial_year sort_order"),
            "date_picker": keys("date min_date max_date", ["date_diff": .object("day month year")]),
            "single_text_field": keys("label input_type max_chars", ["validations": validations]),
            "single_text_area": keys("label input_type max_chars", ["validations": validations]),
            "multi_text_field": keys(
                "input_type max_chars", ["fields": .list(.object("label input_type max_chars"))]),
            "dynamic_label_text_field": keys(
                "label_options input_type max_chars",
                ["options_metadata": .object("id types"), "validations": validations]),
            "add_text_field": keys("input_type label max_chars"), "segment_select": keys("values low_tag high_tag"),
            "table_select": keys("options", ["table_questions": .list(.object("id title"))]),
        ])

    private static let selectKeys = keys(
        "", ["options": .list(.object("title type", ["validations": validations]))])

    private static let validations = KeyTable.list(
        .object("operation value answer_to_question_id on_fail_message for_label"))

    private static let showIf: KeyTable = .object(
        "id subid operation value ids extra", ["subconditions": .list(.later { showIf })])
}
