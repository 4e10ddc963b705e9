#define _GNU_SOURCE
#include "CSystem.h"
