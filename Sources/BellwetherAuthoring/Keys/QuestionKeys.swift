/// The keys of questionnaires of Owlmetry and of surveys of SurveyNative, with Bellwether's additions to both
/// (docs/reference/surveys.md#keys).
enum QuestionKeys {
    // MARK: Questionnaires

    static let questionnaire = FormatObject(
        "questionnaire",
        RecipeKeys.questions(hidden: "drop") + "schema | {schema} | | the questions\n" + RecipeKeys.around,
        stored: stored + """
             project_id app_id created_by created_at updated_by updated_at deleted_at response_count \
            submitted_count last_response_at | any
            """, check: .recipe)

    static let schema = FormatObject(
        "schema",
        """
        version | number 1..1 | 1 | the version of the format
        questions | [{question}] | | in their order
        """)

    static let questionnaireQuestion = FormatObject(
        "question of a questionnaire", definition: "question",
        """
        !title | lines | | what is asked | Question
        !type | =\(questionnaireTypes.map(\.name).joined(separator: " ")) | | what is asked for
        !id | text | | results are kept by it: small letters, digits and underscores
        required | flag | false | whether an answer is needed
        show_if | {show_if} | | when it is asked | Asked only if
        # more
        subtitle | words | | below the question
        sensitive | flag | false | its answers are in no list, no export and no notification
        """, variants: variants(by: "type", questionnaireTypes))

    static let questionnaireTypes = [
        FormatObject(
            "text",
            """
            = Text | One writes an answer | text
            multiline | flag | false | whether the text has several lines | Several lines
            # more
            placeholder | words | | what the empty field shows
            """),
        FormatObject("single_choice", "= One choice | One of 2 to 20 answers | choice\n" + options),
        FormatObject("multi_choice", "= Several choices | Any of 2 to 20 answers | choices\n" + options),
        FormatObject(
            "rating",
            """
            = Rating | From 1 to 5, or as far as you like | number
            scale | number 2..11 | 5 | from 1 to 2 up to 11 | Highest value
            display | =stars numbers | stars | the kind | Shown as
            """),
        FormatObject("nps", "= NPS | 0 to 10: would you recommend it? | number"),
    ]

    private static let options = "!options | [{option of a questionnaire}] | | what can be chosen | Answers"

    static let option = FormatObject(
        "option of a questionnaire",
        """
        !id | text | | the answer
        !label | words | | the words | Answer
        """)

    // MARK: Surveys

    static let survey = FormatObject(
        "survey",
        RecipeKeys.questions(hidden: "keep") + """
            questions | [{question}] | | in their order
            submit | {submit} | | what happens with the answers

            """ + RecipeKeys.around,
        stored: stored + " auto_focus_text | any", check: .recipe)

    static let submit = FormatObject(
        "submit",
        """
        button_title | words | | the words of the button that submits | Label of the button
        url | text | | each submitted response is sent there, too | Forwarded to
        """)

    static let surveyQuestion = FormatObject(
        "question of a survey", definition: "question",
        """
        !question | lines | | what is asked
        !question_type | =\(surveyTypes.map(\.name).joined(separator: " ")) | | what is asked for | Type
        !id | text | | results are kept by it: small letters, digits and underscores
        required | flag | true | whether an answer is needed
        show_if | {show_if} | | when it is asked | Asked only if
        sub_questions | [{question}] | | questions that belong to it | Questions below
        # more
        header | words | | above the question
        subtitle | words | | below the question
        sensitive | flag | false | its answers are in no list, no export and no notification
        """, variants: variants(by: "question_type", surveyTypes))

