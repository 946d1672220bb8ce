//===- ConfiguredEngine.cpp - an engine with settings of its own ------------------------------===//
#include "oracles/engines/ConfiguredEngine.h"

using namespace tilesmith;
using namespace tilesmith::oracles;

namespace {

class ConfiguredEngine : public Engine {
public:
  ConfiguredEngine(std::unique_ptr<Engine> engine, std::string wholeName, EngineSettings settings)
      : engine(std::move(engine)), wholeName(std::move(wholeName)), settings(std::move(settings)) {}

  llvm::StringRef name() const override { return wholeName; }
  EngineOptions variation(EngineOptions options) const override {
    return engine->variation(std::move(options)); // the schedule, which no setting touches
  }
  bool keepsToPublicText() const override { return engine->keepsToPublicText(); }
  EngineResult run(const EngineRequest &request) override {
    EngineRequest own = request;
    own.options = settings.applyTo(request.options, request.testCase.name);
    EngineResult result = engine->run(own);
    // A reader cannot know what was drawn.
    if (settings.draw != DrawnLevels::None && !result.message.empty())
      result.message += " (" + printEngineSettings(settingsOf(own.options)) + ")";
    return result;
  }

private:
  std::unique_ptr<Engine> engine;
  std::string wholeName;
  EngineSettings settings;
};

} // namespace

std::unique_ptr<Engine> tilesmith::oracles::configureEngine(std::unique_ptr<Engine> engine,
                                                            llvm::StringRef name,
                                                            EngineSettings settings) {
  return std::make_unique<ConfiguredEngine>(std::move(engine), name.str(), std::move(settings));
}
