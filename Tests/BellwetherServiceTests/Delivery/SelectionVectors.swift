import BellwetherJSON

extension SelectionVector {
    private static let control: JSONValue = ["is-control": true, "text": "", "experiment": "{experiment}"]

    static let all: [SelectionVector] = rules + controls + lifecycle + tolerance

    private static let rules = [
        SelectionVector(number: 1, messages: ["a": ["p": 50], "b": ["p": 60]], steps: [.next("b")]),
        SelectionVector(
            number: 2, messages: ["a": ["p": 60, "trigger-if-all": ["NEVER"]], "b": ["p": 50]], steps: [.next("b")]),
        SelectionVector(
            number: 3, messages: ["a": ["trigger-if-all": ["ALWAYS", "NEVER"]]], steps: [.next(nil)]),
        SelectionVector(
            number: 4, messages: ["a": ["trigger-if-all": [], "except-if-any": []]], steps: [.next("a")]),
        SelectionVector(
            number: 5, messages: ["a": ["trigger-if-all": [], "except-if-any": ["NEVER", "ALWAYS"]]],
            steps: [.next(nil)]),
        SelectionVector(
            number: 6, messages: ["a": ["trigger-if-all": ["BOGUS"]]], steps: [.next(nil)], records: ["malformed(a)"]),
        SelectionVector(
            number: 7, messages: ["a": ["except-if-any": ["BOGUS"]]], steps: [.next(nil)], records: ["malformed(a)"]),
        SelectionVector(
            number: 8, messages: ["a": ["style": "NOPE"]], steps: [.next(nil)], records: ["malformed(a)"]),
        SelectionVector(number: 9, messages: ["a": ["text": ""]], steps: [.next(nil)], records: ["malformed(a)"]),
    ]

    private static let controls = [
        SelectionVector(
            number: 10, messages: ["a": control, "b": [:]], steps: [.next("b")], records: ["exposure(e)"],
            impressions: ["a": 1, "b": 0]),
        SelectionVector(
            number: 11, messages: ["a": ["is-control": true], "b": [:]], steps: [.next("b")],
            records: ["malformed(a)"], impressions: ["a": 1, "b": 0]),
        SelectionVector(
            number: 12, messages: ["a": control, "b": [:]], onControl: "show-none", steps: [.next(nil)],
            records: ["exposure(e)"], impressions: ["a": 1, "b": 0]),
        SelectionVector(
            number: 13,
            messages: [
                "c1": ["p": 60, "is-control": true, "experiment": "{experiment}"],
                "c2": ["p": 55, "is-control": true, "experiment": "{experiment}"], "b": ["p": 50],
            ],
            steps: [.next("b")], records: ["exposure(e)", "exposure(e)"], impressions: ["c1": 1, "c2": 1, "b": 0]),
        SelectionVector(
            number: 14,
            messages: ["c": ["p": 40, "is-control": true, "experiment": "{experiment}"], "b": ["p": 50]],
            steps: [.next("b")], impressions: ["c": 0, "b": 0]),
        SelectionVector(
            number: 23,
            messages: ["c": ["p": 60, "m": 2, "is-control": true, "experiment": "{experiment}"], "b": ["p": 50]],
            onControl: "show-none", steps: [.next(nil), .next(nil), .next("b")],
            records: ["exposure(e)", "exposure(e)", "expired(c)"], impressions: ["c": 2, "b": 0]),
    ]

    private static let lifecycle = [
        SelectionVector(
            number: 15, messages: ["a": ["m": 1, "experiment": "{experiment}"]],
            steps: [.next("a"), .displayed("a"), .next(nil)], records: ["exposure(e)", "expired(a)", "shown(a)"],
            impressions: ["a": 1]),
        SelectionVector(
            number: 16, messages: ["a": ["m": 3]],
            steps: [.displayed("a"), .displayed("a"), .next("a"), .dismissed("a"), .next(nil)],
            records: ["shown(a)", "shown(a)", "dismissed(a)"], impressions: ["a": 2]),
        // A click on the microsurvey surface opens the sheet, so the message does not expire.
        SelectionVector(
            number: 17, messages: ["a": ["m": 3]], steps: [.clicked("a"), .next("a")], records: ["clicked(a)"]),
        SelectionVector(
            number: 18, messages: ["a": ["surface": "new-tab-card"]],
            steps: [.next("microsurvey", nil), .next("new-tab-card", "a")]),
    ]

    private static let tolerance = [
        SelectionVector(
            number: 19, messages: ["a": ["trigger-if-all": ["T"]]], triggers: ["T": "2.0"], steps: [.next(nil)]),
        SelectionVector(
            number: 20, messages: ["a": ["trigger-if-all": ["T"]]], triggers: ["T": "undefined_thing == 1"],
            steps: [.next(nil)]),
        SelectionVector(
            number: 21, messages: ["a": ["action": "FOO"]], steps: [.next(nil)], records: ["malformed(a)"]),
        SelectionVector(number: 22, messages: ["a": ["action": "https://x.org/"]], steps: [.next("a")]),
        SelectionVector(
            number: 22, messages: ["a": ["action": "https://x.org/"]], dialect: "android", steps: [.next(nil)],
            records: ["malformed(a)"]),
    ]
}

extension SelectionVector.Step {
    static func next(_ key: String?) -> SelectionVector.Step { .next("microsurvey", key) }
}
