//===- Json.cpp - reads JSON (see Json.h) -----------------------------------------------------===//
#include "oracles/engines/cuda/replay/Json.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace replay {

namespace {

class Parser {
public:
  explicit Parser(const std::string &source)
      : at(source.c_str()), begin(at), end(at + source.size()) {}

  Json document() {
    Json value = parse(0);
    skip();
    if (at != end)
      fail("end of the document");
    return value;
  }

private:
  [[noreturn]] void fail(const std::string &wanted) {
    throw Error("JSON: expected " + wanted + " at byte " + std::to_string(at - begin));
  }
  void skip() {
    while (at != end && std::strchr(" \t\r\n", *at) && *at)
      ++at;
  }
  bool take(char c) {
    skip();
    if (at == end || *at != c)
      return false;
    ++at;
    return true;
  }
  bool word(const char *text) {
    const size_t length = std::strlen(text);
    if (static_cast<size_t>(end - at) < length || std::strncmp(at, text, length) != 0)
      return false;
    at += length;
    return true;
  }
  std::string string() {
    std::string text;
    if (!take('"'))
      fail("a string");
    while (at != end && *at != '"') {
      if (*at != '\\') {
        text += *at++;
        continue;
      }
      if (++at == end)
        break;
      const char c = *at++;
      if (c == 'u') {
        if (end - at < 4)
          fail("four hexadecimal digits");
        const unsigned code = std::strtoul(std::string(at, 4).c_str(), nullptr, 16);
        at += 4;
        if (code < 0x80) {
          text += static_cast<char>(code);
        } else if (code < 0x800) {
          text += static_cast<char>(0xc0 | code >> 6);
          text += static_cast<char>(0x80 | (code & 63));
        } else {
          text += static_cast<char>(0xe0 | code >> 12);
          text += static_cast<char>(0x80 | (code >> 6 & 63));
          text += static_cast<char>(0x80 | (code & 63));
        }
        continue;
      }
      text += c == 'n'   ? '\n'
              : c == 't' ? '\t'
              : c == 'r' ? '\r'
              : c == 'b' ? '\b'
              : c == 'f' ? '\f'
                         : c;
    }
    if (at == end)
      fail("the end of a string");
    ++at;
    return text;
  }
  Json parse(int depth) {
    if (depth > 64)
      fail("less nesting");
    skip();
    Json value;
    if (at == end)
      fail("a value");
    if (take('{')) {
      value.kind = Json::Object;
      if (take('}'))
        return value;
      do {
        std::string key = string();
        if (!take(':'))
          fail("':'");
        value.members[key] = parse(depth + 1);
      } while (take(','));
      if (!take('}'))
        fail("'}'");
      return value;
    }
    if (take('[')) {
      value.kind = Json::Array;
      if (take(']'))
        return value;
      do
        value.items.push_back(parse(depth + 1));
      while (take(','));
      if (!take(']'))
        fail("']'");
      return value;
    }
    if (*at == '"') {
      value.kind = Json::String;
      value.text = string();
      return value;
    }
    if (word("true") || word("false")) {
      value.kind = Json::Bool;
      value.flag = at[-2] == 'u';
      return value;
    }
    if (word("null"))
      return value;
    char *after = nullptr;
    value.number = std::strtod(at, &after);
    if (after == at)
      fail("a value");
    value.kind = Json::Number;
    value.text.assign(at, static_cast<size_t>(after - at));
    at = after;
    return value;
  }

  const char *at, *begin, *end;
};

} // namespace

Json Json::parse(const std::string &source) {
  return Parser(source).document();
}

const Json &Json::at(const std::string &key) const {
  auto it = members.find(key);
  if (it == members.end())
    throw Error("bundle.json: expected the key '" + key + "'");
  return it->second;
}
const std::string &Json::string(const std::string &key) const {
  const Json &value = at(key);
  if (value.kind != String)
    throw Error("bundle.json: expected a string for '" + key + "'");
  return value.text;
}
double Json::num(const std::string &key) const {
  const Json &value = at(key);
  if (value.kind != Number)
    throw Error("bundle.json: expected a number for '" + key + "'");
  return value.number;
}
bool Json::boolean(const std::string &key, bool otherwise) const {
  return has(key) ? at(key).flag : otherwise;
}

std::string quote(const std::string &text) {
  std::string result = "\"";
  for (unsigned char c : text) {
    if (c == '"' || c == '\\') {
      result += '\\';
      result += static_cast<char>(c);
    } else if (c == '\n') {
      result += "\\n";
    } else if (c < 0x20) {
      char buffer[8];
      std::snprintf(buffer, sizeof buffer, "\\u%04x", c);
      result += buffer;
    } else {
      result += static_cast<char>(c);
    }
  }
  return result + '"';
}

} // namespace replay
