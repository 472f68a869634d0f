import BellwetherAuthoring
import BellwetherCore
import Testing

/// The arithmetic of a survey's size.
struct SurveySizingTests {
    private static func sizing(
        _ responses: Int, rate: Double = 0.05, seen: Double = 0.5, clients: Int = 1_000_000, branches: Int = 1
    ) -> SurveySizing {
        SurveySizing(
            responsesPerBranch: responses, branches: branches, responseRate: rate, seen: seen, activeClients: clients)
    }

    @Test func responsesBecomeAShareOfThePopulation() {
        let sizing = Self.sizing(400)
        #expect(sizing.invitations == 8000)
        #expect(sizing.enrolled == 16_000)
        #expect(sizing.share == 0.016)
        #expect(sizing.bucketCount == 160)
    }

    @Test func eachBranchWantsItsOwn() {
        let sizing = Self.sizing(400, branches: 3)
        #expect(sizing.responses == 1200)
        #expect(sizing.bucketCount == 480)
        #expect(sizing.marginOfError == Self.sizing(400).marginOfError)
    }

    /// In the worst case half of the respondents are promoters and half are detractors: the variance is 1.
    @Test func aNetPromoterScoreWantsMoreResponses() {
        let worst = SurveySizing.Measure.netPromoterScore(promoters: 0.5, detractors: 0.5)
        #expect(SurveySizing.responses(margin: 0.05, of: 1_000_000_000, measure: worst) == 1537)
        let usual = SurveySizing.Measure.netPromoterScore(promoters: 0.4, detractors: 0.2)
        #expect(SurveySizing.responses(margin: 0.05, of: 1_000_000_000, measure: usual) == 861)
        let margin = SurveySizing.margin(responses: 1537, of: 1_000_000_000, measure: worst)
        #expect(margin <= 0.05 && margin > 0.0499)
        let one = SurveySizing.Measure.netPromoterScore(promoters: 1, detractors: 0)
        #expect(SurveySizing.responses(margin: 0.05, of: 100, measure: one) == 1, "all say the same")
    }

    @Test func bucketsAreRoundedUp() {
        #expect(Self.sizing(1).bucketCount == 1)
        #expect(Self.sizing(401).bucketCount == 161)
        // 0.1 × 0.1 is not 0.01 in binary.
        #expect(Self.sizing(100, rate: 0.1, seen: 0.1, clients: 10_000).bucketCount == 10_000)
    }

    @Test func whatCannotBeReachedSaysWhatCan() {
        let sizing = Self.sizing(400, rate: 0.02, seen: 0.3, clients: 50_000, branches: 2)
        #expect(sizing.bucketCount == nil)
        #expect(sizing.share > 1)
        #expect(sizing.reachableResponsesPerBranch == 150)
    }

    @Test func hugeNumbersDoNotTrap() {
        let sizing = Self.sizing(.max, rate: 1e-300, seen: 1e-300, clients: 1, branches: .max)
        #expect(sizing.bucketCount == nil)
        #expect(sizing.enrolled == .max)
    }

    /// Krejcie and Morgan, "Determining sample size for research activities", Educational and Psychological Measurement
    /// 30 (1970), Table 1, where every size is rounded.
    @Test(arguments: [
        (100, 80), (500, 217), (1000, 278), (5000, 357), (10_000, 370), (50_000, 381), (75_000, 382), (1_000_000, 384),
    ])
    func responsesForFivePercentAreThePublishedOnes(_ population: Int, _ published: Int) {
        let own = SurveySizing.responses(margin: 0.05, of: population)
        #expect(own == published || own == published + 1)
    }

    @Test(arguments: [0.01, 0.03, 0.05, 0.1], [50, 1000, 1_000_000_000])
    func responsesGiveTheirMargin(_ margin: Double, _ population: Int) {
        let responses = SurveySizing.responses(margin: margin, of: population)
        #expect(SurveySizing.margin(responses: responses, of: population) <= margin)
        #expect(responses == 1 || SurveySizing.margin(responses: responses - 1, of: population) > margin)
    }

    @Test func marginsOfKnownSamples() {
        #expect(abs(SurveySizing.margin(responses: 385, of: 1_000_000_000) - 0.04995) < 0.00001)
        #expect(abs(SurveySizing.margin(responses: 1067, of: 1_000_000_000) - 0.03) < 0.00001)
        #expect(SurveySizing.margin(responses: 100, of: 100) == 0)
    }
}
