import {
  askHolder,
  holdStore,
  readAccounts,
  runAccountCommand
} from "./chunk-TE4R7E5U.js";
import "./chunk-LIDZTVNQ.js";
import {
  systemRandom
} from "./chunk-UKLA2F2A.js";
import "./chunk-PZOPM4PF.js";
import {
  systemClock
} from "./chunk-YG6N4YZL.js";
import {
  closeToOthers,
  openWriteStore
} from "./chunk-TAVG4KYY.js";
import "./chunk-SLADJPH6.js";
import "./chunk-FTDLCQXU.js";
import "./chunk-ELSLXJNS.js";
import "./chunk-LB2TN2PK.js";
import "./chunk-IEKB2XZW.js";
import "./chunk-QNSZFSTN.js";
import {
  ServiceError
} from "./chunk-BZJGDYVY.js";
import "./chunk-WSUH7ILY.js";
import "./chunk-BLE2ZYMV.js";
import "./chunk-5L33DSE6.js";
import "./chunk-YBJXGIGP.js";

// src/run-accounts.ts
import { existsSync } from "node:fs";
import { join } from "node:path";
import { text as readText } from "node:stream/consumers";
async function runAccounts(line, config) {
  const argv = argvOf(line, await givenPassword(line));
  if (!existsSync(join(config.dataPath, "data.mdb"))) {
    throw new ServiceError(
      "storage",
      `Expected a store in "${config.dataPath}": start the server once, or name it with --data`
    );
  }
  return await askHolder(config.dataPath, argv) ?? runAlone(argv, config);
}
function argvOf({ command, words, options }, password) {
  const given = new Map(options);
  if (password !== null) given.set("password", password);
  const flags = Array.from(given, ([name, value]) => `--${name}=${value}`);
  return [...command.name.split(" "), ...words, ...flags];
}
async function runAlone(argv, config) {
  const hold = await holdStore(config.dataPath);
  closeToOthers(config.dataPath);
  const store = openWriteStore({
    folder: config.dataPath,
    retentionMs: config.retentionMs,
    cycleGraceMs: config.cycleGraceMs,
    elapsedMs: () => performance.now(),
    warn: (_, message) => void process.stderr.write(`tidegauge: ${message}
`)
  });
  try {
    const documents = documentsOf(store);
    const accounts = await readAccounts({
      documents,
      random: systemRandom,
      clock: systemClock,
      wanted: {}
    });
    return await runAccountCommand(argv, { accounts, random: systemRandom });
  } finally {
    await store.close();
    await hold.release();
  }
}
function documentsOf(store) {
  return {
    get: async (kind, id) => store.getDocument(kind, id),
    put: async (kind, id, document) => store.putDocuments([{ kind, id, document }]),
    putAll: async (changes) => store.putDocuments(changes),
    list: async (kind, range) => store.listDocuments(kind, range)
  };
}
async function givenPassword({ options }) {
  if (options.get("password") !== "-") return null;
  return (await readText(process.stdin)).replace(/\r?\n$/, "");
}
export {
  runAccounts
};
//# sourceMappingURL=run-accounts-IWF22WSY.js.map
