import BellwetherCore
import BellwetherJSON
import Samples
import Testing

/// The URL that an action opens (docs/reference/messaging.md#action-urls); the links themselves are tested with
/// `ActionLink`.
@Suite struct ResolvedActionTests {
    private func action(
        _ fields: JSONObject, manifest changes: JSONObject = [:], attributes: [String: JSONValue] = [:]
    ) throws -> (action: ResolvedAction?, uuids: Int) {
        var document: JSONObject = ["text": "t"]
        for (key, value) in fields { document[key] = value }
        var all = changes
        all["messaging"] = ["actions": ["OPEN": "://open-url", "ID": "://id?u={uuid}"]]
        let manifest = try Sample.manifest(all)
        let catalog = try Sample.catalog(["e": ["messages": ["m": .object(document)]]], in: manifest)
        let message = try #require(catalog.message("m"))
        var uuids = 0
        let context = Sample.context(attributes)
        let action = ResolvedAction(
            message, manifest: manifest, value: context.value,
            uuid: {
                uuids += 1
                return "the-uuid"
            })
        #expect(ResolvedAction.wantsUUID(message) == (uuids == 1))
        return (action, uuids)
    }

    @Test func named() throws {
        let action = try action(["action": "OPEN", "action-params": ["url": "https://example.com?foo={uuid}&bar=baz"]])
        #expect(action.action?.name == "OPEN" && action.action?.uuid == "the-uuid" && action.uuids == 1)
        #expect(action.action?.url == "sample://open-url?url=https://example.com?foo%3Dthe-uuid%26bar%3Dbaz")
    }

    @Test func writtenOut() throws {
        let action = try action(["action": "itms-apps://itunes.apple.com/app/id{city}"], attributes: ["city": "7"])
        #expect(action.action?.name == nil && action.action?.url == "itms-apps://itunes.apple.com/app/id7")
        #expect(action.action?.uuid == nil && action.uuids == 0)
    }

    @Test func oneUUIDForAllPlaces() throws {
        let action = try action(["action": "ID", "action-params": ["a": "{uuid}", "b": "{uuid}"]])
        #expect(action.action?.url == "sample://id?u=the-uuid&a=the-uuid&b=the-uuid" && action.uuids == 1)
    }

    @Test func none() throws {
        #expect(try action([:]).action == nil)
        #expect(try action(["action": "OPEN", "is-control": true]).action == nil)
    }

    @Test func withoutASchemeThereIsNoLink() throws {
        #expect(try action(["action": "OPEN"], manifest: ["deep_link_scheme": nil]).action == nil)
    }
}
