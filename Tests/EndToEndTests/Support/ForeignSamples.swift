/// Documents from the pages of other systems, exactly as shown there.
enum ForeignSamples {
    /// SurveyNative's examples of its question types. The example of year_picker lacks a comma, and that of date_picker
    /// has one too many.
    static let surveyQuestions: [(type: String, text: String)] = [
        (
            "single_select",
            #"""
            {
              "id": "ice_cream",
              "header": "Question 1",
              "question": "What is your favorite ice cream flavor?",
              "question_type": "single_select",
              "options": [
                "Strawberry",
                "Chocolate",
                "Vanilla",
                {
                  "title": "Other",
                  "type": "freeform"
                }
              ]
            }
            """#
        ),
        (
            "multi_select",
            #"""
            {
              "id": "music_types",
              "header": "Question 6",
              "question": "What types of music do you like?",
              "question_type": "multi_select",
              "options": [
                "Pop",
                "Rock",
                "Rap",
                "Country",
                {
                  "title": "Other",
                  "type": "freeform"
                }
              ]
            }
            """#
        ),
        (
            "year_picker",
            #"""
            {
              "id": "birthyear",
              "header": "Question 2",
              "question": "Enter the year of your birth.",
              "question_type": "year_picker"
              "max_year" : "current_year",
              "num_years" : "125",
              "sort_order" : "DESC"
            }
            """#
        ),
        (
            "date_picker",
            #"""
            {
              "id": "date",
              "header": "Question 11",
              "question": "What is was the best day of the last year?",
              "question_type": "date_picker",
              "date" : "current_date",
              "max_date" : "current_date",
              "date_diff" : { "year" : -1 },
            }
            """#
        ),
        (
            "single_text_field",
            #"""
            {
              "id": "age",
              "header": "Question 4",
              "question": "What is your current age in years?",
              "question_type": "single_text_field",
              "label": "Years",
              "input_type": "number",
              "max_chars": "2",
              "validations": [
                {
                  "operation": "greater than",
                  "value": 10,
                  "on_fail_message": "Age must be at least 10"
                },
                {
                  "operation": "less than",
                  "value": 80,
                  "on_fail_message": "You must be 80 or younger"
                }
              ]
            }
            """#
        ),
        (
            "single_text_area",
            #"""
            {
                  "id": "perfect_day",
                  "header": "Question 2",
                  "question": "How would you describe your perfect day?",
                  "question_type": "single_text_area"
                }
            """#
        ),
        (
            "multi_text_field",
            #"""
            {
              "id":"pets",
              "header": "Question 12",
              "question": "How many pets do you have?",
              "question_type": "multi_text_field",
              "fields": [
                {
                  "label" : "Dogs",
                  "input_type" : "number"
                },
                {
                  "label" : "Cats",
                  "input_type" : "number"
                }
              ]
            }
            """#
        ),
        (
            "dynamic_label_text_field",
            #"""
            {
              "id": "height",
              "header": "Question 7",
              "question": "How tall are you?",
              "question_type": "dynamic_label_text_field",
              "label_options": [
                [
                  "Feet",
                  "Inches"
                ],
                "Centimeters"
              ],
              "options_metadata": {
                "id": "unit_system",
                "types": [
                  "imperial",
                  "metric"
                ]
              },
              "input_type": "number",
              "validations": [
                {
                  "for_label": "Feet",
                  "operation": "greater than",
                  "value": 3,
                  "on_fail_message": "Height must be at least 4 feet"
                },
                {
                  "for_label": "Feet",
                  "operation": "less than",
                  "value": 10,
                  "on_fail_message": "Height must be less than 10 feet"
                },
                {
                  "for_label": "Centimeters",
                  "operation": "greater than",
                  "value": 100,
                  "on_fail_message": "Height must be at least 100cm"
                },
                {
                  "for_label": "Centimeters",
                  "operation": "less than",
                  "value": 250,
                  "on_fail_message": "Height must be less than 250cm"
                }
              ]
            }
            """#
        ),
        (
            "add_text_field",
            #"""
            {
              "id": "which_sports",
              "question": "Which sports do you like to play?",
              "question_type": "add_text_field",
              "input_type": "default"
            }
            """#
        ),
        (
            "segment_select",
            #"""
            {
              "id": "happiness",
              "header": "Question 8",
              "question": "How happy are you?",
              "question_type": "segment_select",
              "low_tag": "Not happy",
              "high_tag": "Super happy",
              "values": [
                "1",
                "2",
                "3",
                "4",
                "5",
                "6",
                "7"
              ]
            }
            """#
        ),
        (
            "table_select",
            #"""
            {
              "id": "weekend_activities",
              "header": "Question 9",
              "question": "On the weekends, do you:",
              "question_type": "table_select",
              "options": [
                "Yes",
                "Sometimes",
                "No"
              ],
              "table_questions": [
                {
                  "title": "Play sports?",
                  "id": "play_sports"
                },
                {
                  "title": "Read books?",
                  "id": "read_books"
                },
                {
                  "title": "Go dancing",
                  "id": "go_dancing"
                },
                {
                  "title": "Watch TV and movies?",
                  "id": "watch_tv"
                }
              ]
            }
            """#
        ),
    ]

    /// Owlmetry's examples of text questions.
    static let questionnaireQuestions = [
        #"""
        {
          "id": "q_takeaway",
          "type": "text",
          "title": "One-line takeaway?",
          "placeholder": "Optional"
        }
        """#,
        #"""
        {
          "id": "q_details",
          "type": "text",
          "title": "Anything else you'd like to share?",
          "multiline": true,
          "placeholder": "Optional — tell us as much as you'd like"
        }
        """#,
    ]

    /// Firefox's microsurvey of the home page.
    static let microsurvey =
        #"""
        {
        "messages": {
        "homepage-microsurvey-message": {
        "experiment": "{experiment}",
        "surface": "microsurvey",
        "style": "MICROSURVEY",
        "trigger-if-all": [
        "SECOND_HOMEPAGE_VIEW"
        ],
        "text": "How satisfied are you with your Firefox homepage?",
        "title": "Microsurvey/Microsurvey.Prompt.TitleLabel.v127",
        "button-label": "Microsurvey/Microsurvey.Prompt.Button.v127",
        "microsurveyConfig": {
        "utm-content": "homepage",
        "icon": "homeLarge",
        "answers": [
        "Microsurvey/Microsurvey.Survey.Options.LikertScaleOption5.v127",
        "Microsurvey/Microsurvey.Survey.Options.LikertScaleOption4.v127",
        "Microsurvey/Microsurvey.Survey.Options.LikertScaleOption3.v127",
        "Microsurvey/Microsurvey.Survey.Options.LikertScaleOption2.v127",
        "Microsurvey/Microsurvey.Survey.Options.LikertScaleOption1.v127",
        "Microsurvey/Microsurvey.Survey.Options.LikertScaleOption6.v129"
        ]
        }
        }
        }
        }
        """#
}
