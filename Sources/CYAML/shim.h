#include <sys/types.h>
#include <yaml.h>
