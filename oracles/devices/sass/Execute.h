//===- Execute.h - one function per operation of the instruction table ------------------------===//
#ifndef ORACLES_DEVICES_SASS_EXECUTE_H
#define ORACLES_DEVICES_SASS_EXECUTE_H

#include "oracles/devices/sass/Instruction.h"

namespace tilesmith::sass {

/// `SR_TID.X`
llvm::StringRef specialRegisterName(uint8_t number);

#define OPERATION(name) void name(Warp &w, const Instruction &i)
OPERATION(executeArrivesLdgsts);
OPERATION(executeArrivesLdgsts90);
OPERATION(executeAtomGlobal);
OPERATION(executeAtomGlobal90);
OPERATION(executeAtomGlobalFloat90);
OPERATION(executeAtomShared);
OPERATION(executeB2r);
OPERATION(executeBar);
OPERATION(executeBarReduce);
OPERATION(executeBmovToBarrier);
OPERATION(executeBmovToRegister);
OPERATION(executeBmsk);
OPERATION(executeBra);
OPERATION(executeBraAny);
OPERATION(executeBraMask);
OPERATION(executeBreak);
OPERATION(executeBrev);
OPERATION(executeBssy);
OPERATION(executeBsync);
OPERATION(executeBulkCopy);
OPERATION(executeCallAbsolute);
OPERATION(executeCasGlobal);
OPERATION(executeCasShared);
OPERATION(executeClusterArrive);
OPERATION(executeClusterWait);
OPERATION(executeCredux);
OPERATION(executeCs2r);
OPERATION(executeDadd);
OPERATION(executeDepbar);
OPERATION(executeDfma);
OPERATION(executeDmma);
OPERATION(executeDmul);
OPERATION(executeDsetp);
OPERATION(executeElect);
OPERATION(executeExit);
OPERATION(executeF2f);
OPERATION(executeF2fp);
OPERATION(executeF2fp8);
OPERATION(executeF2fp8Half);
OPERATION(executeF2fpE2m1);
OPERATION(executeF2fpE8);
OPERATION(executeF2fpTf32);
OPERATION(executeF2fpUnpack);
OPERATION(executeF2fpUnpackE2m1);
OPERATION(executeF2fpUnpackE8);
OPERATION(executeF2i);
OPERATION(executeFadd);
OPERATION(executeFadd2);
OPERATION(executeFchk);
OPERATION(executeFfma);
OPERATION(executeFfma2);
OPERATION(executeFhadd);
OPERATION(executeFhfma);
OPERATION(executeFlo);
OPERATION(executeFmnmx);
OPERATION(executeFmnmx3);
OPERATION(executeFmul);
OPERATION(executeFmul2);
OPERATION(executeFrnd);
OPERATION(executeFsel);
OPERATION(executeFset);
OPERATION(executeFsetp);
OPERATION(executeHadd2);
OPERATION(executeHfma2);
OPERATION(executeHmma);
OPERATION(executeHmnmx2);
OPERATION(executeHmul2);
OPERATION(executeHsetp2);
OPERATION(executeI2f);
OPERATION(executeI2fp);
OPERATION(executeIabs);
OPERATION(executeIadd3);
OPERATION(executeIdp4);
OPERATION(executeImad);
OPERATION(executeImadHi);
OPERATION(executeImadWide);
OPERATION(executeImma);
OPERATION(executeImnmx);
OPERATION(executeIsetp);
OPERATION(executeLdc);
OPERATION(executeLdgdepbar);
OPERATION(executeLdgsts);
OPERATION(executeLdgsts100);
OPERATION(executeLdsm);
OPERATION(executeLea);
OPERATION(executeLeaHi);
OPERATION(executeLeaHiSx);
OPERATION(executeLepc);
OPERATION(executeLepcTarget);
OPERATION(executeLoadGlobal);
OPERATION(executeLoadGlobalUniform);
OPERATION(executeLoadLocal);
OPERATION(executeLoadShared);
OPERATION(executeLoadTensor);
OPERATION(executeLop3);
OPERATION(executeMatch);
OPERATION(executeMov);
OPERATION(executeMufu);
OPERATION(executeNop);
OPERATION(executeP2R);
OPERATION(executePlop3);
OPERATION(executePopc);
OPERATION(executePrmt);
OPERATION(executeR2P);
OPERATION(executeR2UR);
OPERATION(executeRedGlobal);
OPERATION(executeRedGlobal90);
OPERATION(executeRedGlobalFloat90);
OPERATION(executeRedux);
OPERATION(executeRet);
OPERATION(executeRpcmovFrom);
OPERATION(executeRpcmovTo);
OPERATION(executeS2R);
OPERATION(executeSel);
OPERATION(executeSetmaxreg);
OPERATION(executeSgxt);
OPERATION(executeShf);
OPERATION(executeShfl);
OPERATION(executeStoreAsync);
OPERATION(executeStoreGlobal);
OPERATION(executeStoreGlobalUniform);
OPERATION(executeStoreLocal);
OPERATION(executeStoreShared);
OPERATION(executeStoreTensor);
OPERATION(executeStsm);
OPERATION(executeSyncsArrive);
OPERATION(executeSyncsExch);
OPERATION(executeSyncsPhase);
OPERATION(executeTensorAllocate);
OPERATION(executeTensorArrive);
OPERATION(executeTensorCopy);
OPERATION(executeTensorProduct);
OPERATION(executeTensorRelease);
OPERATION(executeTrap);
OPERATION(executeUiadd364);
OPERATION(executeUldc);
OPERATION(executeUtmaldg);
OPERATION(executeUtmastg);
OPERATION(executeVhmnmx);
OPERATION(executeViadd);
OPERATION(executeViaddmnmx);
OPERATION(executeVimnmx);
OPERATION(executeVimnmx100);
OPERATION(executeVimnmx3);
OPERATION(executeVote);
OPERATION(executeWarpgroupProduct);
OPERATION(executeWarpgroupWait);
OPERATION(executeWarpsync);
OPERATION(executeWarpsyncAll);
OPERATION(executeWarpsyncCollective);
OPERATION(executeYield);
#undef OPERATION

} // namespace tilesmith::sass

#endif // ORACLES_DEVICES_SASS_EXECUTE_H
