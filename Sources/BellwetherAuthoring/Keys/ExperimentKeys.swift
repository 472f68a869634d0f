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
        !branches | [{branch}] | | what is compared
        startDate | day/any | | the first day | From
        endDate | day/any | | the last day | Until
        !proposedEnrollment | number | | for analysis only | Proposed enrolment, in days
        proposedDuration | number/any | | for analysis only | Proposed duration, in days
        referenceBranch | name branches | | what the others are compared with | Reference branch
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

    static let all = [experiment, buckets, branch, feature, outcome, MessageKeys.messaging] + MessageKeys.all
}