    static let surveyTypes = [
        FormatObject("single_select", "= One choice | One answer, or a text beside it | choice\n" + choices),
        FormatObject("multi_select", "= Several choices | Any answers, or a text beside them | choices\n" + choices),
        FormatObject(
            "segment_select",
            """
            = Scale | One of a row of values | choice
            !values | [words] | | the segments, from the low to the high end
            low_tag | words | | the words at the first segment | At the low end
            high_tag | words | | the words at the last segment | At the high end
            """),
        FormatObject(
            "table_select",
            """
            = Table | One choice in each row
            !options | [words] | | what can be chosen in each row | Columns
            !table_questions | [{row of a table}] | | what is asked | Rows
            """),
        FormatObject("single_text_field", "= Short text | One line, or a number | text\n" + line),
        FormatObject("single_text_area", "= Long text | Several lines | text\n" + line),
        FormatObject(
            "multi_text_field",
            "= Several texts | Fields, each with its label\n!fields | [{text field}] | | texts, each with its label\n"
                + input + "\n# more\n" + length),
        FormatObject(
            "dynamic_label_text_field",
            """
            = Texts by unit | Feet and inches, or centimetres
            !label_options | [[words]/words] | | several labels of a set are joined by +, as in Feet + Inches | Sets of labels
            \(input)
            \(rules)
            # more
            \(length)
            options_metadata | {options_metadata} | | the units of the sets | Units
            """),
        FormatObject(
            "add_text_field",
            "= List of texts | As many as one likes\nlabel | words | | beside the field\n" + input + "\n# more\n"
                + length),
        FormatObject(
            "year_picker",
            """
            = Year | From a range of years | number
            min_year | number/text | | a year, or current_year | First year
            max_year | number/text | | a year, or current_year | Last year
            num_years | number/text | | the years from the first to the last | Number of years
            initial_year | number/text | | the year that is shown first | Year to begin with
            sort_order | =ASC DESC | ASC | which year is the first | Order
            """),
        FormatObject(
            "date_picker",
            """
            = Day | From a calendar | date
            min_date | text | | a day such as 2026-03-15, or current_date | First day
            max_date | text | | a day such as 2026-03-15, or current_date | Last day
            date | text | | the day that is shown first | Day to begin with
            # more
            date_diff | {date_diff} | | the range, from the one day that is given | Range of days
            """),
    ]

    private static let choices = "!options | [{option}/words] | | what can be chosen | Answers"
    private static let input = "input_type | text number email phone | text | what is written | Takes"
    private static let length = "max_chars | number/text | | of each text | Characters at most"
    private static let rules =
        "validations | [{validations}] | | in their order; the first that does not hold is reported | Rules for the answer"
    private static let line = "label | words | | beside the field\n" + input + "\n" + rules + "\n# more\n" + length

    static let choice = FormatObject(
        "option",
        """
        !title | words | | the answer | Answer
        type | =freeform number | | the text that belongs to it
        validations | [{validations}] | | rules for this text | Rules for the answer
        """)

    static let rule = FormatObject(
        "validations",
        """
        !operation | =\(operations) | | how the answer is compared | The answer
        value | any | | with what
        on_fail_message | words | | the message otherwise | What is said when it is not so
        # more
        answer_to_question_id | name questions | | the question with whose answer it is compared | Compared with the answer to
        for_label | text | | the label for which it is | Only for the label
        """)

    private static let operations =
        "equals;not equals;greater than;greater than or equal to;less than;less than or equal to"

    static let showIf = FormatObject(
        "show_if",
        """
        id | name questions | | the question
        subid | text | | a member of its answer
        operation | text | | the comparison
        value | any | | with what
        ids | [text] | | the questions of a predicate
        extra | any | | what a predicate gets
        subconditions | [{show_if}] | | of `and` and `or`
        """)

    private static let row = FormatObject(
        "row of a table",
        """
        !id | text | | the row in an answer
        !title | words | | what is asked | Row
        """)

    private static let field = FormatObject(
        "text field",
        """
        !label | words | | beside the field
        input_type | text number email phone | text | what is written | Takes
        max_chars | number/text | | of the text | Characters at most
        """)

    private static let units = FormatObject(
        "options_metadata",
        """
        !id | text | | the chosen set is remembered under it | Id of the units
        !types | [text] | | the unit of each set | Unit of each set
        """)

    private static let range = FormatObject(
        "date_diff",
        """
        year | number | | years after the first day, or before the last | Years away
        month | number | | months after the first day, or before the last | Months away
        day | number | | days after the first day, or before the last | Days away
        """)

    static let ofQuestionnaires = [questionnaire, schema, questionnaireQuestion, option, showIf] + RecipeKeys.all
    static let ofSurveys =
        [survey, submit, surveyQuestion, choice, rule, showIf, row, field, units, range] + RecipeKeys.all

    private static let stored = "slug id goals"

    private static func variants(by key: String, _ types: [FormatObject]) -> FormatVariants {
        FormatVariants(by: key, .apart, types.map { FormatVariant(name: $0.name, own: $0, prefix: "question") })
    }
}
