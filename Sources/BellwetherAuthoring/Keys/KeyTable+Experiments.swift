/// Recipes of Mozilla's Experimenter, by its schemas of version 6 and 7 for desktop and SDK, with the additions of
/// Remote Settings. The value of a feature has that feature's keys.
extension KeyTable {
    static let experiment = KeyTable.object(
        """
        schemaVersion slug id appName appId channel channels userFacingName userFacingDescription isEnrollmentPaused
        isRollout featureIds targeting startDate enrollmentEndDate endDate proposedDuration proposedEnrollment
        referenceBranch locales publishedDate localizations firefoxLabsOptIn isFirefoxLabsOptIn
        firefoxLabsGroup firefoxLabsTitle
        firefoxLabsDescription firefoxLabsDescriptionLinks featureValidationOptOut requiresRestart documentationLinks
        application probeSets arguments last_modified schema filter_expression
        """,
        [
            "bucketConfig": .object("randomizationUnit namespace start count total"),
            "outcomes": .list(.object("slug priority")), "branches": .list(branch),
        ])

    private static let branch = KeyTable.object(
        "slug ratio description screenshots firefoxLabsTitle", ["features": .list(feature), "feature": feature])

    private static let feature = KeyTable.object("featureId value enabled")
}
