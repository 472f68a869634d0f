/// Documents that both parsers accept.
enum JSONSamples {
    static let documents: [String] = [
        "null", "true", "[]", "{}", "0", "-1", "1.5e3", "9007199254740993", "1e308", "5e-324", "1e-400",
        #"{"a":[1,2.5,"x",{"b":null}],"c":"\u00e9\ud83d\ude00"}"#,
        #"[[[[["deep"]]]],{"k":{"k":{"k":false}}}]"#,
        "  [ 1 , 2 ]  ", #""\u2028 / \/ \"""#,
    ]
}
