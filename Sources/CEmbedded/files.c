// Written by Scripts/embed.
#include "embedded.h"

// #embed is C23's; clang takes it in every mode and warns.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char file_0[] = {
#embed "../../docs/findings.md"
};
static const unsigned char file_1[] = {
#embed "../../docs/metrics.md"
};
static const unsigned char file_2[] = {
#embed "../../docs/openapi.yaml"
};
static const unsigned char file_3[] = {
#embed "../../docs/operators-guide.md"
};
static const unsigned char file_4[] = {
#embed "../../docs/owners-guide.md"
};
static const unsigned char file_5[] = {
#embed "../../Web/dist/bellwether.js.gz"
};
static const unsigned char file_6[] = {
#embed "../../Web/dist/bellwether.mjs.gz"
};
static const unsigned char file_7[] = {
#embed "../../Web/dist/page.js.gz"
};
static const unsigned char file_8[] = {
#embed "../../Web/dist/render.digest"
};
static const unsigned char file_9[] = {
#embed "../../Web/dist/render.js.gz"
};

static const struct bellwether_embedded_file files[] = {
    {"docs/findings.md", file_0, sizeof file_0},
    {"docs/metrics.md", file_1, sizeof file_1},
    {"docs/openapi.yaml", file_2, sizeof file_2},
    {"docs/operators-guide.md", file_3, sizeof file_3},
    {"docs/owners-guide.md", file_4, sizeof file_4},
    {"Web/dist/bellwether.js.gz", file_5, sizeof file_5},
    {"Web/dist/bellwether.mjs.gz", file_6, sizeof file_6},
    {"Web/dist/page.js.gz", file_7, sizeof file_7},
    {"Web/dist/render.digest", file_8, sizeof file_8},
    {"Web/dist/render.js.gz", file_9, sizeof file_9},
};

const struct bellwether_embedded_file *bellwether_embedded_file(size_t index) {
    return index < sizeof files / sizeof files[0] ? &files[index] : NULL;
}
