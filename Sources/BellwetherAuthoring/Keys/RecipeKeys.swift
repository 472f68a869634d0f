/// The keys of the parts that recipes of several kinds have: an offer, its pacing and quotas, notifications, a theme,
/// texts and links. Their readers report unknown keys.
enum RecipeKeys {
    /// Rows of the keys of each recipe that a respondent answers.
    static let around = """
        offer | {offer} | | the message that offers it
        repeat | {repeat} | | when the same person may answer it again | Asked again
        notify | {notify} | | the webhook of each response | Notifications
        strings | {strings} | | texts of buttons and pages, which replace the app’s texts | Texts of the pages
        theme | {theme} | | colours of its page, over the manifest’s | Colours and font
        link | {link} | | the parameters that the address of its page may have
        keep | [name attributes] | | attributes of the manifest, by which results can be broken down | Attributes that are kept with each response
        facts | {*text} | | the questions whose answers expressions read as answer.NAME, by this name | Answers that expressions read
        retention_days | number 1..36500 | | after so many days a response is gone for good | Days that responses are kept
        """

    /// Rows of the keys of a questionnaire or a survey.
    static func questions(hidden policy: String) -> String {
        """
        kind | =questionnaire survey | | the kind of the recipe
        name | words | | for people
        description | lines | | what is said first
        hosted | flag | false | whoever has its address may answer there, without an app | It has a page of its own
        is_active | flag | true | switched off, it takes no answers | It takes answers
        predicates | {*expression} | | expressions that a condition names
        # more
        hidden_answers | keep drop | \(policy) | kept: conditions read them, and they are sent | Answers to questions that are not shown
        #

        """
    }

    // MARK: Offers

    static let offer = FormatObject(
        "offer",
        MessageKeys.content + """

            showsConsent | flag | true | whether consent is asked for before the first question | It asks for consent first
            trigger | {trigger} | | when a phone offers it
            pacing | {pacing} | | how often it is offered, and to whom
            """,
        check: .free)

    static let repeats = FormatObject(
        "repeat",
        """
        !days | number 0..3650 | | the wait after an answer; 0: none | Days after an answer
        unanswered_days | number 0..3650 | | the wait after the message was closed without an answer; usually the same | Days after a dismissal
        rounds | number 1..1000 | 1000 | a person answers at most so often | Times at most
        """, check: .free)

    static let trigger = FormatObject(
        "trigger",
        """
        launches | number | | the starts of the app | After so many starts of the app
        days_since_first_launch | number | | the days with the app | After so many days with the app
        # more
        foregrounds | number | | the times in front | After so many times in front
        hours_since_first_launch | number | | the hours with the app | After so many hours with the app
        """, check: .free)

    static let pacing = FormatObject(
        "pacing",
        """
        start | day/time | | the first day, or a time | From
        end | day/time | | the last day, or a time | Until
        display | =once until-answered some | | in place of the style’s limit | How often
        limit | number 1..1000000 | | of `some` | Times at most
        cooldown_seconds | number 0.. | | the time between two displays | Seconds between two displays
        response_limit | number 0.. | | of submitted responses | Submitted responses at most
        quotas | [{quota}] | | each counts the responses for which its condition holds | Quotas
        sample | {sample} | | a random part of all clients
        # more
        tags | [text] | | what the app’s caps count by | Tags
        """, check: .free)

    static let sample = FormatObject(
        "sample",
        """
        !count | number 0..4294967295 | | the clients that it is offered to | Shown to so many
        !total | number 1..4294967295 | | the clients of which they are a part | Of so many
        """, check: .free)

    static let quota = FormatObject(
        "quota",
        """
        !name | text | | the name of the quota
        !limit | number 0..1000000000 | | of responses that it counts | Responses at most
        !when | {condition}/flag | | the responses that it counts | Counts a response if
        action | =end continue | end | what happens then | When it is full
        """, check: .free)

    static let condition = FormatObject(
        "condition",
        """
        all | [{condition}/flag] | | each of these holds
        any | [{condition}/flag] | | one of these holds
        not | {condition}/flag | | it does not hold
        ref | text | | what is compared, such as `answer.score`
        op | text | | the comparison
        value | any | | with what
        value_ref | text | | with what else
        compare | =auto strict text number | auto | how
        on_missing | flag | false | the result without a value
        """, check: .free)

    static let all = [offer, repeats, trigger, pacing, sample, quota, condition, notify, theme, strings, link] + colors

    // MARK: The other parts

    static let notify = FormatObject(
        "notify",
        """
        !url | text | | it gets each submitted response
        format | =json text | json | a chat tool takes text
        when | {condition}/flag | | of which responses | Only of some responses
        # more
        secret_name | text | | a secret of the daemon’s settings signs what is sent | Name of the secret
        """, check: .free)

    static let theme = FormatObject(
        "theme",
        """
        light | {light} | | the colours on a light ground
        dark | {dark} | | the colours on a dark ground
        radius | number 0..40 | 12 | of the corners, from 0 to 40 | Radius of corners, in pixels
        font | text | | names of fonts that visitors have, with commas between them | Fonts
        """, check: .free)

    static let colors = [light, dark]
    private static let light = FormatObject("light", scheme("Light", "#1a5fb4", "#ffffff", "#1d2430"), check: .free)
    private static let dark = FormatObject("dark", scheme("Dark", "#8ab4f8", "#1b1f27", "#eceff4"), check: .free)

    private static func scheme(_ name: String, _ accent: String, _ ground: String, _ text: String) -> String {
        """
        accent | color | \(accent) | of buttons and choices | \(name): accent
        ground | color | \(ground) | of the ground | \(name): background
        text | color | \(text) | of the words | \(name): text
        """
    }

    static let strings = FormatObject(
        "strings",
        """
        title | words | | the heading of a page without a name
        submitButton | words | | the button at the last question | Button that sends
        nextButton | words | | the button at a question | Button for the next question
        backButton | words | | the button to the question before | Button back
        skipButton | words | | the button at a question without an answer | Button that skips
        successTitle | words | | the heading after the last question | Thanks: title
        successBody | words | | what is said then | Thanks: text
        # more
        doneButton | words | | the button after the last question | Button at the end
        cancelButton | words | | the button that closes the page | Button that cancels
        consentTitle | words | | the heading of an offer | Before it begins: title
        consentBody | words | | what an offer says | Before it begins: text
        consentAccept | words | | the button that begins | Before it begins: yes
        consentLater | words | | the button that asks again another time | Before it begins: later
        consentNever | words | | the button that refuses | Before it begins: never
        doNotShowAgain | words | | the words beside the box | Do not show again
        errorTitle | words | | the heading of a fault | Fault: title
        errorRequiredMissing | words | | at a question that needs an answer | Fault: an answer is missing
        errorGeneric | words | | at any other fault | Fault: anything else
        npsLowLabel | words | | the words at 0 | NPS: at 0
        npsHighLabel | words | | the words at 10 | NPS: at 10
        """, check: .free)

    static let link = FormatObject(
        "link",
        """
        answers | [text] | | the ids of questions that have an answer at once
        attributes | [name attributes] | | the attributes that the address may name
        """, check: .free)
}
