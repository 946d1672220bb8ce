//===- CampaignSettings.cpp - what a planned campaign tells its workers -----------------------===//
#include "fuzz/cli/CampaignSettings.h"

#include "compiler/support/Plants.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

using namespace tilesmith;
using namespace tilesmith::fuzz;

std::string tilesmith::fuzz::writeSettings(const CampaignSettings &settings) {
  const CampaignOptions &campaign = settings.run.campaign;
  llvm::json::Array known;
  for (const Suppression &one : settings.triage.known)
    known.push_back(one.pattern + " => " + one.reason);
  llvm::json::Object object{{"judge", llvm::json::Array(oracles::judgeWords(campaign.judge))},
                            {"timeout", campaign.limits.seconds},
                            {"memory", campaign.limits.memoryMiB},
                            {"plants", llvm::json::Array(settings.run.plants)},
                            {"features", llvm::json::Array(settings.fuzz.generator.only)},
                            {"invalid-share", settings.fuzz.invalidShare},
                            {"edit-share", settings.fuzz.editShare},
                            {"guided-share", settings.fuzz.guidedShare},
                            {"tileaa-share", settings.fuzz.tileaaShare},
                            {"stored-share", settings.fuzz.storedShare},
                            {"stored", llvm::json::Array(settings.fuzz.storedFolders)},
                            {"reduce-time", settings.triage.reduceSeconds},
                            {"known", std::move(known)}};
  if (settings.fuzz.generator.version)
    object["version"] = *settings.fuzz.generator.version;
  return llvm::formatv("{0}", llvm::json::Value(std::move(object)));
}

/// What the object holds, read in full or not at all.
static bool read(const llvm::json::Value &value, CampaignSettings &result,
                 std::vector<std::string> &judge, std::vector<std::string> &known) {
  llvm::json::Path::Root root;
  llvm::json::ObjectMapper map(value, root);
  CampaignOptions &campaign = result.run.campaign;
  std::vector<std::string> features;
  result.fuzz.tileaaShare = 0; // settings of a campaign that was planned before there were any
  const bool isGood =
      map && map.map("judge", judge) && map.map("timeout", campaign.limits.seconds) &&
      map.map("memory", campaign.limits.memoryMiB) && map.map("plants", result.run.plants) &&
      map.map("features", features) && map.map("invalid-share", result.fuzz.invalidShare) &&
      map.map("edit-share", result.fuzz.editShare) &&
      map.mapOptional("tileaa-share", result.fuzz.tileaaShare) &&
      map.mapOptional("stored-share", result.fuzz.storedShare) &&
      map.mapOptional("stored", result.fuzz.storedFolders) &&
      map.map("reduce-time", result.triage.reduceSeconds) && map.map("known", known) &&
      map.mapOptional("guided-share", result.fuzz.guidedShare) &&
      map.mapOptional("version", result.fuzz.generator.version);
  result.fuzz.generator.only.assign(features.begin(), features.end());
  return isGood;
}

llvm::Expected<CampaignSettings> tilesmith::fuzz::readSettings(llvm::StringRef json) {
  auto value = llvm::json::parse(json);
  if (!value)
    return value.takeError();
  CampaignSettings result;
  std::vector<std::string> words, known;
  if (!read(*value, result, words, known))
    return llvm::createStringError("expected the settings of a campaign, found " + json.str());
  auto judge = oracles::parseJudgeWords(words);
  if (!judge)
    return judge.takeError();
  result.run.campaign.judge = *judge;
  if (llvm::Error error =
          oracles::probeExternalTools(judge->external, judge->differential.engine.compile))
    return std::move(error);
  for (const std::string &plant : result.run.plants)
    if (llvm::Error error = activatePlant(plant))
      return std::move(error);
  if (llvm::Error error = checkFeatures(result.fuzz.generator.only))
    return std::move(error);
  auto suppressions = parseSuppressions(llvm::join(known, "\n"));
  if (!suppressions)
    return suppressions.takeError();
  result.triage.known = std::move(*suppressions);
  result.triage.judge = freshly(result.run.campaign.judge);
  result.triage.limits = result.run.campaign.limits;
  result.triage.prepare = plantSwitch(result.run);
  result.triage.plants = plantWords(result.run);
  return result;
}
