//===- Parser.cpp - PTX modules, functions and module directives ------------------------------===//
#include "oracles/devices/ptx/Parser.h"
#include "oracles/devices/ptx/ParserImpl.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace tilesmith::ptx;
using llvm::StringRef;
using llvm::Twine;

bool Parser::fail(Location location, const Twine &message) {
  if (error.message.empty())
    error = {location, message.str()};
  return false;
}

bool Parser::expected(const Twine &what) {
  const Token &token = peek();
  if (token.kind == Token::Invalid)
    return fail(token.location, token.message);
  if (token.kind == Token::End)
    return fail(token.location, "expected " + what + ", found the end of the text");
  return fail(token.location, "expected " + what + ", found '" +
                                  Twine(token.kind == Token::Word ? "." : "") +
                                  token.text.take_front(60) + "'");
}

bool Parser::accept(char c) {
  if (!peek().is(c))
    return false;
  take();
  return true;
}

bool Parser::acceptWord(StringRef word) {
  if (!peek().isWord(word))
    return false;
  take();
  return true;
}

bool Parser::expect(char c) {
  return accept(c) || expected("'" + Twine(c) + "'");
}

bool Parser::expectName(StringRef &name, StringRef what) {
  if (peek().kind != Token::Name)
    return expected(what);
  name = take().text;
  return true;
}

bool Parser::expectInteger(uint64_t &value, StringRef what) {
  if (peek().kind != Token::Integer)
    return expected(what);
  value = take().value;
  return true;
}

//===------------------------------------------------------------------------------------------===//
// Module
//===------------------------------------------------------------------------------------------===//

bool Parser::parseHeader(Target &target) {
  if (!acceptWord("version"))
    return expected("'.version'");
  const Token version = take();
  unsigned major = 0, minor = 0;
  auto [before, behind] = version.text.split('.');
  if (version.kind != Token::Decimal || before.getAsInteger(10, major) ||
      behind.getAsInteger(10, minor) || minor > 9 || major > 20)
    return fail(version.location,
                "expected a PTX version such as 8.6, found '" + version.text + "'");
  target.version = major * 10 + minor;
  if (!acceptWord("target"))
    return expected("'.target'");
  StringRef name;
  const Location location = peek().location;
  if (!expectName(name, "a target"))
    return false;
  if (!parseTarget(name, target))
    return fail(location,
                "expected a target of PTX " + before + "." + behind + ", found '" + name + "'");
  while (accept(',')) {
    if (!expectName(name, "a target option"))
      return false;
    if (name == "debug")
      target.debug = true;
    else if (name != "texmode_unified" && name != "texmode_independent")
      return fail(location, "unknown target option '" + name + "'");
  }
  uint64_t size = 0;
  const Location sizeLocation = peek(1).location;
  if (!acceptWord("address_size"))
    return expected("'.address_size'");
  if (!expectInteger(size, "64"))
    return false;
  return size == 64 || fail(sizeLocation, "expected .address_size 64, found " + Twine(size));
}

bool Parser::parseModule(Module &module) {
  if (!parseHeader(module.target))
    return false;
  while (peek().kind != Token::End)
    if (!parseItem(module))
      return false;
  return true;
}

bool Parser::parseFile() {
  uint64_t number;
  if (!expectInteger(number, "the number of a file"))
    return false;
  if (peek().kind != Token::String)
    return expected("a file name");
  take();
  // A time stamp and a size may follow.
  for (unsigned i = 0; i < 2 && accept(','); ++i)
    if (!expectInteger(number, "a number"))
      return false;
  return true;
}

// Debug sections: lines of data, labels, and names of sections and labels as data.
bool Parser::parseSection() {
  if (peek().kind != Token::Word)
    return expected("the name of a section");
  take();
  if (!expect('{'))
    return false;
  while (!accept('}')) {
    if (peek().kind == Token::Name && peek(1).is(':')) {
      take();
      take();
      continue;
    }
    const Token width = take();
    if (width.kind != Token::Word || !llvm::is_contained({"b8", "b16", "b32", "b64"}, width.text))
      return fail(width.location, "expected data of a section, found '" + width.text + "'");
    do {
      accept('-');
      const Token datum = take();
      if (datum.kind != Token::Integer && datum.kind != Token::Name && datum.kind != Token::Word)
        return fail(datum.location, "expected a number or a label, found '" + datum.text + "'");
      if (accept('-') || accept('+'))
        take();
    } while (accept(','));
  }
  return true;
}

