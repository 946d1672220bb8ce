// The precompiled header of tests, on top of pch.h: reading the test libraries takes a third of what a
// small test costs. Without the libraries (a build without tests) it is empty.
#if __has_include("gmock/gmock.h")
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#endif
