import {
  systemClock
} from "./chunk-YG6N4YZL.js";
import {
  backupStore,
  probeStore,
  repairStore,
  restoreStore,
  verifyStore
} from "./chunk-TAVG4KYY.js";
import "./chunk-SLADJPH6.js";
import "./chunk-FTDLCQXU.js";
import "./chunk-BZJGDYVY.js";
import "./chunk-WSUH7ILY.js";
import "./chunk-BLE2ZYMV.js";
import "./chunk-5L33DSE6.js";
import "./chunk-YBJXGIGP.js";

// src/command/backup.ts
async function runBackup(paths, deps) {
  const { bytes } = await deps.backupStore(paths.folder, paths.backup);
  deps.print(`${paths.folder} is backed up in ${paths.backup}: ${bytes} bytes`);
  return 0;
}
function runRestore(paths, deps) {
  const { bytes } = deps.restoreStore(paths.backup, paths.folder);
  deps.print(`${paths.folder} is what ${paths.backup} holds: ${bytes} bytes`);
  return 0;
}

// src/command/probe.ts
function runProbe(folder, deps) {
  const problems = deps.probeStore(folder);
  for (const problem of problems) deps.print(problem);
  return problems.length === 0 ? 0 : 1;
}

// src/command/repair.ts
async function runRepair(folder, deps) {
  const { done, problems, setAside } = await deps.repairStore(folder);
  for (const line of done) deps.print(line);
  for (const problem of problems) deps.print(`still wrong: ${problem}`);
  if (setAside !== null) deps.print(`What was set aside is in ${setAside}`);
  deps.print(`${folder}: ${done.length} things mended, ${problems.length} left`);
  return problems.length === 0 ? 0 : 1;
}

// src/command/verify.ts
async function runVerify(folder, deps) {
  const { compared, problems } = await deps.verifyStore(folder);
  for (const problem of problems) deps.print(problem);
  deps.print(`${folder}: ${compared} values compared, ${problems.length} differ`);
  return problems.length === 0 ? 0 : 1;
}

// src/run-on-store.ts
var nowMs = () => systemClock.nowMs();
var repair = (folder) => repairStore(folder, nowMs());
var backUp = (folder, backup) => backupStore(folder, backup, nowMs);
var runs = {
  verify: ({ folder, print }) => runVerify(folder, { verifyStore, print }),
  probe: ({ folder, print }) => runProbe(folder, { probeStore, print }),
  repair: ({ folder, print }) => runRepair(folder, { repairStore: repair, print }),
  backup: ({ folder, print }, backup) => runBackup({ folder, backup }, { backupStore: backUp, print }),
  restore: ({ folder, print }, backup) => runRestore({ folder, backup }, { restoreStore, print })
};
async function runOnStore(line, world) {
  return runs[line.command.name](world, line.words[0] ?? "");
}
export {
  runOnStore
};
//# sourceMappingURL=run-on-store-Y2BA3OA6.js.map