bool Parser::parseItem(Module &module) {
  if (acceptWord("file"))
    return parseFile();
  if (acceptWord("section"))
    return parseSection();
  if (acceptWord("pragma")) {
    if (peek().kind != Token::String)
      return expected("a string");
    take();
    return expect(';');
  }
  const Location location = peek().location;
  bool isExtern = false;
  if (acceptWord("extern"))
    isExtern = true;
  else if (!acceptWord("visible") && !acceptWord("weak"))
    acceptWord("common");
  ModuleItem item;
  if (peek().isWord("entry") || peek().isWord("func")) {
    item.function = std::make_unique<Function>();
    item.function->location = location;
    item.function->isExtern = isExtern;
    item.function->isEntry = take().text == "entry";
    if (!parseFunction(*item.function))
      return false;
  } else if (peek().kind == Token::Word && isStateSpace(peek().text) && peek().text != "local" &&
             peek().text != "param") {
    item.variable = std::make_unique<Variable>();
    item.variable->isExtern = isExtern;
    if (!parseVariable(*item.variable, &item.initialiser))
      return false;
  } else {
    return expected("a function, a variable or a directive of the module");
  }
  module.items.push_back(std::move(item));
  return true;
}

//===------------------------------------------------------------------------------------------===//
// Functions
//===------------------------------------------------------------------------------------------===//

bool Parser::parseParameters(const Function *entry, std::vector<Variable> &parameters,
                             std::vector<RegisterDeclaration> *registers) {
  if (!expect('('))
    return false;
  if (accept(')'))
    return true;
  do {
    if (registers && peek().isWord("reg")) {
      take();
      RegisterDeclaration declaration;
      declaration.location = peek().location;
      if (!parseTypeAndVector(declaration.type, declaration.vector) ||
          !expectName(declaration.name, "the name of a parameter"))
        return false;
      registers->push_back(declaration);
      continue;
    }
    if (!acceptWord("param"))
      return expected("'.param'");
    Variable variable;
    if (!parseParameter(entry != nullptr, variable))
      return false;
    parameters.push_back(variable);
  } while (accept(','));
  return expect(')');
}

bool Parser::parseNumbers(unsigned least, unsigned most) {
  const Location location = peek().location;
  unsigned count = 0;
  do {
    uint64_t value;
    if (!expectInteger(value, "a number"))
      return false;
    if (value == 0 || value > UINT32_MAX)
      return fail(location, "expected a positive 32-bit number, found " + Twine(value));
    ++count;
  } while (accept(','));
  return (count >= least && count <= most) ||
         fail(location, "expected " + Twine(least) + " to " + Twine(most) + " numbers, found " +
                            Twine(count));
}

bool Parser::parseFunctionDirectives(const Function &function) {
  while (peek().kind == Token::Word) {
    const Token directive = take();
    const StringRef word = directive.text;
    if (word == "noreturn") {
      if (function.isEntry)
        return fail(directive.location, "'.noreturn' belongs to a function, found on an entry");
      continue;
    }
    if (word == "pragma") {
      if (peek().kind != Token::String)
        return expected("a string");
      take();
      if (!expect(';'))
        return false;
      continue;
    }
    const unsigned most =
        llvm::StringSwitch<unsigned>(word)
            .Cases({"maxntid", "reqntid", "reqnctapercluster"}, 3)
            .Cases({"maxnreg", "minnctapersm", "maxnctapersm", "maxclusterrank"}, 1)
            .Case("language", 1)
            .Cases({"explicitcluster", "blocksareclusters"}, 0)
            .Default(4);
    if (most == 4)
      return fail(directive.location, "unknown directive '." + word + "' of a function");
    if (!function.isEntry && word != "maxnreg")
      return fail(directive.location, "'." + word + "' belongs to an entry, found on a function");
    if (most && !parseNumbers(1, most))
      return false;
  }
  return true;
}

bool Parser::parseFunction(Function &function) {
  if (!function.isEntry && peek().is('(') &&
      !parseParameters(nullptr, function.results, &function.registerParameters))
    return false;
  function.location = peek().location;
  if (!expectName(function.name, "the name of a function"))
    return false;
  if (peek().is('(') && !parseParameters(function.isEntry ? &function : nullptr,
                                         function.parameters, &function.registerParameters))
    return false;
  if (!parseFunctionDirectives(function))
    return false;
  if (accept(';'))
    return true;
  if (!expect('{'))
    return false;
  if (function.isExtern)
    return fail(function.location, "'" + function.name + "' is external, expected no body");
  function.body = std::make_unique<Block>();
  return parseBlock(*function.body, 0);
}

std::optional<Module> tilesmith::ptx::parseModule(StringRef text, Diagnostic &error) {
  error.message.clear();
  Module module;
  Parser parser(lex(text), error);
  if (!parser.parseModule(module))
    return std::nullopt;
  return module;
}
