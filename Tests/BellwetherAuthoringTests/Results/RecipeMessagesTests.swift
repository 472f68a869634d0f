import BellwetherAuthoring
import BellwetherCore
import BellwetherJSON
import Testing

@testable import BellwetherAuthoring

/// The messages that a document defines.
struct RecipeMessagesTests {
    @Test(arguments: [
        (#"{"messages": {"a": {}, "{experiment}-b": {}}}"#, ["a", "slug-b"]), (#"{"triggers": {}}"#, []),
        (#"{"messages": []}"#, []), ("[]", []), ("{", []), ("", []),
        (#"{"branches": [{"feature": {"featureId": "messaging", "value": {"messages": {"a": {}}}}}, 3, {}]}"#, ["a"]),
        (
            #"""
            {"branches": [
                {"features": [{"featureId": "x", "value": {"messages": {"no": {}}}},
                    {"featureId": "messaging", "value": {"messages": {"a": {}, "b": {}}}}]},
                {"features": [{"featureId": "messaging", "value": {"messages": {"b": {}, "c": {}}}}]}
            ]}
            """#, ["a", "b", "c"]
        ),
    ])
    func keysAreThoseOfAllBranches(_ document: String, _ keys: [Identifier]) {
        #expect(RecipeMessages.keys(in: Array(document.utf8), slug: "slug") == keys)
    }
}
