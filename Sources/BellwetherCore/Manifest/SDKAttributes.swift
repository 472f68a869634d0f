/// The targeting attributes that the Nimbus SDK itself defines (docs/reference/expressions.md#targeting-context).
///
/// If one of them was not sent, it is null in an expression. Any other name that was not sent is undefined.
public enum SDKAttributes {
    public static let types: [String: AttributeType] = [
        "app_name": .string, "app_id": .string, "channel": .string, "app_version": .string, "app_build": .string,
        "architecture": .string, "device_manufacturer": .string, "device_model": .string, "locale": .string,
        "os": .string, "os_version": .string, "android_sdk_version": .string, "debug_tag": .string,
        "installation_date": .number, "language": .string, "region": .string, "is_already_enrolled": .boolean,
        "days_since_install": .number, "days_since_update": .number, "active_experiments": .array,
        "enrollments": .array, "enrollments_map": .object, "current_date": .number, "nimbus_id": .string,
        "user_id": .string,
    ]

    /// The names whose value the daemon derives for each client or instant if the client does not send one. The context
    /// alone does not decide an expression that reads one of them.
    public static let derivedPerClient = ofEnrollments.union(
        [isAlreadyEnrolled, "current_date", "nimbus_id", "user_id"])

    /// All names whose value the daemon derives. They include the names that follow from the language.
    public static let derived = derivedPerClient.union(["locale", "language", "region"])

    /// Whether the client is in the recipe whose targeting reads the name.
    static let isAlreadyEnrolled = "is_already_enrolled"

    /// The attributes that name the client's enrollments.
    static let ofEnrollments: Set<String> = ["active_experiments", "enrollments", "enrollments_map"]
}
