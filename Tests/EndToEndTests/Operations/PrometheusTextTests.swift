import TestSupport
import Testing

/// The parser of metrics rejects the same inputs as Prometheus.
@Suite struct PrometheusTextTests {
    private static let histogram = """
        # HELP h_seconds Help.
        # TYPE h_seconds histogram
        h_seconds_bucket{le="0.1"} 1
        h_seconds_bucket{le="+Inf"} 3
        h_seconds_sum 2.5
        h_seconds_count 3

        """
    private static let counter = "# HELP a_total Help.\n# TYPE a_total counter\na_total{x=\"1\"} 2\n"

    @Test func `What is right is read`() throws {
        let text = try PrometheusText(Self.histogram + Self.counter)
        #expect(text.families.mapValues(\.kind) == ["h_seconds": "histogram", "a_total": "counter"])
        #expect(text.values["a_total{x=\"1\"}"] == 2)
        #expect(text.sum("h_seconds_bucket", ["le": "0.1"]) == 1)
        let escaped = try PrometheusText("# HELP g Help.\n# TYPE g gauge\ng{x=\"a\\\\b\\\"c\\nd,}\"} -1e+20\n")
        #expect(escaped.families["g"]?.samples.first?.labels == ["x": "a\\b\"c\nd,}"])
    }

    @Test(
        arguments: [
            // Line ends and order.
            String(counter.dropLast()), counter + "\n", counter + counter, "a_total 1\n" + counter,
            "# TYPE a_total counter\na_total 1\n", "# HELP a_total Help.\na_total 1\n",
            "# HELP a_total Help.\n# TYPE a_total counter\n", counter + "b 1\n", "# EOF\n",
            "# HELP a_total \n# TYPE a_total counter\na_total 1\n", counter.replacingTotal("a_total summary"),
            // Series.
            counter + "a_total{x=\"1\"} 3\n", counter + "a_total{y=\"1\"} 3\n",
            counter + "a_total{x=\"1\",x=\"2\"} 3\n", counter + "a_total{x=\"2\" 3\n",
            counter + "a_total{x=\"\\t\"} 3\n", counter + "a_total{x=2} 3\n",
            counter + "a_total{x=\"2\"}  3\n", counter + "a_total{x=\"2\"} 3 17\n",
            counter + "a_total{x=\"2\"} inf\n", counter + "a_total{x=\"2\"} -3\n",
            counter + "a_total{x=\"2\"} nan\n", counter + "A_total{x=\"2\"} 3\n",
            "# HELP a Help.\n# TYPE a counter\na 1\n", "# HELP a_total Help.\n# TYPE a_total gauge\na_total 1\n",
        ])
    func `What is wrong is refused`(_ text: String) { #expect(throws: Failure.self) { try PrometheusText(text) } }

    @Test(
        arguments: [
            (#"{le="0.1"} 1"#, #"{le="0.1"} 4"#), (#"le="+Inf""#, #"le="9""#), ("_count 3", "_count 2"),
            ("h_seconds_sum 2.5\n", ""), ("h_seconds_count 3\n", ""), (#"{le="0.1"}"#, #"{le="x"}"#),
            (#"{le="0.1"}"#, ""), ("h_seconds_sum", "h_seconds_sum{le=\"1\"}"), ("_sum 2.5", "_sum -1"),
            (#"h_seconds_bucket{le="0.1"} 1"#, #"h_seconds{le="0.1"} 1"#),
            ("h_seconds_bucket{le=\"+Inf\"} 3\n", "h_seconds_bucket{le=\"0.05\"} 1\nh_seconds_bucket{le=\"+Inf\"} 3\n"),
        ])
    func `A histogram that does not add up is refused`(_ change: (from: String, to: String)) throws {
        let range = try #require(Self.histogram.firstRange(of: change.from))
        let text = Self.histogram.replacingCharacters(of: range, with: change.to)
        #expect(throws: Failure.self) { try PrometheusText(text) }
    }
}

extension String {
    fileprivate func replacingTotal(_ type: String) -> String {
        guard let range = firstRange(of: "a_total counter") else { return self }
        return replacingCharacters(of: range, with: type)
    }

    fileprivate func replacingCharacters(of range: Range<Index>, with text: String) -> String {
        String(self[..<range.lowerBound]) + text + String(self[range.upperBound...])
    }
}
