import HTTPWire
import Testing

@testable import BellwetherAPI

@Suite struct MetricsTextTests {
    @Test func `Families stand together, with help and type once`() {
        let text = MetricsText.render([
            MetricSample("a_total", .counter, "All a.", labels: ["z": "1", "b": "2"], value: 3),
            MetricSample("a_total", .counter, "All a.", value: 1.5),
            MetricSample("g", .gauge, "A gauge.", value: -7),
        ])
        #expect(
            text == """
                # HELP a_total All a.
                # TYPE a_total counter
                a_total{b="2",z="1"} 3
                a_total 1.5
                # HELP g A gauge.
                # TYPE g gauge
                g -7

                """)
    }

    @Test func `Labels are escaped`() {
        let text = MetricsText.render([MetricSample("a", .gauge, "h", labels: ["l": "\\ \" \n é"], value: 0)])
        #expect(text.hasSuffix("a{l=\"\\\\ \\\" \\n é\"} 0\n"))
    }

    @Test func `Large numbers are written, not trapped on`() {
        for value in [1e300, .infinity, -.infinity, .nan, 9.3e18] as [Double] {
            #expect(!MetricsText.render([MetricSample("a", .gauge, "h", value: value)]).isEmpty)
        }
    }

    @Test func `Requests are counted by route and status`() throws {
        let metrics = Metrics()
        for _ in 0..<3 { metrics.count(Routes.all[0], status: 200) }
        metrics.count(Routes.all[1], status: 200)
        metrics.count(Routes.all[0], status: 418)
        metrics.count(nil, status: 404)
        metrics.countIgnoredAttributes(5)
        let requests = metrics.samples.filter { $0.name == "bellwether_requests_total" }
        #expect(requests.map(\.value).reduce(0, +) == 6)
        #expect(requests.first { $0.labels["status"] == "200" && $0.labels["method"] == "GET" }?.value == 3)
        #expect(requests.contains { $0.labels["status"] == "other" })
        #expect(requests.contains { $0.labels["route"] == "none" && $0.labels["status"] == "404" })
        #expect(metrics.samples.last?.value == 5)
    }
}
