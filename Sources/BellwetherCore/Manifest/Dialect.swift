/// The platform whose conventions an app's recipes follow: Firefox for iOS or for Android
/// (docs/reference/messaging.md#dialects).
public enum Dialect: String, Sendable, CaseIterable {
    case ios
    case android
}
