//===- CampaignSettings.h - what a planned campaign tells its workers -------------------------===//
#ifndef FUZZ_CLI_CAMPAIGNSETTINGS_H
#define FUZZ_CLI_CAMPAIGNSETTINGS_H

#include "fuzz/cli/Commands.h"
#include "fuzz/triage/Triage.h"

namespace tilesmith::fuzz {

struct CampaignSettings {
  RunOptions run;
  FuzzOptions fuzz;
  TriageOptions triage;
};

/// As JSON: what decides cases, verdicts and how findings are filed; nothing of the machine.
std::string writeSettings(const CampaignSettings &settings);

/// What was planned, with all else at its default. Planted bugs are switched on. Error: a setting
/// that this build does not know.
llvm::Expected<CampaignSettings> readSettings(llvm::StringRef json);

} // namespace tilesmith::fuzz

#endif // FUZZ_CLI_CAMPAIGNSETTINGS_H
