#include "web_assets.h"

// #embed is C23's; clang takes it in every mode and warns.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char loader[] = {
#embed "../../Web/dist/bellwether.js.gz"
};
static const unsigned char module[] = {
#embed "../../Web/dist/bellwether.mjs.gz"
};
static const unsigned char renderer[] = {
#embed "../../Web/dist/render.js.gz"
};
static const unsigned char page[] = {
#embed "../../Web/dist/page.js.gz"
};
// The digest that the loader knows the renderer by.
static const unsigned char renderer_digest[] = {
#embed "../../Web/dist/render.digest"
};

static const struct bellwether_web_asset assets[] = {
    {"bellwether.js", loader, sizeof loader},
    {"bellwether.mjs", module, sizeof module},
    {"render.js", renderer, sizeof renderer},
    {"page.js", page, sizeof page},
    {"render.digest", renderer_digest, sizeof renderer_digest},
};

const struct bellwether_web_asset *bellwether_web_asset(size_t index) {
    return index < sizeof assets / sizeof assets[0] ? &assets[index] : NULL;
}
