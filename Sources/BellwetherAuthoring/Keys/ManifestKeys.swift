/// The keys of an app's manifest (docs/reference/http-api.md#manifest). Its reader reports unknown keys.
enum ManifestKeys {
    static let manifest = FormatObject(
        "manifest",
        """
        !app_name | text | | recipes name the app so in appName | Name for recipes
        short_name | text | the `app_name` | it fills %@ in texts | Name in texts
        !default_locale | text | | the language for clients that name none, and the last one that a text is looked up in | Default language
        channel | text | | recipes name it so
        app_id | text | | the identifier of the app in its store | App id
        deep_link_scheme | text | | it stands before `://` in actions | Scheme of links
        dialect | =ios android | ios | whose conventions the recipes follow
        !surfaces | [text] | | names of the places in the app that ask for messages
        web | {web} | | what web pages may do
        theme | {theme} | | colours and font of the widget | Colours and font
        attributes | {*string number boolean object array} | | what clients may send, and expressions may read
        events | {*{event of an app}} | | behaviour events that have properties, or are derived from others | Events
        features | {*{feature of an app}} | | what recipes may change
        messaging | {messaging} | | messages and what they name
        pacing | {pacing of an app} | | limits over all messages
        personas | {*{persona}} | | clients to try recipes with
        notices | [{notice}] | | who is told of drafts that wait, and of what goes live, pauses and ends | Notices
        # more
        privacy | {privacy} | | the link to the privacy notice
        application_ids | [text] | | the apps of Glean’s pings
        collections | [text] | | the collections of Remote Settings
        """, check: .free)

    private static let web = FormatObject(
        "web",
        """
        origins | [text] | | origins of web pages, such as https://www.example.org | Web pages that may ask
        media_origins | [text] | | origins of pictures and videos
        """, check: .free)

    private static let feature = FormatObject(
        "feature of an app",
        """
        description | lines | | for people
        exposure | =reported on-evaluation | reported | who reports that the feature was used: the app, or the first evaluation
        !variables | {*{variable}} | | what recipes give values
        """, check: .free)

    private static let variable = FormatObject(
        "variable",
        """
        !type | =string boolean int number json | | the type of its values
        default | any | | the value without a recipe
        # more
        description | lines | | for people
        """, check: .free)

    private static let event = FormatObject(
        "event of an app",
        """
        description | text | | what happened; for people
        properties | {*string number boolean} | | the types of its properties, at most 16; goals add numbers
        of | text | | for a derived event: the event from which it follows | Derived from
        where | expression | | a condition on the properties of that event | Where
        sum | text | | a number of that event whose values are added; none: the events are counted | Sum of
        """, check: .free)

    private static let pacing = FormatObject(
        "pacing of an app",
        """
        cooldown_seconds | number 0.. | | the time between two displays of any messages | Seconds between any two messages
        quiet_hours | {quiet_hours} | | when no message is shown
        caps | [{cap}] | | limits of displays | Caps over all messages
        """, check: .free)

    private static let quietHours = FormatObject(
        "quiet_hours",
        """
        !from | text | | a time of the day, such as 22:00 | Quiet from
        !to | text | | a time of the day, such as 07:00 | Quiet until
        # more
        utc_offset_attribute | text | | the attribute with the minutes to the east of UTC
        """, check: .free)

    private static let cap = FormatObject(
        "cap",
        """
        !count | number 1..32 | | the most displays | Displays at most
        seconds | number 1..7776000 | | within so many seconds | Seconds
        session | flag | false | within a session of the app, and not a time | Of one session
        # more
        tags | [text] | | of messages with one of these tags; none: of all | Tags
        """, check: .free)

    private static let persona = FormatObject(
        "persona",
        """
        context | {*any} | | what the app would say of this person, such as the plan | Attributes
        locale | text | | the language of this person | Language
        now | text | | such as 2027-01-31T12:00:00Z; none: the present | Time
        """, check: .free)

    private static let notice = FormatObject(
        "notice",
        """
        !url | text | | the address that gets it
        on | [=draft live paused ended full] | all | of what
        format | =json text | json | a chat tool takes text
        # more
        secret_name | text | | a secret of the daemon’s settings signs what is sent | Name of the secret
        """, check: .free)

    private static let privacy = FormatObject(
        "privacy",
        """
        !base | text | | the beginning of the address
        !path | text | | what follows the language
        !fallback | text | | the address without a language
        utm_medium | text | | a parameter of the address
        utm_source | text | | a parameter of the address
        utm_campaign | text | | a parameter of the address
        """, check: .free)

    static let all =
        [
            manifest, web, feature, variable, event, pacing, quietHours, cap, persona, notice, privacy,
            RecipeKeys.theme,
        ] + RecipeKeys.colors + [MessageKeys.messaging] + MessageKeys.all
}
