/// The keys of recipes of Mozilla's Experimenter, by its schemas of version 6 and 7 for desktop and SDK, with the
/// additions of Remote Settings (docs/reference/experiments.md#recipe-documents). The value of a feature has that
/// feature's keys.
enum ExperimentKeys {
    static let experiment = FormatObject(
        "experiment",
        """
        !schemaVersion | text | | the version of the format
        !slug | text | | the name, which replaces `{experiment}`
        !userFacingName | text | | for people | Name
        !userFacingDescription | lines | | for people | Description
        isRollout | flag | false | a rollout has one branch and compares nothing | A rollout, not an experiment
        appName | text | | for which app | App name
        channel | text | | for which channel
        targeting | expression | | an expression that is true for those who take part; none: everybody
        !isEnrollmentPaused | flag | | no client is newly enrolled; those who are, stay | Enrolment is paused
        !bucketConfig | {bucketConfig} | | the part of all clients that takes part
        stages | [{stage}] | | when the part grows; at most 10, each larger than the one before | Stages
        !branches | [{branch}] | | what is compared
        startDate | day/any | | the first day | From
        endDate | day/any | | the last day | Until
        !proposedEnrollment | number | | for analysis only | Proposed enrolment, in days
        proposedDuration | number/any | | for analysis only | Proposed duration, in days
        referenceBranch | name branches | | what the others are compared with | Reference branch
        goals | [{goal}] | | what the experiment should change; at most 8 | Goals
        guards | [{guard}] | | bounds of goals at which the recipe is paused; at most 8 | Guards
        notify | {notify} | | the webhook that is called when a guard fires, or a recipe is off plan | Notifications
        """,
        stored: """
            id appId channels featureIds locales publishedDate localizations firefoxLabsOptIn isFirefoxLabsOptIn \
            firefoxLabsGroup firefoxLabsTitle firefoxLabsDescription firefoxLabsDescriptionLinks \
            featureValidationOptOut requiresRestart documentationLinks application probeSets arguments last_modified \
            schema filter_expression | any
            outcomes | [{outcome}]
            """)

    static let buckets = FormatObject(
        "bucketConfig",
        """
        !randomizationUnit | =nimbus_id user_id | | nimbus_id is the app’s installation, user_id the person | Drawn by
        !namespace | text | | recipes that share it, and whose buckets do not overlap, share no clients
        !start | number | | where its buckets begin | First bucket
        !count | number | | 10,000 of 10,000 is everybody | Buckets
        !total | number | 10000 | all buckets | Of
        """)

    private static let stage = FormatObject(
        "stage",
        """
        !count | number 1.. | | the buckets from then on | Buckets
        at | time | | the earliest time; none: when its guards hold, or a person publishes the larger part | Not before
        guards | flag | false | only if all guards of the recipe hold | When the guards hold
        """, check: .free)

    static let branch = FormatObject(
        "branch",
        """
        !slug | text | | the name of the branch
        !ratio | number | | its part of those who take part: 1 and 1 are halves | Share
        description | lines | | for people
        features | [{feature}] | | what a client of the branch gets
        """,
        stored: "feature | {feature}\nscreenshots firefoxLabsTitle | any")

    static let feature = FormatObject(
        "feature",
        """
        !featureId | name features | | the feature | Feature
        value | any | | the values of its variables
        """,
        stored: "enabled | any",
        variants: FormatVariants(
            by: "featureId", .together,
            [
                FormatVariant(
                    name: "messaging",
                    own: FormatObject("messaging", "value | {messaging} | | messages and what they name"),
                    prefix: "feature")
            ]))

    /// Checked, and in no form.
    static let outcome = FormatObject("outcome", "slug | text | | the name\npriority | text | | its rank")

    // MARK: Goals, whose readers report unknown keys

    static let goals = [goal, goalEvent, plan, bound, notify]

    private static let goal = FormatObject(
        "goal",
        """
        !name | text | | 1 to 64 of `a-z 0-9 _ -`; no other goal of the recipe has it | Name
        !event | text/{event of a message} | | the name of a behaviour event, or what the client does with a message of the experiment | Event
        !counts | =converted sum | | `converted`: 1 if the event happened in the window, otherwise 0. `sum`: the sum over the events | Counts
        property | text | | with `sum` of a behaviour event: a number of the manifest’s `events` whose values are added; none: the events are counted | Property
        cap | number 1..1000000 | 1000 | with `sum`: the most that one client adds, a whole number | One client adds at most
        within_days | number 1..90 | 14 | the window after the exposure, in days of 86,400 seconds | Days after the exposure
        direction | =up down | up | which way is better | Better is
        primary | flag | false | this goal decides, the others explain; if no goal is, the first is | It decides
        plan | {plan} | | the assumptions of a size | Plan
        # more
        cuped | flag | true | the counts before the exposure reduce the variance | Use the counts before
        """, check: .free)

    private static let goalEvent = FormatObject(
        "event of a message",
        """
        !message | =clicked dismissed answered | | answered: a microsurvey’s answer, or the submission of what the message presents | A message is
        """, check: .free)

    private static let plan = FormatObject(
        "plan",
        """
        !mean | number 0.. | | the mean of one client without the effect, above 0; of `converted` the rate, below 1 | Mean of one client
        !mde | number 0..10 | | the smallest relative effect that must be found, above 0 | Smallest effect
        sd | number 0.. | | the standard deviation of one client, above 0: needed with `sum`, refused with `converted` | Standard deviation
        power | number 0.5..0.99 | 0.8 | the probability to find the effect | Power
        # more
        correlation | number 0..0.99 | 0 | of the outcome with the counts before the exposure | Correlation
        """, check: .free)

    private static let bound = FormatObject(
        "guard",
        """
        !goal | text | | the name of a goal of the recipe | Goal
        worse_than | number 0..10 | | relative to the control: 0.2 is 20 % | Worse by a part of the control
        worse_by | number 0.. | | a difference of means, in the unit of the goal; a guard has one of the two bounds | Worse by a difference
        branch | name branches | | one branch, not the control; none: all others | Branch
        """, check: .free)

    private static let notify = FormatObject(
        "notify",
        """
        !url | text | | it gets a notice when a guard fires, or a recipe with goals is off plan
        # more
        secret_name | text | | a secret of the daemon’s settings signs what is sent | Name of the secret
        """, check: .free)

    /// The tables without those of goals and messages.
    static let recipe = [experiment, buckets, stage, branch, feature]

    static let all = recipe + [outcome] + goals + [MessageKeys.messaging] + MessageKeys.all
}
