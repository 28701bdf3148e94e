import {
  ServiceError
} from "./chunk-BZJGDYVY.js";

// src/engine/outcome.ts
async function toOutcome(work) {
  try {
    return { ok: true, value: await work() };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const { code, problems, retryAfterSeconds } = error;
    return { ok: false, code, problems, retryAfterSeconds };
  }
}
function fromOutcome(outcome) {
  if (outcome.ok) return outcome.value;
  const { code, problems, retryAfterSeconds } = outcome;
  throw new ServiceError(
    code,
    problems,
    retryAfterSeconds === void 0 ? {} : { retryAfterSeconds }
  );
}

// src/engine/pool.ts
import { Piscina, workerData } from "piscina";
var turnEveryMs = 1e3;
var nurseryMbDefault = 64;
function createThreadPool(options) {
  const piscina = new Piscina({
    filename: options.filename,
    minThreads: options.isLazy === true ? 0 : options.threads,
    maxThreads: options.threads,
    concurrentTasksPerWorker: options.tasksPerThread,
    workerData: options.workerData,
    // Queues are bounded where requests come in (intake, HTTP); a bound here would only lose tasks.
    maxQueue: Infinity,
    idleTimeout: Infinity,
    recordTiming: false,
    resourceLimits: { maxYoungGenerationSizeMb: options.nurseryMb ?? nurseryMbDefault }
  });
  const runOnAll = (task) => Promise.all(piscina.threads.map(() => piscina.run(task)));
  const turnAll = () => runOnAll(null);
  const stopTurning = options.repeat(oneAtATime(turnAll), turnEveryMs);
  let taskCount = 0;
  return {
    threads: options.threads,
    get taskCount() {
      return taskCount;
    },
    runOnAll,
    run: (task, moved = []) => {
      taskCount++;
      const done = piscina.run(task, { transferList: moved });
      return done.finally(() => taskCount--);
    },
    close: async () => {
      stopTurning();
      await turnAll();
      await piscina.close();
    }
  };
}
function oneAtATime(work) {
  let isRunning = false;
  return () => {
    if (isRunning) return;
    isRunning = true;
    const done = () => isRunning = false;
    work().then(done, done);
  };
}
function turnOfLoop() {
  return new Promise((resolve) => setImmediate(() => setImmediate(() => resolve(null))));
}
function poolWorkerData() {
  return workerData;
}

// src/garbage.ts
import { getHeapStatistics, setFlagsFromString } from "node:v8";
var smallStoreSeries = 2e5;
var growingPercent = 400;
var lookEveryMs = 6e4;
function watchGarbage(seriesCount) {
  const look = () => {
    seriesCount().then(collectSeldom, () => void 0);
  };
  look();
  const timer = setInterval(look, lookEveryMs).unref();
  return () => clearInterval(timer);
}
function collectSeldom(seriesCount) {
  const percent = seriesCount <= smallStoreSeries ? growingPercent : 0;
  setFlagsFromString(`--heap-growing-percent=${percent}`);
}
var grownBytesMin = 16 * 1024 ** 2;
var keptBytes = 0;
async function collectWhatGrew() {
  if (committedBytes() - keptBytes < grownBytesMin) return;
  const { Session } = await import("node:inspector/promises");
  const session = new Session();
  session.connect();
  try {
    await session.post("HeapProfiler.collectGarbage");
  } finally {
    session.disconnect();
  }
  keptBytes = committedBytes();
}
async function tidied() {
  await collectWhatGrew();
  return null;
}
function committedBytes() {
  const { total_heap_size: heap, external_memory: buffers } = getHeapStatistics();
  return heap + buffers;
}

export {
  toOutcome,
  fromOutcome,
  createThreadPool,
  turnOfLoop,
  poolWorkerData,
  watchGarbage,
  collectWhatGrew,
  tidied
};
//# sourceMappingURL=chunk-22IKJ6ZY.js.map
