import {
  assert
} from "./chunk-YBJXGIGP.js";

// src/base/limits.ts
var kib = 1024;
var mib = 1024 * kib;
var dayMs = 864e5;
var bodyBytesDefault = 16 * mib;
var bodyBytesCeiling = 1024 * mib;
var queueBytesDefault = 64 * mib;
var batchBytesMax = 4 * mib;
var requestsPerBatchMax = 1024;
var batchesInFlightMax = 2;
var headersTimeoutMs = 1e4;
var bodyTimeoutMs = 3e4;
var jsonDepthMax = 32;
var elementsPerRequestMax = 1e5;
var fqnCharactersMax = 512;
var textCharactersMax = 4096;
var tagsPerEntityMax = 256;
var entityTextBytesMax = 64 * kib;
var errorStringsMax = 20;
var eventBodyBytesMax = mib;
var eventRetentionMs = 90 * dayMs;
var checkTtlSecondsMax = 31 * 86400;
var checkNameCharactersMax = 256;
var seriesDefault = 1e6;
var textBytesDefault = 512 * mib;
var newSeriesPerMinuteDefault = 1e6;
var pageSizeDefault = 10;
var pageSizeMax = 1e4;
var groupDepthMax = 8;
var filterItemsMax = 1e4;
var patternCharactersMax = 512;
var patternStepsMax = 512;
var patternsPerFilterMax = 64;
var listedMetricsMax = 25e4;
var listedValuesMax = 1e6;
var eventsCountedMax = 1e5;
var relationshipLevelsMax = 100;
var relatedElementsMax = 1e4;
var aggregatedBucketsMax = 21e4;
var eventsPerAnswerMax = 1e4;
var durationMsMax = 14 * dayMs;
var windowMsDefault = 36e5;
var exactSamplesMax = 4096;
var statisticsSeriesMax = 1e5;
var valuesPerAnswerMax = 5e6;
var formulaCharactersMax = 4096;
var formulaDepthMax = 64;
var formulaNodesMax = 1024;
var entriesPerConfigurationMax = 1e3;
var expressionsPerEntryMax = 16;
var computedPerElementMax = 1e3;
var exactBucketSamplesMax = 512;
var seriesPerBlock = 256;
var crowdedBlockSamples = 4 * 1024 * 1024;
var crowdedSeriesSamples = 512;
var openBytesMax = 512 * mib;
var jobFailuresMax = 3;
var tenantsMax = 4096;
var usersPerTenantMax = 1e3;
var keysPerTenantMax = 1e4;
var userBytesMax = 64 * kib;
var accountChangesWaitingMax = 256;
var keyRateMax = 1e9;
var diskFloorBytesDefault = 256 * mib;
var diskFloorShareDivisor = 20;
var readAheadBytesMax = 256 * mib;
var readAheadShareDivisor = 4;
var missedCyclesMax = 288;
var workersMax = 64;
assert(bodyBytesDefault <= bodyBytesCeiling, "Expected the default body under the ceiling");
assert(bodyBytesCeiling < 2 ** 31, "Expected body offsets to fit 32-bit integers");
assert(
  bodyBytesDefault + batchesInFlightMax * batchBytesMax <= queueBytesDefault,
  "Expected room in the queue for the largest body beside the batches in flight"
);
assert(pageSizeDefault <= pageSizeMax, "Expected the default page under the largest");
assert(windowMsDefault <= durationMsMax, "Expected the default window under the longest");
assert(exactBucketSamplesMax <= exactSamplesMax, "Expected one exact bucket to fit an exact window");
assert(seriesPerBlock === 256, "Expected slots that fit a byte exactly");
assert(2 * fqnCharactersMax + 64 <= 1978, "Expected two names and ids to fit one LMDB key");
assert(
  fqnCharactersMax + 4 * checkNameCharactersMax + 64 <= 1978,
  "Expected an element and a check's name in UTF-8 to fit one LMDB key"
);
assert(errorStringsMax >= 2, "Expected room for one error and the count of the rest");

export {
  bodyBytesDefault,
  bodyBytesCeiling,
  queueBytesDefault,
  batchBytesMax,
  requestsPerBatchMax,
  batchesInFlightMax,
  headersTimeoutMs,
  bodyTimeoutMs,
  jsonDepthMax,
  elementsPerRequestMax,
  fqnCharactersMax,
  textCharactersMax,
  tagsPerEntityMax,
  entityTextBytesMax,
  errorStringsMax,
  eventBodyBytesMax,
  eventRetentionMs,
  checkTtlSecondsMax,
  checkNameCharactersMax,
  seriesDefault,
  textBytesDefault,
  newSeriesPerMinuteDefault,
  pageSizeDefault,
  pageSizeMax,
  groupDepthMax,
  filterItemsMax,
  patternCharactersMax,
  patternStepsMax,
  patternsPerFilterMax,
  listedMetricsMax,
  listedValuesMax,
  eventsCountedMax,
  relationshipLevelsMax,
  relatedElementsMax,
  aggregatedBucketsMax,
  eventsPerAnswerMax,
  durationMsMax,
  windowMsDefault,
  exactSamplesMax,
  statisticsSeriesMax,
  valuesPerAnswerMax,
  formulaCharactersMax,
  formulaDepthMax,
  formulaNodesMax,
  entriesPerConfigurationMax,
  expressionsPerEntryMax,
  computedPerElementMax,
  exactBucketSamplesMax,
  seriesPerBlock,
  crowdedBlockSamples,
  crowdedSeriesSamples,
  openBytesMax,
  jobFailuresMax,
  tenantsMax,
  usersPerTenantMax,
  keysPerTenantMax,
  userBytesMax,
  accountChangesWaitingMax,
  keyRateMax,
  diskFloorBytesDefault,
  diskFloorShareDivisor,
  readAheadBytesMax,
  readAheadShareDivisor,
  missedCyclesMax,
  workersMax
};
//# sourceMappingURL=chunk-5L33DSE6.js.map
