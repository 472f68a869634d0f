import BellwetherAuthoring
import BellwetherCore
import BellwetherJSON
import Testing

struct BucketRequestTests {
    private func answer(_ line: String) throws -> String {
        BucketRequest.response(to: try JSONValue(parsing: line)).text
    }

    @Test(arguments: [
        (
            #"{"id":"Zoë","namespace":"ios-microsurvey-homepage","start":5000,"count":500,"total":10000}"#,
            #"{"hash48":"8c66ae34567f","in":true}"#
        ),
        (
            #"{"id":"Zoë","namespace":"ios-microsurvey-homepage","start":0,"count":5000}"#,
            #"{"hash48":"8c66ae34567f","in":false}"#
        ),
        (
            #"{"ratios":[80,10,10],"slug":"homepage-microsurvey","id":"3d2142de-53bf-2d48-a92d-45fb7036cbf6"}"#,
            #"{"hash48":"e9bf72c19349","index":2}"#
        ),
    ])
    func questionsAreAnswered(line: String, answer: String) throws {
        #expect(try self.answer(line) == answer)
    }

    @Test(arguments: [
        "null", "[]", "{}", #"{"id":"a"}"#, #"{"id":1,"namespace":"n","start":0,"count":1,"total":10}"#,
        #"{"id":"a","namespace":"n","start":-1,"count":1,"total":10}"#,
        #"{"id":"a","namespace":"n","start":0,"count":4294967296,"total":10}"#,
        #"{"id":"a","namespace":"n","start":0,"count":1.5,"total":10}"#,
        #"{"id":"a","namespace":"n","start":0,"count":1,"total":0}"#,
        #"{"id":"a","namespace":"n","start":0,"count":1,"total":"10"}"#,
        #"{"id":"a","slug":"s"}"#, #"{"id":"a","ratios":[1]}"#, #"{"id":"a","slug":"s","ratios":[]}"#,
        #"{"id":"a","slug":"s","ratios":[0]}"#, #"{"id":"a","slug":"s","ratios":[1,"1"]}"#,
        #"{"id":"a","slug":"s","ratios":[-1,2]}"#,
    ])
    func whatIsNoQuestionIsAnError(line: String) throws {
        let answer = BucketRequest.response(to: try JSONValue(parsing: line))
        #expect(answer.object?.keys == ["error"])
        #expect(answer.object?["error"]?.object?["kind"] == "input")
        #expect(answer.object?["error"]?.object?["message"]?.string?.isEmpty == false)
    }
}

/// Variants by AppDNA's assignment (docs/reference/http-api.md#the-command-bucket).
struct MurmurRequestTests {
    @Test(arguments: [
        ("exp_paywall_v3.a8f3c9d2.user_12345", "[0.5,0.5]", #"{"bucket":5791,"index":1}"#),
        ("exp_test.salt_abc.user_1", "[0.2,0.2,0.6]", #"{"bucket":3400,"index":1}"#),
        ("exp_test.salt_abc.user_1", "[0.1,0.1]", #"{"bucket":3400,"index":1}"#),
    ])
    func aTextHasAVariant(text: String, weights: String, answer: String) throws {
        let line = try JSONValue(parsing: #"{"murmur":"\#(text)","weights":\#(weights)}"#)
        #expect(BucketRequest.response(to: line).text == answer)
    }

    @Test func weightsAreNeeded() throws {
        for line in [#"{"murmur":"a"}"#, #"{"murmur":"a","weights":[]}"#, #"{"murmur":1,"weights":[1]}"#] {
            #expect(BucketRequest.response(to: try JSONValue(parsing: line)).object?["error"] != nil)
        }
    }
}
