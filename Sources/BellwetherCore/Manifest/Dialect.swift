/// Whose conventions an app's recipes follow: Firefox for iOS or for Android (nimbus-messaging.md A, api.md 3).
public enum Dialect: String, Sendable, CaseIterable {
    case ios
    case android
}
