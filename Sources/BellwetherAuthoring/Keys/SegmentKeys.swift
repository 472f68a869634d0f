/// The keys of a segment (docs/reference/audiences.md#segments). Its reader reports unknown keys.
enum SegmentKeys {
    static let segment = FormatObject(
        "segment",
        """
        kind | =segment | | the kind of the recipe
        name | words | | for people
        description | lines | | for people: who is in it
        !expression | expression | | true for the clients that are in it | Who is in it
        """, check: .free)
}
