import BellwetherJSON
import TestSupport
import Testing

/// The survey's prompt and sheet, beyond the README's steps (docs/reference/messaging.md#microsurveys).
@Suite struct SurveySheetTests {
    private func sheet(_ config: JSONValue, _ query: String = "", manifest: JSONValue = TestApp.manifest) throws
        -> JSONValue
    {
        let app = try TestApp(manifest: manifest)
        try app.publish(
            "x", Sample.message("s", ["surface": "microsurvey", "text": "Q?", "microsurveyConfig": config]))
        return try app.poll("c", "&surface=microsurvey" + query).json["messages"][0]
    }

    @Test func `Without options and texts of its own it has the built-in ones`() throws {
        let message = try sheet([:])
        #expect(message["title"] == "Help us make Testfox better. It only takes a minute.")
        #expect(message["button_label"] == "Continue")
        #expect(
            message["microsurvey"]["options"].strings("text") == [
                "Very satisfied", "Satisfied", "Neutral", "Dissatisfied", "Very dissatisfied", "I don’t use it",
            ])
        #expect(message["microsurvey"]["icon"] == "lightbulbLarge")
    }

    /// The requested language, the `utm-content`, and the privacy URL.
    @Test(
        arguments: [
            (
                "&locale=de", JSONValue.null,
                "https://example.org/de/privacy/?utm_medium=app&utm_source=modal&utm_campaign=survey"
            ),
            (
                "&locale=de-AT", "home page & more",
                "https://example.org/de-AT/privacy/?utm_medium=app&utm_source=modal&utm_campaign=survey&utm_content=home%20page%20%26%20more"
            ),
            (
                "&locale=ar", "",
                "https://example.org/ar/privacy/?utm_medium=app&utm_source=modal&utm_campaign=survey&utm_content="
            ),
            ("", "x", "https://example.org/privacy"),
        ])
    func `The privacy URL has the asked language and encoded parameters`(
        _ query: String, _ content: JSONValue, _ url: String
    ) throws {
        let config: JSONObject = content == .null ? [:] : ["utm-content": content]
        #expect(try sheet(.object(config), query)["microsurvey"]["privacy_url"].string == url)
    }

    @Test func `Without privacy in the manifest there is no URL`() throws {
        var manifest = TestApp.manifest.object ?? [:]
        manifest["privacy"] = nil
        #expect(try sheet([:], "&locale=de", manifest: .object(manifest))["microsurvey"]["privacy_url"] == .null)
    }

    @Test func `Bad options are dropped; ids are places in what is left`() throws {
        let options = try sheet(["options": ["A", 7, nil, "B"]])["microsurvey"]["options"]
        #expect(options == [["id": "0", "text": "A"], ["id": "1", "text": "B"]])
    }

    @Test func `A language written from right to left says so`() throws {
        let app = try TestApp()
        _ = try app.server.put("\(app.path)/strings/ar", ["T": ["q": "سؤال"]])
        try app.publish("x", Sample.message("m", ["text": "T/q"]))
        let message = try app.poll("c", "&locale=ar-EG").json["messages"][0]
        #expect(message["dir"] == "rtl")
        #expect(message["locale"] == "ar")
        #expect(message["text"] == "سؤال")
    }

    @Test func `An id that no table has is shown as it is`() throws {
        let app = try TestApp()
        try app.publish("x", Sample.message("m", ["text": "Microsurvey/NoSuchId.v1", "title": "either/or"]))
        let message = try app.poll().json["messages"][0]
        #expect(message["text"] == "Microsurvey/NoSuchId.v1")
        #expect(message["title"] == "either/or")
    }
}
