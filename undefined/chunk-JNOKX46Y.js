import {
  carryPlaces,
  recordFields
} from "./chunk-JVQ4VFPB.js";
import {
  formatInstant,
  formatInstantSeconds,
  isoProblem,
  parseDuration,
  parseQueryInstant
} from "./chunk-5QVC5N6S.js";
import {
  cleanFqn,
  collectedPercentFqn,
  elementUuid,
  metricUuid
} from "./chunk-YLYUBZG2.js";
import {
  Contributions,
  StatisticsScratch,
  averageBetween,
  fieldCount,
  mergeCells,
  mergedCellsMax,
  sampleFields,
  sampleMean,
  statisticsOf,
  statisticsOfObservations,
  stddevOf
} from "./chunk-TAVG4KYY.js";
import {
  CellColumns,
  actualStatisticOf,
  bandsOf,
  deviationOf,
  finite,
  isCounter,
  sparseStrategyOf
} from "./chunk-SLADJPH6.js";
import {
  sparseStrategies
} from "./chunk-FTDLCQXU.js";
import {
  Problems,
  analytics,
  booleanValue,
  didYouMean,
  eventLevels,
  levelNumbers,
  objectValue,
  operators,
  readWith,
  shown,
  textValue,
  wholeNumber
} from "./chunk-FNENV4GL.js";
import {
  compilePattern,
  matchesWildcard,
  patternProblem
} from "./chunk-KPUJ7UZQ.js";
import {
  isUuid,
  uuidV3
} from "./chunk-QNSZFSTN.js";
import {
  ServiceError,
  invalid
} from "./chunk-BZJGDYVY.js";
import {
  bucketWidthMs,
  cycleMs,
  dayMs,
  hourMs,
  isResolution,
  resolutions
} from "./chunk-WSUH7ILY.js";
import {
  pushAll
} from "./chunk-BLE2ZYMV.js";
import {
  aggregatedBucketsMax,
  durationMsMax,
  eventsCountedMax,
  filterItemsMax,
  groupDepthMax,
  listedMetricsMax,
  listedValuesMax,
  pageSizeDefault,
  pageSizeMax,
  patternsPerFilterMax,
  relatedElementsMax,
  relationshipLevelsMax,
  statisticsSeriesMax,
  tenantsMax,
  textCharactersMax,
  valuesPerAnswerMax,
  windowMsDefault
} from "./chunk-5L33DSE6.js";
import {
  assert,
  unreachable
} from "./chunk-YBJXGIGP.js";

// src/wire/answer.ts
import * as v from "valibot";
var record2 = v.object;
var optional2 = v.optional;
var orNull = v.nullable;
var listOf = v.array;
var oneOf = v.picklist;
var either = v.union;
var constant = v.literal;
var text = v.string();
var number2 = v.number();
var wholeNumber2 = v.pipe(v.number(), v.integer());
var flag = v.boolean();
var anything = v.unknown();
var uuid2 = v.pipe(v.string(), v.uuid());
var instant = v.pipe(v.string(), v.isoTimestamp());
var numberOrNull = v.nullable(v.number());
var mapOf = (value2) => v.record(v.string(), value2);
var textMap = mapOf(text);
function told(schema, description2) {
  return v.pipe(schema, v.description(description2));
}
function partial(entries4, kept2) {
  const fields5 = Object.entries(entries4).map(([name, schema]) => [
    name,
    kept2.includes(name) || schema.type === "optional" ? schema : v.optional(schema)
  ]);
  return v.object(Object.fromEntries(fields5));
}

// src/wire/metric-document.ts
var customDataSourceId = 1;
var metricFields = {
  id: (metric) => metric.id,
  elementId: (metric) => metric.elementId,
  fqn: (metric) => metric.fqn,
  name: (metric) => metric.fqn,
  unit: (metric) => metric.definition.unit,
  type: (metric) => metric.definition.type || null,
  sparseDataStrategy: (metric) => sparseStrategyOf(metric.definition),
  dataSourceId: () => customDataSourceId,
  serviceTags: (metric) => metricServiceTags(metric.definition),
  netuitiveTags: (metric) => metricServiceTags(metric.definition),
  sourceTags: (metric) => tagMap(metric.definition.tags),
  processingFlags: () => ({})
};
var entries = {
  id: uuid2,
  elementId: uuid2,
  fqn: text,
  name: text,
  unit: text,
  type: orNull(text),
  sparseDataStrategy: oneOf(sparseStrategies),
  dataSourceId: wholeNumber2,
  serviceTags: told(textMap, "Tags that people and packages set"),
  netuitiveTags: told(textMap, "The same under the name that older clients read"),
  sourceTags: told(textMap, "Tags that were posted"),
  processingFlags: mapOf(flag)
};
var metricRecord = record2(entries);
var foundMetricRecord = partial(entries, ["id"]);
var { elementId: _, ...entriesInElement } = entries;
var elementMetricRecord = record2(entriesInElement);
var metricFieldNames = Object.keys(metricFields);
function metricDocument(metric, keep = metricFieldNames) {
  const document = {};
  for (const field of keep) document[field] = metricFields[field](metric);
  return document;
}
function tagMap(tags) {
  return Object.fromEntries(tags.map(({ name, value: value2 }) => [name, value2]));
}
function metricServiceTags(definition) {
  const { unit, settings, serviceTags: serviceTags2 = [] } = definition;
  return {
    ...isCounter(definition) ? {} : { "n.statistic": statisticTag(definition) },
    ...unit === "" ? {} : { unit },
    ...settings?.tags,
    ...tagMap(serviceTags2)
  };
}
function statisticTag(definition) {
  const statistic = actualStatisticOf(definition);
  return statistic === "average" ? "AVG" : statistic.toUpperCase();
}

// src/wire/records/policy-document.ts
var nameValueRecord = record2({ name: text, value: text });
var nameValues = listOf(nameValueRecord);
var policyScopeRecord = record2({
  elementName: orNull(text),
  elementNameRegex: flag,
  elementNameExclude: orNull(text),
  elementNameExcludeRegex: flag,
  fqnIncludes: listOf(text),
  fqnExcludes: listOf(text),
  elementType: orNull(text),
  elementTypes: listOf(text),
  elementTags: nameValues,
  elementTagsAll: flag,
  excludedElementTags: nameValues,
  elementAttributes: nameValues,
  elementAttributesAll: flag,
  excludedElementAttributes: nameValues
});
var policyConditionRecord = record2({
  metric: orNull(text),
  wildcard: orNull(text),
  metricScopeTags: textMap,
  analytic: oneOf(analytics),
  operator: oneOf([...new Set(Object.values(operators).flat())]),
  level: orNull(number2),
  level2: orNull(number2),
  metricThresholdLevel: orNull(text),
  metricThresholdAnalytic: orNull(oneOf(analytics))
});
var policyActionRecord = either([
  record2({ type: constant("event"), category: oneOf(levelNumbers) }),
  record2({
    type: constant("notification"),
    id: wholeNumber2,
    enabled: flag,
    notifyFrequencyMin: told(wholeNumber2, "2147483647 for never again"),
    sendOnClear: flag
  })
]);
var policyRecord = record2({
  id: uuid2,
  name: text,
  description: orNull(text),
  scope: policyScopeRecord,
  duration: told(wholeNumber2, "Seconds: whole cycles of 300"),
  anyCondition: flag,
  conditions: listOf(policyConditionRecord),
  eventConditions: listOf(
    record2({
      messageRegex: orNull(text),
      titleRegex: orNull(text),
      sourceRegex: orNull(text),
      level: orNull(oneOf(eventLevels))
    })
  ),
  checkCondition: orNull(record2({ checkName: text })),
  actions: listOf(policyActionRecord),
  enabled: flag,
  deleted: flag,
  creatorEmail: orNull(text),
  lastUpdated: told(optional2(instant), "Absent in the policy of an event")
});
function policyDocument(policy, updatedMs) {
  return {
    id: policy.id,
    name: policy.name,
    description: policy.description,
    scope: policy.scope,
    duration: policy.duration,
    anyCondition: policy.anyCondition,
    conditions: policy.conditions,
    eventConditions: policy.eventConditions,
    checkCondition: policy.checkCondition,
    actions: policy.actions,
    enabled: policy.enabled,
    deleted: policy.deleted,
    creatorEmail: policy.creatorEmail,
    ...updatedMs !== void 0 && { lastUpdated: formatInstantSeconds(updatedMs) }
  };
}

// src/wire/records/event-document.ts
var categoryRecord = record2({
  id: told(text, "1 to 3, as a text"),
  name: oneOf(eventLevels),
  color: text
});
var eventRecord = record2({
  id: uuid2,
  timestamp: instant,
  category: categoryRecord,
  data: told(mapOf(anything), "As it was posted, or what a policy found"),
  elementId: uuid2,
  elementFqn: text,
  elementType: orNull(text),
  elementName: text,
  elementLocation: orNull(text),
  elementTags: textMap,
  policy: told(orNull(policyRecord), "As it was then; null for a posted event"),
  source: orNull(text),
  title: orNull(text),
  tags: listOf(nameValueRecord),
  type: orNull(text),
  isExternal: flag,
  processedTime: instant,
  eventTags: textMap
});
var colorByLevel = {
  INFO: "#0000FF",
  WARNING: "#FFFF00",
  CRITICAL: "#FF0000"
};
function categoryDocument(level) {
  const id = String(eventLevels.indexOf(level) + 1);
  return { id, name: level, color: colorByLevel[level] };
}
function eventDocument(event, element) {
  return {
    id: event.id,
    timestamp: formatInstant(event.timeMs),
    category: categoryDocument(event.level),
    data: event.data,
    elementId: event.elementId,
    elementFqn: event.elementFqn,
    elementType: element?.type ?? null,
    elementName: element?.name ?? event.elementFqn,
    elementLocation: element?.location ?? null,
    elementTags: tagMap(element?.tags ?? []),
    policy: event.policy === null ? null : policyDocument(event.policy),
    source: event.source,
    title: event.title,
    tags: event.tags,
    type: event.type,
    isExternal: event.isExternal,
    processedTime: formatInstant(event.processedMs),
    eventTags: tagMap(event.tags)
  };
}

// src/wire/element-document.ts
var elementFields = {
  id: ({ id }) => id,
  fqn: ({ fqn }) => fqn,
  name: ({ info }) => info.name,
  type: ({ info }) => info.type,
  location: ({ info }) => info.location,
  lastProcessed: ({ processing }) => instantText(processing?.lastProcessedMs ?? null),
  serviceTags: (element) => serviceTags(element),
  netuitiveTags: (element) => serviceTags(element),
  sourceTags: ({ info }) => tagMap(info.tags),
  attributes: (element) => element.info.attributes.map((one) => attribute(element, one)),
  metrics: ({ metrics }) => metrics.map((metric) => metricDocument(metric, fieldsInElement)),
  relations: ({ info, processing }) => processing && info.relations.map((fqn) => relation(processing, fqn)),
  state: ({ processing }) => processing && { "netuitive.metrics.collected.percent": processing.collectedPercent },
  eventCount: ({ processing }) => processing?.eventCount,
  tenantId: ({ tenantId }) => tenantId,
  tags: ({ info }) => info.tags
};
var attributeRecord = record2({
  id: uuid2,
  dataSourceId: wholeNumber2,
  name: text,
  value: text,
  attributeType: text
});
var entries2 = {
  id: uuid2,
  fqn: text,
  name: text,
  type: text,
  location: orNull(text),
  lastProcessed: told(optional2(instant), "In lists, if a cycle with its data has closed"),
  serviceTags: told(textMap, "Tags that people set, and the names of its checks"),
  netuitiveTags: told(textMap, "The same under the name that older clients read"),
  sourceTags: told(textMap, "Tags that were posted"),
  attributes: listOf(attributeRecord),
  metrics: listOf(elementMetricRecord),
  relations: optional2(listOf(record2({ id: uuid2, dataSourceId: wholeNumber2, fqn: text }))),
  state: optional2(record2({ "netuitive.metrics.collected.percent": orNull(number2) })),
  eventCount: optional2(record2({ total: wholeNumber2, topCategory: orNull(categoryRecord) })),
  tenantId: uuid2,
  tags: listOf(nameValueRecord)
};
var elementRecord = record2(entries2);
var foundElementRecord = partial(entries2, ["id"]);
var elementFieldNames = Object.keys(elementFields);
var fieldsInElement = metricFieldNames.filter((field) => field !== "elementId");
function elementDocument(element, keep = elementFieldNames) {
  const document = {};
  for (const field of keep) {
    const value2 = elementFields[field](element);
    if (value2 !== void 0) document[field] = value2;
  }
  return document;
}
function serviceTags({ info, checkNames }) {
  const set = tagMap(info.serviceTags ?? []);
  return checkNames.length === 0 ? set : { ...set, "n.checks": checkNames.join(", ") };
}
function attribute(element, { name, value: value2 }) {
  const id = element.attributeId(name);
  return { id, dataSourceId: customDataSourceId, name, value: value2, attributeType: "TEXT" };
}
function relation(processing, fqn) {
  return { id: processing.relationId(fqn), dataSourceId: customDataSourceId, fqn };
}
function instantText(ms) {
  return ms === null ? void 0 : new Date(ms).toISOString();
}

// src/wire/json.ts
function jsonNumber(value2) {
  return Number.isFinite(value2) ? `${value2}` : "null";
}
function jsonText(text3) {
  return JSON.stringify(text3);
}
function jsonNumbers(values) {
  return JSON.stringify(Array.from(values));
}
function jsonArray(items, print) {
  let text3 = "[";
  for (let i = 0; i < items.length; i++) {
    if (i > 0) text3 += ",";
    text3 += print(items[i]);
  }
  return text3 + "]";
}
var encoder = new TextEncoder();
function encodeJson(text3) {
  return encoder.encode(text3);
}

// src/query/metric-subject.ts
function metricSubject({ store, identity }, series) {
  const { catalogue } = store;
  return {
    // Computed when it is read: sorting a million metrics by unit needs no million ids.
    get id() {
      return identity.metricId(series);
    },
    get elementId() {
      return identity.elementId(catalogue.seriesElement(series));
    },
    fqn: catalogue.name(catalogue.seriesName(series)).fqn,
    definition: catalogue.seriesDefinition(series)
  };
}

// src/query/parameters.ts
var Parameters = class {
  params;
  problems;
  constructor(params, problems) {
    this.params = params;
    this.problems = problems;
  }
  /** The one value of a parameter; `undefined` where it is absent or empty. Two values are a problem. */
  one(name) {
    const values = new Set(this.texts(name));
    if (values.size > 1) {
      this.problems.add(`${name}: expected one value, got ${[...values].map(shown).join(", ")}`);
    }
    return values.values().next().value;
  }
  /** All values: of each repetition, of a comma-separated list, of a JSON array. */
  many(name) {
    return this.texts(name).flatMap((text3) => {
      if (text3.startsWith("[")) return this.jsonTexts(name, text3);
      return text3.split(",").flatMap((part) => part.trim() || []);
    });
  }
  flag(name) {
    const text3 = this.one(name)?.toLowerCase();
    if (text3 === void 0 || text3 === "false" || text3 === "0") return false;
    if (text3 === "true" || text3 === "1") return true;
    this.problems.add(`${name}: expected true or false, got ${shown(text3)}`);
    return false;
  }
  /** The first of the resolutions asked for; PT5M where none is (decisions §5). */
  rollup(name = "rollup") {
    const asked = this.many(name);
    for (const text3 of asked) {
      if (!isResolution(text3.toUpperCase())) {
        this.problems.add(`${name}: expected one of ${resolutions.join(", ")}, got ${shown(text3)}`);
      }
    }
    const first = asked[0]?.toUpperCase();
    return first !== void 0 && isResolution(first) ? first : "PT5M";
  }
  /** Raw texts of a parameter, without the empty ones. */
  texts(name) {
    if (!Object.hasOwn(this.params, name)) return [];
    return this.params[name].flatMap((text3) => text3.trim() || []);
  }
  jsonTexts(name, text3) {
    const list = parseJson(text3);
    if (Array.isArray(list) && list.every(isScalar)) return list.map(String);
    this.problems.add(`${name}: expected a JSON array of texts, got ${shown(text3)}`);
    return [];
  }
};
function parseJson(text3) {
  try {
    return JSON.parse(text3);
  } catch {
    return void 0;
  }
}
function isScalar(value2) {
  return typeof value2 === "string" || typeof value2 === "number" || typeof value2 === "boolean";
}

// src/query/reader.ts
function withoutSamples(question) {
  return { series: new Int32Array(0), span: null, question };
}

// src/query/named.ts
function namedElement(reader, request) {
  const id = pathText(request, "elementId") ?? "";
  const element = reader.identity.findElement(request.tenant, id);
  if (element < 0) throw new ServiceError("missing", `Cannot find element ${shown(id)}`);
  return element;
}
function namedSeries(reader, element, request) {
  const id = pathText(request, "metricId") ?? "";
  const series = reader.identity.findMetric(element, id);
  if (series >= 0) return series;
  const fqn = reader.store.catalogue.elementFqn(element);
  throw new ServiceError("missing", `Cannot find metric ${shown(id)} of element ${shown(fqn)}`);
}
function pathText(request, name) {
  return new Parameters(request.params, new Problems()).one(name);
}
function planNames(reader, request) {
  const element = namedElement(reader, request);
  const hasMetric = pathText(request, "metricId") !== void 0;
  const series = hasMetric ? namedSeries(reader, element, request) : -1;
  return withoutSamples({ kind: "names", element, series });
}
function answerNames({ store }, { element, series }) {
  const { catalogue } = store;
  const answer = {
    element: catalogue.elementFqn(element),
    metric: series < 0 ? null : catalogue.name(catalogue.seriesName(series)).fqn
  };
  return encodeJson(JSON.stringify(answer));
}

// src/model/check.ts
function checkKind(tenant) {
  return `check:${tenant}`;
}
function checkKey({ elementFqn, name }) {
  return `${elementFqn}/${name}`;
}
function checkUuid(tenantUuid, elementFqn, name) {
  return uuidV3(tenantUuid, `check\0${elementFqn}\0${name}`);
}

// src/query/element-checks.ts
var ElementChecks = class {
  reader;
  tenant;
  byElement = null;
  constructor(reader, tenant) {
    this.reader = reader;
    this.tenant = tenant;
  }
  /** Checks of the element with this FQN, by name. */
  of(elementFqn) {
    this.byElement ??= this.read();
    return this.byElement.get(elementFqn) ?? [];
  }
  read() {
    const byElement = /* @__PURE__ */ new Map();
    for (const { document } of this.reader.store.listDocuments(checkKind(this.tenant))) {
      const check = document;
      const known = byElement.get(check.elementFqn);
      if (known === void 0) byElement.set(check.elementFqn, [check]);
      else known.push(check);
    }
    return byElement;
  }
};

// src/query/element.ts
function planElement(reader, request) {
  return withoutSamples({ kind: "element", element: namedElement(reader, request) });
}
function answerElement(reader, { element }) {
  const document = elementDocument(elementSubject(reader, element));
  return encodeJson(JSON.stringify({ element: document }));
}
function elementSubject(reader, element, { processing, checks } = {}) {
  const { catalogue } = reader.store;
  const id = reader.identity.elementId(element);
  const relationId = (fqn) => uuidV3(id, `relation\0${fqn}`);
  return {
    id,
    tenantId: reader.tenantUuid(catalogue.elementTenant(element)),
    fqn: catalogue.elementFqn(element),
    info: catalogue.elementInfo(element),
    // Made when it is read: whoever excludes the metrics of 10,000 elements need not make them.
    get metrics() {
      return Array.from(catalogue.elementSeries(element), (one) => metricSubject(reader, one));
    },
    get checkNames() {
      const known = checks ?? new ElementChecks(reader, catalogue.elementTenant(element));
      return known.of(catalogue.elementFqn(element)).map(({ name }) => name);
    },
    attributeId: (name) => uuidV3(id, name),
    ...processing === void 0 ? {} : { processing: { ...processing, relationId } }
  };
}

// src/policy/remembering.ts
var rememberedTextsMax = 8192;
function remembering(test) {
  const known = /* @__PURE__ */ new Map();
  return (text3) => {
    const said = known.get(text3);
    if (said !== void 0) return said;
    if (known.size >= rememberedTextsMax) known.clear();
    const says = test(text3);
    known.set(text3, says);
    return says;
  };
}
function findsIn(expression) {
  const pattern = compilePattern(expression, { caseless: true });
  return remembering((text3) => pattern.test(text3));
}

// src/policy/scope.ts
var ScopeMatcher = class {
  tests;
  constructor(scope2) {
    this.tests = [
      ...nameTests(scope2),
      ...fqnTests(scope2),
      ...typeTests(scope2),
      ...tagTests(scope2),
      ...attributeTests(scope2)
    ];
  }
  matches(subject) {
    return this.tests.every((test) => test(subject));
  }
};
function nameTests(scope2) {
  const { elementName, elementNameRegex, elementNameExclude, elementNameExcludeRegex } = scope2;
  const tests = [];
  if (elementName) {
    const holds = textTest(elementName, elementNameRegex);
    tests.push(({ name }) => holds(name));
  }
  if (elementNameExclude) {
    const holds = textTest(elementNameExclude, elementNameExcludeRegex);
    tests.push(({ name }) => !holds(name));
  }
  return tests;
}
function textTest(part, isPattern) {
  if (isPattern) return findsIn(part);
  const wanted = part.toLowerCase();
  return (text3) => text3.toLowerCase().includes(wanted);
}
function fqnTests({ fqnIncludes, fqnExcludes }) {
  const [includes, excludes] = [new Set(fqnIncludes), new Set(fqnExcludes)];
  const tests = [];
  if (includes.size > 0) tests.push(({ fqn }) => includes.has(fqn));
  if (excludes.size > 0) tests.push(({ fqn }) => !excludes.has(fqn));
  return tests;
}
function typeTests({ elementType, elementTypes }) {
  const types = new Set(elementTypes);
  const tests = [];
  if (elementType) tests.push(({ type }) => type === elementType);
  if (types.size > 0) tests.push(({ type }) => types.has(type));
  return tests;
}
function tagTests({ elementTags: elementTags2, elementTagsAll, excludedElementTags }) {
  const wanted = { entries: elementTags2, all: elementTagsAll, excluded: excludedElementTags };
  return pairTests(wanted, ({ tags }) => tags);
}
function attributeTests(scope2) {
  const { elementAttributes, elementAttributesAll, excludedElementAttributes } = scope2;
  const wanted = {
    entries: elementAttributes,
    all: elementAttributesAll,
    excluded: excludedElementAttributes
  };
  return pairTests(wanted, ({ attributes }) => attributes);
}
function pairTests({ entries: entries4, all: all2, excluded }, pairsOf) {
  const [wanted, unwanted] = [entries4.map(pairTest), excluded.map(pairTest)];
  const tests = [];
  if (wanted.length > 0) {
    tests.push((subject) => {
      const pairs2 = pairsOf(subject);
      return all2 ? wanted.every((test) => test(pairs2)) : wanted.some((test) => test(pairs2));
    });
  }
  if (unwanted.length > 0) {
    tests.push((subject) => {
      const pairs2 = pairsOf(subject);
      return !unwanted.some((test) => test(pairs2));
    });
  }
  return tests;
}
function entryTest(entry) {
  const [isName, isValue] = [findsIn(entry.name), findsIn(entry.value)];
  return ({ name, value: value2 }) => isName(name) && isValue(value2);
}
function pairTest(entry) {
  const test = entryTest(entry);
  return (pairs2) => pairs2.some(test);
}

// src/query/element-facts.ts
function planElementFacts(request) {
  const { elementFqns } = request.body;
  return withoutSamples({ kind: "elementFacts", tenant: request.tenant, elementFqns });
}
function planScopes(reader, request) {
  const { tenant, params } = request;
  const { scopes } = request.body;
  const id = params["elementId"]?.[0];
  if (id === void 0) return withoutSamples({ kind: "scopes", tenant, element: null, scopes });
  const element = reader.identity.findElement(tenant, id);
  if (element < 0 || reader.store.catalogue.isDeleted(element)) {
    throw new ServiceError("missing", `Cannot find element ${shown(id)}`);
  }
  return withoutSamples({ kind: "scopes", tenant, element, scopes });
}
function answerElementFacts(reader, { tenant, elementFqns }) {
  const { catalogue } = reader.store;
  const facts = /* @__PURE__ */ new Map();
  for (const fqn of elementFqns) {
    const element = reader.identity.findElement(tenant, fqn);
    if (element < 0 || catalogue.isDeleted(element)) continue;
    const info = catalogue.elementInfo(element);
    const { name, type, location, attributes, serviceTags: serviceTags2 = [] } = info;
    const id = reader.identity.elementId(element);
    const tags = allTags(info);
    facts.set(fqn, { id, name, type, location, tags, attributes, serviceTags: serviceTags2 });
  }
  return encodeJson(JSON.stringify(Object.fromEntries(facts)));
}
function answerScopes(reader, question) {
  const { tenant, element, scopes } = question;
  const matchers = Object.entries(scopes).map(
    ([id, scope2]) => [id, new ScopeMatcher(scope2)]
  );
  const counts = new Map(matchers.map(([id]) => [id, 0]));
  for (const subject of element === null ? all(reader, tenant) : [subjectOf(reader, element)]) {
    for (const [id, matcher] of matchers) {
      if (matcher.matches(subject)) counts.set(id, counts.get(id) + 1);
    }
  }
  const answer = { elements: Object.fromEntries(counts) };
  return encodeJson(JSON.stringify(answer));
}
function* all(reader, tenant) {
  const { catalogue } = reader.store;
  for (let element = 0; element < catalogue.elementCount; element++) {
    if (catalogue.elementTenant(element) !== tenant || catalogue.isDeleted(element)) continue;
    yield subjectOf(reader, element);
  }
}
function subjectOf(reader, element) {
  const { catalogue } = reader.store;
  const info = catalogue.elementInfo(element);
  const { name, type, attributes } = info;
  return { fqn: catalogue.elementFqn(element), name, type, attributes, tags: allTags(info) };
}
function allTags({ tags, serviceTags: serviceTags2 = [] }) {
  if (serviceTags2.length === 0) return tags;
  const set = new Set(serviceTags2.map(({ name }) => name));
  return [...tags.filter(({ name }) => !set.has(name)), ...serviceTags2];
}

// src/rollup/across.ts
var aggregations = ["avg", "sum", "cnt", "min", "max", "stddev"];
var fewSlots = 9216;
function makeTotals(length) {
  const counts = new Int32Array(length);
  const sums = new Float64Array(length);
  const lost = new Float64Array(length);
  const mins = new Float64Array(length);
  const maxs = new Float64Array(length);
  const means = new Float64Array(length);
  const squares = new Float64Array(length);
  function addOne(slot, value2) {
    const sum = sums[slot];
    const next = sum + value2;
    const sumIsLarger = (sum < 0 ? -sum : sum) >= (value2 < 0 ? -value2 : value2);
    counts[slot]++;
    lost[slot] += sumIsLarger ? sum - next + value2 : value2 - next + sum;
    sums[slot] = next;
    if (value2 < mins[slot]) mins[slot] = value2;
    if (value2 > maxs[slot]) maxs[slot] = value2;
  }
  function add(slots, values) {
    for (let i = 0; i < slots.length; i++) addOne(slots[i], values[i]);
  }
  function addRun(first, values) {
    const { length: length2 } = values;
    for (let i = 0; i < length2; i++) addOne(first + i, values[i]);
  }
  function addSquares(slots, values) {
    for (let i = 0; i < slots.length; i++) {
      const slot = slots[i];
      const count = ++counts[slot];
      const delta = values[i] - means[slot];
      means[slot] += delta / count;
      squares[slot] += delta * (values[i] - means[slot]);
    }
  }
  function clear(from, to) {
    for (const column of [counts, sums, lost, means, squares]) column.fill(0, from, to);
    mins.fill(Infinity, from, to);
    maxs.fill(-Infinity, from, to);
  }
  const columns = [counts, sums, lost, mins, maxs, means, squares];
  return {
    length,
    columns,
    counts,
    sums,
    lost,
    mins,
    maxs,
    squares,
    clear,
    add,
    addRun,
    addSquares
  };
}
var few = makeTotals(fewSlots);
var made = 0;
var Across = class {
  /** Slots from 0 that were added to so far, or skipped. */
  slots = 0;
  aggregation;
  number = ++made;
  totals = few;
  constructor(aggregation) {
    this.aggregation = aggregation;
  }
  /** Adds `values[i]` to slot `slots[i]`. */
  add(slots, values) {
    let last = -1;
    for (let i = 0; i < slots.length; i++) if (slots[i] > last) last = slots[i];
    this.extendTo(last + 1);
    if (this.aggregation === "stddev") this.totals.addSquares(slots, values);
    else this.totals.add(slots, values);
  }
  /** Adds `values[i]` to slot `first + i`. */
  addRun(first, values) {
    if (this.aggregation === "stddev") {
      return this.add(
        Int32Array.from(values, (_2, i) => first + i),
        values
      );
    }
    this.extendTo(first + values.length);
    this.totals.addRun(first, values);
  }
  has(slot) {
    return this.totals.counts[slot] > 0;
  }
  /** The one value of a slot that has any. */
  value(slot) {
    const { counts, mins, maxs, squares } = this.totals;
    const count = counts[slot];
    switch (this.aggregation) {
      case "cnt":
        return count;
      case "sum":
        return this.sum(slot);
      case "min":
        return mins[slot];
      case "max":
        return maxs[slot];
      case "avg":
        return averageBetween(this.sum(slot), count, mins[slot], maxs[slot]);
      case "stddev":
        return stddevOf(squares[slot], count);
    }
  }
  sum(slot) {
    const { sums, lost } = this.totals;
    const total = sums[slot] + lost[slot];
    return finite(Number.isNaN(total) ? sums[slot] : total);
  }
  extendTo(slots) {
    assert(this.totals !== few || this.number === made, "Expected to be the last one that was made");
    if (slots <= this.slots) return;
    if (slots > this.totals.length) this.grow(Math.max(slots, 2 * this.totals.length));
    this.totals.clear(this.slots, slots);
    this.slots = slots;
  }
  grow(length) {
    const larger = makeTotals(length);
    const { columns } = this.totals;
    larger.columns.forEach((column, i) => column.set(columns[i].subarray(0, this.slots)));
    this.totals = larger;
  }
};

// src/rollup/bucket.ts
function bucketStart(instantMs, widthMs) {
  assert(Number.isSafeInteger(instantMs), "Expected whole milliseconds");
  assert(widthMs > 0, "Expected a positive width");
  const startMs = Math.floor(instantMs / widthMs) * widthMs;
  assert(startMs <= instantMs && instantMs < startMs + widthMs, "Bucket must hold its instant");
  return startMs;
}

// src/wire/across-result.ts
var acrossAnswer = record2({
  metricFqn: orNull(text),
  rollup: oneOf(resolutions),
  aggregation: text,
  statistic: text,
  data: record2({
    jobId: uuid2,
    result: record2({
      status: constant("SUCCESS"),
      message: text,
      data: listOf(record2({ timestamp: instant, value: numberOrNull }))
    })
  }),
  foundMetrics: wholeNumber2,
  aggregatedMetrics: wholeNumber2
});
function printAcrossResult(result) {
  const { metricFqn: metricFqn2, resolution, aggregation, statistic, jobId, seconds, values } = result;
  const data = jsonArray(
    values,
    ({ timeMs, value: value2 }) => `{"timestamp":"${formatInstant(timeMs)}","value":${jsonNumber(value2)}}`
  );
  const name = metricFqn2 === null ? "null" : jsonText(metricFqn2);
  return encodeJson(
    `{"metricFqn":${name},"rollup":"${resolution}","aggregation":"${aggregation}","statistic":"${statistic}","data":{"jobId":${jsonText(jobId)},"result":{"status":"SUCCESS","message":"Job Completed in ${seconds.toFixed(3)}s","data":${data}}},"foundMetrics":${result.foundMetrics},"aggregatedMetrics":${result.aggregatedMetrics}}`
  );
}

// src/wire/query-body.ts
import * as v3 from "valibot";

// src/wire/group-body.ts
import * as v2 from "valibot";

// src/wire/list-group.ts
var listColumns = [
  "metricFqns",
  "metricNames",
  "metricIds",
  "metricTypes",
  "metricUnits",
  "metricSparseDataStrategies",
  "elementTypes",
  "elementFqns",
  "elementNames",
  "elementIds",
  "datasourceIds",
  "collectorNames",
  "checkIds",
  "checkNames"
];
var mapColumns = ["elementTags", "metricTags", "attributes"];
var aggregationColumn = "nestedAggregationFilters";

// src/wire/group-body.ts
var groupBody = objectValue({
  and: v2.nullish(booleanValue, true),
  items: v2.nullish(v2.array(v2.unknown()), []),
  nestedItems: v2.nullish(v2.array(v2.unknown()), [])
});
var itemChoice = {
  literal: v2.nullish(booleanValue, true),
  contains: v2.nullish(booleanValue, true),
  queryType: v2.nullish(v2.string(), "")
};
var listItemBody = objectValue({ item: textValue, ...itemChoice });
var mapItemBody = objectValue({
  key: v2.nullish(textValue, ""),
  value: v2.nullish(textValue, ""),
  ...itemChoice
});
var listGroup = groupSchema(listItemBody);
var mapGroup = groupSchema(mapItemBody);
var groupSchemas = Object.fromEntries([
  ...listColumns.map((column) => [column, v2.nullish(listGroup)]),
  ...[...mapColumns, aggregationColumn].map((column) => [column, v2.nullish(mapGroup)])
]);
function groupSchema(item) {
  const group = objectValue({
    and: v2.nullish(booleanValue, true),
    items: v2.nullish(v2.array(item), []),
    nestedItems: v2.nullish(v2.array(v2.lazy(() => group)), [])
  });
  return group;
}
var queryTypes = {
  EXACT: "equal",
  PREFIX: "prefix",
  WILDCARD: "wildcard",
  CONTAINS: "part",
  REGEX: "pattern"
};
function readFilter(body, problems) {
  const room = { items: filterItemsMax, patterns: patternsPerFilterMax };
  const filter = {};
  const read = (name, item) => {
    const raw = body[name];
    if (raw === void 0 || raw === null) return null;
    const group = readGroup(raw, { path: name, depth: 1, room, problems, item });
    return group === null || isEmpty(group) ? null : group;
  };
  for (const column of listColumns) {
    const isId = column === "elementIds" || column === "metricIds" || column === "checkIds";
    const group = read(column, isId ? readIdItem : readListItem);
    if (group !== null) filter[column] = group;
  }
  for (const column of mapColumns) {
    const isAlias = column === "attributes" && (body[column] ?? null) === null;
    const group = read(isAlias ? "elementAttributes" : column, readMapItem);
    if (group !== null) filter[column] = group;
  }
  const counted = read(aggregationColumn, readMapItem);
  if (room.items < 0) problems.add(`body: expected at most ${filterItemsMax} items in all groups`);
  if (room.patterns < 0) {
    problems.add(`body: expected at most ${patternsPerFilterMax} regular expressions in all groups`);
  }
  return { filter, counted };
}
function readGroup(raw, place) {
  const { path, depth, room, problems } = place;
  if (depth > groupDepthMax) {
    problems.add(`${path}: expected at most ${groupDepthMax} groups within each other`);
    return null;
  }
  const group = readWith(groupBody, raw, { path, problems });
  if (group === null) return null;
  room.items -= group.items.length + group.nestedItems.length;
  if (room.items < 0) return null;
  return {
    and: group.and,
    items: kept(
      group.items,
      (item, i) => place.item(item, { ...place, path: `${path}.items[${i}]` })
    ),
    nested: kept(
      group.nestedItems,
      (nested, i) => readGroup(nested, { ...place, path: `${path}.nestedItems[${i}]`, depth: depth + 1 })
    )
  };
}
function readListItem(raw, place) {
  const item = readWith(listItemBody, raw, place);
  if (item === null) return null;
  const match = readMatch(item, { ...place, path: `${place.path}` }, item.item);
  return match === null ? null : { text: item.item, ...match };
}
function readIdItem(raw, place) {
  const item = readListItem(raw, place);
  if (item === null || item.match === "pattern") return item;
  return { ...item, text: item.text.toLowerCase(), caseless: false };
}
function readMapItem(raw, place) {
  const item = readWith(mapItemBody, raw, place);
  if (item === null) return null;
  if (item.key === "" && item.value === "") {
    place.problems.add(`${place.path}: expected a key, a value or both, got neither`);
    return null;
  }
  const match = readMatch(item, place, item.value);
  if (match === null) return null;
  return { key: item.key || null, text: item.value || null, ...match };
}
function readMatch({ literal: literal2, contains, queryType }, { path, room, problems }, text3) {
  const type = queryType.toUpperCase();
  const match = type === "" ? literal2 ? "equal" : "part" : queryTypes[type];
  if (match === void 0) {
    const accepted = Object.keys(queryTypes).join(", ");
    problems.add(`${path}.queryType: expected one of ${accepted}, got ${shown(queryType)}`);
    return null;
  }
  if (match === "pattern") {
    room.patterns--;
    const problem = patternProblem(text3);
    if (problem !== null) {
      problems.add(`${path}: cannot take the regular expression ${shown(text3)}: ${problem}`);
      return null;
    }
  }
  return { match, caseless: match !== "equal" && !literal2, excludes: !contains };
}
function kept(raws, read) {
  return raws.map(read).filter((one) => one !== null);
}
function isEmpty(group) {
  return group.items.length === 0 && group.nested.length === 0;
}

// src/wire/sort-body.ts
function sortFieldsOf(all2, { tagFields: tagFields3, unsorted }) {
  const plain = all2.filter((field) => !tagFields3.includes(field) && !unsorted.includes(field));
  return { plain, tags: tagFields3 };
}
function readSort(asked, fields5, problems) {
  if (asked === null || asked === void 0 || asked.field === "") return null;
  const order = asked.order.toLowerCase() || "asc";
  const missing = asked.missing.toLowerCase() || "_last";
  if (order !== "asc" && order !== "desc") {
    problems.add(`sort.order: expected asc or desc, got ${shown(asked.order)}`);
  }
  if (missing !== "_first" && missing !== "_last") {
    problems.add(`sort.missing: expected _first or _last, got ${shown(asked.missing)}`);
  }
  const place = readField(asked.field, fields5);
  if (place === null) {
    const accepted = [...fields5.plain, ...fields5.tags.map((field) => `${field}.<name>`)].join(", ");
    const hint = didYouMean(asked.field, fields5.plain);
    problems.add(`sort.field: expected one of ${accepted}, got ${shown(asked.field)}${hint}`);
    return null;
  }
  return { ...place, descending: order === "desc", missingFirst: missing === "_first" };
}
function readField(text3, fields5) {
  const plain = fields5.plain.find((field) => field === text3);
  if (plain !== void 0) return { field: plain, tag: null };
  const dot = text3.indexOf(".");
  const tag = text3.slice(dot + 1);
  const map = fields5.tags.find((field) => field === text3.slice(0, dot));
  if (map !== void 0 && tag !== "") return { field: map, tag };
  return fields5.otherwise === void 0 ? null : { field: fields5.otherwise, tag: null };
}

// src/wire/query-body.ts
var fieldList = v3.nullish(v3.array(v3.string()), []);
var entries3 = {
  startDate: v3.nullish(textValue, ""),
  endDate: v3.nullish(textValue, ""),
  page: v3.nullish(wholeNumber(0, Number.MAX_SAFE_INTEGER), 0),
  pageSize: v3.nullish(wholeNumber(1, pageSizeMax), pageSizeDefault),
  sort: v3.nullish(
    objectValue({
      field: v3.nullish(v3.string(), ""),
      order: v3.nullish(v3.string(), ""),
      missing: v3.nullish(v3.string(), "")
    })
  ),
  sourceFilter: v3.nullish(objectValue({ includes: fieldList, excludes: fieldList }))
};
var queryBody = objectValue(entries3);
var querySchema = objectValue({ ...entries3, ...groupSchemas });
function readQueryBody(raw, of, problems) {
  const given = raw ?? {};
  if (typeof given !== "object" || Array.isArray(given)) {
    problems.add(`body: expected a JSON object, got ${shown(given)}`);
    return null;
  }
  const body = readWith(queryBody, given, { path: "", problems });
  const filterBody = readFilter(given, problems);
  if (body === null) return null;
  return {
    ...filterBody,
    startDate: body.startDate || void 0,
    endDate: body.endDate || void 0,
    sort: readSort(body.sort, of.sort, problems),
    page: body.page,
    pageSize: body.pageSize,
    fields: chosenFields(body.sourceFilter ?? { includes: [], excludes: [] }, of)
  };
}
var sameField = {
  serviceTags: "netuitiveTags",
  netuitiveTags: "serviceTags"
};
function chosenFields(choice, { all: all2, kept: kept2 }) {
  const includes = withSameField(choice.includes);
  const excludes = withSameField(choice.excludes);
  return all2.filter((field) => {
    if (field === "id") return true;
    if (excludes.has(field)) return false;
    return includes.size === 0 || includes.has(field) || kept2.includes(field);
  });
}
function withSameField(names) {
  return new Set(names.flatMap((name) => [name, sameField[name] ?? name]));
}

// src/wire/metric-query-body.ts
var tagFields = ["serviceTags", "netuitiveTags", "sourceTags"];
var fields = {
  sort: sortFieldsOf(metricFieldNames, { tagFields, unsorted: ["processingFlags"] }),
  all: metricFieldNames,
  kept: ["elementId"]
};
function readMetricQueryBody(raw, problems) {
  return readQueryBody(raw, fields, problems);
}

// src/query/across-statistic.ts
var statistics = ["val", "min", "avg", "max", "cnt", "sum", "actual"];
function isSampleValue(statistic) {
  return statistic === "val" || statistic === "actual" || statistic === "avg";
}
var fields2 = new Float64Array(fieldCount);
var told2 = new Contributions();
function rawValue(record3, statistic) {
  let mask = 0;
  for (const [bit, field] of sampleFields.entries()) {
    fields2[bit] = record3[field] ?? 0;
    if (record3[field] !== void 0) mask |= 1 << bit;
  }
  told2.clear();
  told2.pushSample(mask, fields2);
  if (told2.count[0] === 0) return null;
  switch (statistic) {
    case "min":
      return told2.min[0];
    case "max":
      return told2.max[0];
    case "cnt":
      return told2.count[0];
    case "sum":
      return told2.sum[0];
    default:
      return sampleMean(mask, fields2);
  }
}

// src/query/bucket-slots.ts
var BucketSlots = class {
  firstMs;
  width;
  constructor(firstMs, width) {
    this.firstMs = firstMs;
    this.width = width;
  }
  /** The slot of the first of these buckets, in time order; -1 where some between them lack. */
  runFrom(timesMs) {
    const { length } = timesMs;
    const first = this.slotOf(timesMs[0]);
    return this.slotOf(timesMs[length - 1]) - first === length - 1 ? first : -1;
  }
  of(timesMs) {
    return Int32Array.from(timesMs, (timeMs) => this.slotOf(timeMs));
  }
  slotOf(timeMs) {
    return (timeMs - this.firstMs) / this.width;
  }
};

// src/query/columns.ts
var metricFqn = {
  of: "name",
  value: ({ store }, name) => store.catalogue.name(name).fqn
};
var textColumns = {
  metricFqns: metricFqn,
  /** A metric shows its FQN as its name (metric document). */
  metricNames: metricFqn,
  metricTypes: ofDefinition(({ type }) => type),
  metricUnits: ofDefinition(({ unit }) => unit),
  metricSparseDataStrategies: ofDefinition(sparseStrategyOf),
  elementTypes: ofElement(({ type }) => type),
  elementNames: ofElement(({ name }) => name),
  elementFqns: {
    of: "element",
    value: ({ store }, element) => store.catalogue.elementFqn(element)
  },
  elementIds: {
    of: "element",
    value: ({ identity }, element) => identity.elementId(element)
  },
  metricIds: {
    of: "series",
    value: ({ identity }, series) => identity.computeMetricId(series)
  }
};
var customCollectorName = "Custom";
var dataSourceIds = [String(customDataSourceId)];
var collectorNames = [customCollectorName];
var textsColumns = {
  datasourceIds: ofElement(() => dataSourceIds),
  collectorNames: ofElement(() => collectorNames),
  checkIds: {
    of: "element",
    value: ({ store }, element, checks) => checks.of(store.catalogue.elementFqn(element)).map(({ id }) => id)
  },
  checkNames: {
    of: "element",
    value: ({ store }, element, checks) => checks.of(store.catalogue.elementFqn(element)).map(({ name }) => name)
  }
};
var pairsColumns = {
  elementTags: ofElement(elementTags),
  attributes: ofElement(({ attributes }) => attributes),
  metricTags: ofDefinition(metricTags)
};
function elementTags({ tags, serviceTags: serviceTags2 }) {
  return serviceTags2 === void 0 ? tags : [...tags, ...serviceTags2];
}
function metricTags(definition) {
  const service = Object.entries(metricServiceTags(definition));
  return [...definition.tags, ...service.map(([name, value2]) => ({ name, value: value2 }))];
}
function ofElement(value2) {
  return {
    of: "element",
    value: ({ store }, element) => value2(store.catalogue.elementInfo(element))
  };
}
function ofDefinition(value2) {
  return {
    of: "definition",
    value: ({ store }, definition) => value2(store.catalogue.definition(definition))
  };
}

// src/query/filter.ts
function textTest2(group) {
  return groupTest(group, { one: itemTest, any: anyTextOf });
}
function textsTest(group) {
  const some = (test) => (texts2) => texts2.some(test);
  return groupTest(group, {
    one: (item) => some(itemTest(item)),
    any: (items) => some(anyTextOf(items))
  });
}
function pairsTest(group) {
  return groupTest(group, {
    one: (item) => {
      const test = pairTest2(item);
      return (pairs2) => pairs2.some(test);
    },
    any: (items) => {
      const tests = items.map(pairTest2);
      return (pairs2) => pairs2.some((pair) => tests.some((test) => test(pair)));
    }
  });
}
function groupTexts(group) {
  const including = group.items.filter((item) => !item.excludes);
  const equal = including.filter(isExact);
  if (group.and) return equal.length > 0 ? [equal[0].text] : null;
  const bounded = equal.length > 0 && equal.length === including.length && group.nested.length === 0;
  return bounded ? [...new Set(equal.map((item) => item.text))] : null;
}
function groupTest(group, matching) {
  const excluding = group.items.filter((item) => item.excludes);
  const excluded = excluding.length === 0 ? null : matching.any(excluding);
  const included = includedTest(group, matching);
  if (excluded === null) return included;
  if (included === null) return (thing) => !excluded(thing);
  return (thing) => !excluded(thing) && included(thing);
}
function includedTest(group, matching) {
  const including = group.items.filter((item) => !item.excludes);
  const nested = group.nested.map((one) => groupTest(one, matching));
  if (including.length === 0 && nested.length === 0) return null;
  if (!group.and && nested.includes(null)) return null;
  const tests = nested.filter((test) => test !== null);
  if (group.and) {
    const all2 = [...including.map((item) => matching.one(item)), ...tests];
    if (all2.length === 0) return null;
    return all2.length === 1 ? all2[0] : (thing) => all2.every((test) => test(thing));
  }
  if (including.length > 0) tests.unshift(matching.any(including));
  return tests.length === 1 ? tests[0] : (thing) => tests.some((test) => test(thing));
}
function anyTextOf(items) {
  const equal = new Set(items.filter(isExact).map((item) => item.text));
  const others = items.filter((item) => !isExact(item)).map(itemTest);
  if (others.length === 0) return (text3) => equal.has(text3);
  return (text3) => equal.has(text3) || others.some((test) => test(text3));
}
function isExact(item) {
  return item.match === "equal" && !item.caseless;
}
function pairTest2({ key, text: text3, ...item }) {
  const value2 = text3 === null ? null : itemTest({ ...item, text: text3 });
  return (pair) => (key === null || pair.name === key) && (value2 === null || value2(pair.value));
}
function itemTest({ text: text3, match, caseless }) {
  if (match === "pattern") {
    const pattern = compilePattern(text3, { caseless });
    return (given) => pattern.test(given);
  }
  const wanted = caseless ? text3.toLowerCase() : text3;
  const test = foldedTest(wanted, match);
  return caseless ? (given) => test(given.toLowerCase()) : test;
}
function foldedTest(wanted, match) {
  if (match === "equal") return (given) => given === wanted;
  if (match === "prefix") return (given) => given.startsWith(wanted);
  if (match === "wildcard") return (given) => matchesWildcard(wanted, given);
  return (given) => given.includes(wanted);
}

// src/query/compile.ts
function compileFilter(reader, tenant, filter) {
  const { catalogue } = reader.store;
  const tests = testsOf(reader, filter, new ElementChecks(reader, tenant));
  const notDeleted2 = (element2) => !catalogue.isDeleted(element2);
  const { name, definition, element, series } = tests;
  return {
    name: remembered(name, catalogue.nameCount),
    definition: remembered(definition, catalogue.definitionCount),
    element: remembered([notDeleted2, ...element], catalogue.elementCount),
    series: series.length === 0 ? null : (one) => series.every((test) => test(one)),
    testsMetrics: name.length + definition.length + series.length > 0
  };
}
function testsOf(reader, filter, checks) {
  const tests = { name: [], definition: [], element: [], series: [] };
  const add = (column, test) => {
    if (test !== null) tests[column.of].push((index) => test(column.value(reader, index, checks)));
  };
  for (const [name, column] of entriesOf(textColumns)) {
    const group = filter[name];
    if (group !== void 0) add(column, textTest2(group));
  }
  for (const [name, column] of entriesOf(textsColumns)) {
    const group = filter[name];
    if (group !== void 0) add(column, textsTest(group));
  }
  for (const [name, column] of entriesOf(pairsColumns)) {
    const group = filter[name];
    if (group !== void 0) add(column, pairsTest(group));
  }
  return tests;
}
function entriesOf(columns) {
  return Object.entries(columns);
}
var unknown3 = 0;
var passes = 1;
var fails = 2;
function remembered(tests, count) {
  if (tests.length === 0) return () => true;
  const verdicts = new Uint8Array(count);
  return (index) => {
    const verdict = verdicts[index];
    if (verdict !== unknown3) return verdict === passes;
    const isPassing = tests.every((test) => test(index));
    verdicts[index] = isPassing ? passes : fails;
    return isPassing;
  };
}

// src/query/index-set.ts
var IndexSet = class _IndexSet {
  /** How many there are. */
  size = 0;
  words;
  /** Of numbers in `[0, capacity)`. */
  constructor(capacity) {
    this.words = new Int32Array(capacity + 31 >>> 5);
  }
  static of(capacity, members) {
    const set = new _IndexSet(capacity);
    for (const member of members) set.add(member);
    return set;
  }
  add(member) {
    const before = this.words[member >>> 5];
    const after = before | 1 << (member & 31);
    if (after === before) return;
    this.words[member >>> 5] = after;
    this.size++;
  }
  has(member) {
    return (this.words[member >>> 5] & 1 << (member & 31)) !== 0;
  }
  forEach(visit) {
    for (let word = 0; word < this.words.length; word++) {
      let bits = this.words[word];
      while (bits !== 0) {
        visit((word << 5) + 31 - Math.clz32(bits & -bits));
        bits &= bits - 1;
      }
    }
  }
  /** All members, ascending. */
  toArray() {
    return this.slice(0, this.size);
  }
  /** The members from the `from`-th to before the `to`-th, ascending. */
  slice(from, to) {
    const end = Math.min(to, this.size);
    const members = new Int32Array(Math.max(0, end - from));
    let place = 0;
    for (let word = 0; word < this.words.length && place < end; word++) {
      let bits = this.words[word];
      const count = popCount(bits);
      if (place + count <= from) {
        place += count;
        continue;
      }
      while (bits !== 0 && place < end) {
        if (place >= from) members[place - from] = (word << 5) + 31 - Math.clz32(bits & -bits);
        bits &= bits - 1;
        place++;
      }
    }
    return members;
  }
};
function popCount(bits) {
  const pairs2 = bits - (bits >>> 1 & 1431655765);
  const fours = (pairs2 & 858993459) + (pairs2 >>> 2 & 858993459);
  return Math.imul(fours + (fours >>> 4) & 252645135, 16843009) >>> 24;
}

// src/query/find.ts
function findSeries(reader, tenant, filter) {
  const { catalogue } = reader.store;
  const { name, definition, element, series } = compileFilter(reader, tenant, filter);
  const found = new IndexSet(catalogue.seriesCount);
  const takeOfName = (one) => {
    if (!element(catalogue.seriesElement(one))) return;
    if (!definition(catalogue.seriesDefinitionIndex(one))) return;
    if (series === null || series(one)) found.add(one);
  };
  const narrow = namedSeries2(reader, tenant, filter);
  if (narrow !== null) {
    for (const one of narrow) if (name(catalogue.seriesName(one))) takeOfName(one);
    return found;
  }
  for (const candidate of candidateNames(reader, tenant, filter)) {
    if (name(candidate)) forEachSeriesOf(reader, candidate, takeOfName);
  }
  return found;
}
function findElements(reader, tenant, filter) {
  const { catalogue } = reader.store;
  const { element, testsMetrics } = compileFilter(reader, tenant, filter);
  const found = new IndexSet(catalogue.elementCount);
  if (testsMetrics) {
    findSeries(reader, tenant, filter).forEach((one) => found.add(catalogue.seriesElement(one)));
    return found;
  }
  const take2 = (index) => {
    if (catalogue.elementTenant(index) === tenant && element(index)) found.add(index);
  };
  const named = namedElements(reader, tenant, filter);
  if (named !== null) named.forEach(take2);
  else for (let index = 0; index < catalogue.elementCount; index++) take2(index);
  return found;
}
function* namesOfTenant({ store }, tenant) {
  for (let name = 0; name < store.catalogue.nameCount; name++) {
    if (store.catalogue.name(name).tenant === tenant) yield name;
  }
}
function forEachSeriesOf({ store }, name, visit) {
  for (const block of store.catalogue.blocksOfName(name)) {
    for (const series of store.catalogue.blockSeries(block)) if (series >= 0) visit(series);
  }
}
function namedSeries2(reader, tenant, filter) {
  const ids = filter.metricIds === void 0 ? null : groupTexts(filter.metricIds);
  if (ids !== null) {
    return ids.map((id) => reader.metricIds.find(tenant, id)).filter((series) => series >= 0);
  }
  const elements = namedElements(reader, tenant, filter);
  return elements === null ? null : seriesOfElements(reader, elements);
}
function* seriesOfElements({ store }, elements) {
  for (const element of elements) yield* store.catalogue.elementSeries(element);
}
function namedElements(reader, tenant, filter) {
  for (const column of ["elementFqns", "elementIds"]) {
    const texts2 = filter[column] === void 0 ? null : groupTexts(filter[column]);
    if (texts2 === null) continue;
    const elements = texts2.map((text3) => reader.identity.findElement(tenant, text3));
    return new Set(elements.filter((element) => element >= 0));
  }
  return null;
}
function candidateNames(reader, tenant, filter) {
  const { catalogue } = reader.store;
  for (const column of ["metricFqns", "metricNames"]) {
    const texts2 = filter[column] === void 0 ? null : groupTexts(filter[column]);
    if (texts2 === null) continue;
    return texts2.map((text3) => catalogue.findName(tenant, text3)).filter((name) => name >= 0);
  }
  return namesOfTenant(reader, tenant);
}

// src/base/epoch-unit.ts
var plausibleFromMs = 1e12;
var plausibleToMs = 1e13;
var units = [
  { name: "seconds", factor: 1e3, remedy: "multiply it by 1000" },
  { name: "microseconds", factor: 1 / 1e3, remedy: "divide it by 1000" },
  { name: "nanoseconds", factor: 1 / 1e6, remedy: "divide it by 1000000" }
];
function epochUnitProblem(value2) {
  const isPlausible = (ms) => ms >= plausibleFromMs && ms < plausibleToMs;
  const unit = units.find(({ factor }) => isPlausible(value2 * factor));
  if (unit === void 0) return null;
  return `it seems to be in epoch ${unit.name}: ${unit.remedy}`;
}

// src/query/window.ts
function askedWindow(params) {
  return {
    duration: params.one("duration"),
    start: { field: "startTime", text: params.one("startTime") },
    end: { field: "endTime", text: params.one("endTime") }
  };
}
function isAsked({ duration, start, end }) {
  return duration !== void 0 || start.text !== void 0 || end.text !== void 0;
}
function readDay(asked, nowMs, problems) {
  const { duration, start, end } = asked;
  if (duration !== void 0 || start.text !== void 0) return readWindow(asked, nowMs, problems);
  const endMs = readInstant(end, problems) ?? nowMs;
  return { startMs: Math.floor(endMs / dayMs) * dayMs, endMs };
}
function readWindow(asked, nowMs, problems) {
  if (asked.duration !== void 0) return readDuration(asked.duration, nowMs, problems);
  const endMs = readInstant(asked.end, problems) ?? nowMs;
  const startMs = readInstant(asked.start, problems) ?? endMs - windowMsDefault;
  if (startMs > endMs) {
    const end = asked.end.text === void 0 ? "now" : shown(asked.end.text);
    problems.add(
      `${asked.start.field}: expected it before ${asked.end.field} (${end}), got ${shown(asked.start.text)}`
    );
  }
  return { startMs, endMs };
}
function readDuration(text3, nowMs, problems) {
  const durationMs = parseDuration(text3);
  if (durationMs === void 0) {
    problems.add(`duration: expected an ISO 8601 duration such as PT1H, got ${shown(text3)}`);
  } else if (durationMs > durationMsMax) {
    problems.add(`duration: expected at most two weeks (P14D), got ${shown(text3)}`);
  }
  return { startMs: nowMs - (durationMs ?? 0), endMs: nowMs };
}
function readInstant({ field, text: text3 }, problems) {
  if (text3 === void 0) return void 0;
  const ms = parseQueryInstant(text3);
  const problem = epochUnitProblem(Number(text3)) ?? (ms === void 0 ? isoProblem(text3) : null);
  if (problem === null) return ms;
  problems.add(`${field}: cannot read ${shown(text3)}: ${problem}`);
  return void 0;
}
var counterLookbackMs = hourMs;
function openSpan(span) {
  return {
    startMs: Math.floor(span.startMs / dayMs) * dayMs - counterLookbackMs,
    endMs: Math.ceil(span.endMs / dayMs) * dayMs
  };
}

// src/query/seen.ts
function readDates({ startDate, endDate }, nowMs, problems) {
  if (startDate === void 0 && endDate === void 0) return null;
  const start = { field: "startDate", text: startDate };
  const end = { field: "endDate", text: endDate };
  return readWindow({ duration: void 0, start, end }, nowMs, problems);
}
function planSeries(reader, tenant, wanted) {
  const { filter, span } = wanted;
  if (span === null) return nothingOpen({ ...wanted, present: null });
  const found = findSeries(reader, tenant, filter).toArray();
  const [present2, rest] = split(found, seenOf(reader, found, span, null));
  return { ...openOf(rest, span), question: { ...wanted, present: present2 } };
}
function soughtSeries(reader, tenant, { plan, open }) {
  const { filter, span, present: present2 } = plan.question;
  if (span === null) return findSeries(reader, tenant, filter);
  assert(present2 !== null, "Expected a plan with dates to tell what is present");
  const found = IndexSet.of(reader.store.catalogue.seriesCount, present2);
  const seen = seenOf(reader, plan.series, span, open);
  plan.series.forEach((series, i) => seen[i] === 1 && found.add(series));
  return found;
}
function planElements(reader, tenant, wanted) {
  const { filter, span } = wanted;
  if (span === null) return nothingOpen({ ...wanted, present: null });
  const found = findElements(reader, tenant, filter).toArray();
  const [seenByOne, others] = split(found, seenElements(reader, found, { span, metricsMax: 1 }));
  const [seenByAny, rest] = split(
    others,
    seenElements(reader, others, { span, metricsMax: Infinity })
  );
  const present2 = new Int32Array(seenByOne.length + seenByAny.length);
  present2.set(seenByOne);
  present2.set(seenByAny, seenByOne.length);
  return { ...openOf(seriesOf(reader, rest, Infinity), span), question: { ...wanted, present: present2 } };
}
function soughtElements(reader, tenant, { plan, open }) {
  const { filter, span, present: present2 } = plan.question;
  if (span === null) return findElements(reader, tenant, filter);
  assert(present2 !== null, "Expected a plan with dates to tell what is present");
  const { catalogue } = reader.store;
  const found = IndexSet.of(catalogue.elementCount, present2);
  const seen = seenOf(reader, plan.series, span, open);
  plan.series.forEach((one, i) => seen[i] === 1 && found.add(catalogue.seriesElement(one)));
  return found;
}
function nothingOpen(question) {
  return { series: new Int32Array(0), span: null, question };
}
function openOf(series, span) {
  return { series, span: series.length === 0 ? null : wholeCycles(span), onlyFirst: true };
}
function wholeCycles({ startMs, endMs }) {
  return {
    startMs: Math.floor(startMs / cycleMs) * cycleMs,
    endMs: Math.ceil(endMs / cycleMs) * cycleMs
  };
}
function seenOf({ store }, series, span, open) {
  if (series.length === 0 || span.startMs === span.endMs) return new Uint8Array(series.length);
  const seenMs = store.lastSeen({ series, span, onlyWhether: true }, open);
  const seen = new Uint8Array(series.length);
  for (let i = 0; i < seen.length; i++) seen[i] = Number.isNaN(seenMs[i]) ? 0 : 1;
  return seen;
}
function seenElements(reader, elements, { span, metricsMax }) {
  const series = seriesOf(reader, elements, metricsMax);
  const seen = seenOf(reader, series, span, null);
  const { catalogue } = reader.store;
  const found = new IndexSet(catalogue.elementCount);
  series.forEach((one, i) => seen[i] === 1 && found.add(catalogue.seriesElement(one)));
  return Uint8Array.from(elements, (element) => found.has(element) ? 1 : 0);
}
function seriesOf({ store }, elements, metricsMax = Infinity) {
  const lists = Array.from(
    elements,
    (element) => store.catalogue.elementSeries(element).subarray(0, metricsMax)
  );
  const series = new Int32Array(lists.reduce((sum, list) => sum + list.length, 0));
  let at = 0;
  for (const list of lists) {
    series.set(list, at);
    at += list.length;
  }
  return series;
}
function split(members, marks) {
  const sides = [new Int32Array(members.length), new Int32Array(members.length)];
  const counts = [0, 0];
  for (let i = 0; i < members.length; i++) {
    const side = marks[i] === 1 ? 0 : 1;
    sides[side][counts[side]++] = members[i];
  }
  return [sides[0].slice(0, counts[0]), sides[1].slice(0, counts[1])];
}

// src/query/across-elements.ts
var seriesPerStep = 1024;
function planAcross(reader, request) {
  const problems = new Problems();
  const params = new Parameters(request.params, problems);
  const body = readMetricQueryBody(request.body, problems);
  const { nowMs, tenant } = request;
  const lastHour = { startMs: nowMs - windowMsDefault, endMs: nowMs };
  const rest = {
    jobId: params.one("jobId") ?? "",
    aggregation: oneOf2(params, "aggregation", { accepted: aggregations, problems }) ?? "avg",
    statistic: oneOf2(params, "statistic", { accepted: statistics, problems }) ?? "actual",
    resolution: params.rollup(),
    span: (body === null ? null : readDates(body, nowMs, problems)) ?? lastHour
  };
  checkBuckets(rest, problems);
  problems.throwIfAny();
  assert(body !== null, "Expected a body without problems to be read");
  const series = findSeries(reader, tenant, body.filter).toArray();
  if (series.length > statisticsSeriesMax) {
    throw invalid(
      `body: ${series.length} metrics pass the filter, more than ${statisticsSeriesMax}: name the metric in metricFqns, and its elements by more groups`
    );
  }
  const metricFqn2 = nameOf(reader, body.filter, series);
  const question = { kind: "acrossElements", ...rest, metricFqn: metricFqn2 };
  return { series, span: series.length === 0 ? null : openSpan(rest.span), question };
}
function answerAcross(reader, { series, question }, open) {
  const startedMs = reader.elapsedMs();
  const { resolution, metricFqn: metricFqn2, aggregation, statistic, jobId } = question;
  const isEmpty2 = series.length === 0 || question.span.startMs === question.span.endMs;
  const { values, aggregatedMetrics } = isEmpty2 ? { values: [], aggregatedMetrics: 0 } : resolution === "ZERO" ? acrossSamples(reader, { series, question, open }) : acrossBuckets(reader, { series, question: { ...question, resolution }, open });
  const result = {
    metricFqn: metricFqn2,
    resolution,
    aggregation,
    statistic,
    jobId,
    seconds: (reader.elapsedMs() - startedMs) / 1e3,
    values,
    foundMetrics: series.length,
    aggregatedMetrics
  };
  return printAcrossResult(result);
}
function acrossBuckets({ store }, { series, question, open }) {
  const { span, resolution, statistic, aggregation } = question;
  const width = bucketWidthMs[resolution];
  const firstMs = bucketStart(span.startMs, width);
  const field = statistic === "val" ? "actual" : statistic;
  const across = new Across(aggregation);
  const slots = new BucketSlots(firstMs, width);
  let aggregatedMetrics = 0;
  store.bucketValues({ series, span, resolution, field }, open, (_2, timesMs, values2) => {
    aggregatedMetrics++;
    const first = slots.runFrom(timesMs);
    if (first < 0) across.add(slots.of(timesMs), values2);
    else across.addRun(first, values2);
  });
  const values = [];
  for (let slot = 0; slot < across.slots; slot++) {
    if (!across.has(slot)) continue;
    values.push({ timeMs: firstMs + slot * width, value: across.value(slot) });
  }
  return { values, aggregatedMetrics };
}
function acrossSamples(reader, asked) {
  const across = new Across(asked.question.aggregation);
  const slotOf = /* @__PURE__ */ new Map();
  let aggregatedMetrics = 0;
  let samples = 0;
  for (const { timesMs: timesMs2, values: values2 } of rawValues(reader, asked)) {
    aggregatedMetrics++;
    samples += values2.length;
    refuseTooMany(samples);
    const slots = Int32Array.from(timesMs2, (timeMs) => {
      const known = slotOf.get(timeMs);
      if (known !== void 0) return known;
      slotOf.set(timeMs, slotOf.size);
      return slotOf.size - 1;
    });
    across.add(slots, values2);
  }
  const timesMs = [...slotOf.keys()].sort((left, right) => left - right);
  const values = timesMs.map((timeMs) => ({ timeMs, value: across.value(slotOf.get(timeMs)) }));
  return { values, aggregatedMetrics };
}
function* rawValues({ store }, { series, question, open }) {
  const { span, statistic } = question;
  if (isSampleValue(statistic)) {
    for (let from = 0; from < series.length; from += seriesPerStep) {
      const step = series.subarray(from, from + seriesPerStep);
      const asked = { series: step, span, resolution: "ZERO", ...withValues };
      for (const { timesMs, values } of store.statistics(asked, open)) {
        yield { timesMs, values };
      }
    }
    return;
  }
  for (const one of series) {
    const told3 = store.samples(one, { span, resolution: "ZERO" }, open).flatMap((record3) => {
      const value2 = rawValue(record3.fields, statistic);
      return value2 === null ? [] : [[record3.timeMs, value2]];
    });
    if (told3.length === 0) continue;
    const timesMs = Float64Array.from(told3, ([timeMs]) => timeMs);
    yield { timesMs, values: Float64Array.from(told3, ([, value2]) => value2) };
  }
}
var withValues = { withValues: true, exact: false };
function refuseTooMany(samples) {
  if (samples <= valuesPerAnswerMax) return;
  throw invalid(
    `rollup: the window holds more than ${valuesPerAnswerMax} raw samples: ask for fewer elements, a shorter window or a coarser rollup`
  );
}
function checkBuckets({ span, resolution }, problems) {
  if (resolution === "ZERO") return;
  const buckets = (span.endMs - span.startMs) / bucketWidthMs[resolution];
  if (buckets <= aggregatedBucketsMax) return;
  problems.add(
    `startDate: expected a window of at most ${aggregatedBucketsMax} buckets of ${resolution}, got ${Math.ceil(buckets)}: ask for a shorter window or a coarser rollup`
  );
}
function nameOf({ store }, filter, series) {
  const named = (filter.metricFqns ?? filter.metricNames)?.items[0]?.text;
  if (named !== void 0 || series.length === 0) return named ?? null;
  return store.catalogue.name(store.catalogue.seriesName(series[0])).fqn;
}
function oneOf2(params, name, { accepted, problems }) {
  const text3 = params.one(name);
  const found = accepted.find((one) => one === text3?.toLowerCase());
  if (text3 !== void 0 && found === void 0) {
    problems.add(`${name}: expected one of ${accepted.join(", ")}, got ${shown(text3)}`);
  }
  return found;
}

// src/rollup/pool.ts
function pooledStatistics(parts, scratch2) {
  if (parts.some(({ observations }) => observations === void 0)) {
    const values2 = joined(parts.map((part) => part.values));
    return statisticsOf(values2, values2.length, scratch2);
  }
  const observed = parts.map((part) => part.observations);
  const values = joined(observed.map((one) => one.values));
  const weights = joined(observed.map((one) => one.weights));
  return statisticsOfObservations({ values, weights }, values.length, totalsOf(parts), scratch2);
}
function joined(columns) {
  const all2 = new Float64Array(columns.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const column of columns) {
    all2.set(column, at);
    at += column.length;
  }
  return all2;
}
function totalsOf(parts) {
  let totals = parts.map(({ statistics: { count, sum, min, max }, observations }) => ({
    count,
    sum,
    min,
    max,
    m2: observations.m2
  }));
  while (totals.length > 1) {
    const merged = [];
    for (let from = 0; from < totals.length; from += mergedCellsMax) {
      merged.push(mergedTotals(totals.slice(from, from + mergedCellsMax)));
    }
    totals = merged;
  }
  return totals[0];
}
function mergedTotals(totals) {
  const cells = new CellColumns(totals.length + 1);
  for (const [at2, one] of totals.entries()) {
    cells.count[at2] = one.count;
    cells.sum[at2] = one.sum;
    cells.min[at2] = one.min;
    cells.max[at2] = one.max;
    cells.m2[at2] = one.m2;
  }
  const at = totals.length;
  mergeCells(cells, 0, at, cells, at);
  const { count, sum, min, max, m2 } = cells;
  return { count: count[at], sum: sum[at], min: min[at], max: max[at], m2: m2[at] };
}

// src/wire/element-scope-body.ts
import * as v4 from "valibot";
var texts = v4.pipe(
  v4.nullish(v4.union([textValue, v4.array(textValue)], "a text or an array of texts"), []),
  v4.transform((value2) => (Array.isArray(value2) ? value2 : [value2]).filter((text3) => text3 !== ""))
);
var pairs = v4.nullish(v4.array(objectValue({ name: textValue, value: v4.nullish(textValue) })), []);
var scope = {
  ids: texts,
  nameContains: texts,
  nameExcludes: texts,
  fqnIncludes: texts,
  fqnExcludes: texts,
  types: texts,
  tags: pairs,
  attributes: pairs,
  startTime: v4.nullish(textValue, ""),
  endTime: v4.nullish(textValue, "")
};
var scopeBody = objectValue(scope);
var elementScopeBody = objectValue({ ...scope, elementScope: v4.nullish(scopeBody) });
function readElementScope(raw, problems) {
  const given = raw ?? {};
  if (typeof given !== "object" || Array.isArray(given)) {
    problems.add(`body: expected a JSON object, got ${shown(given)}`);
    return null;
  }
  const { elementScope, elementScopeWrapper } = given;
  const inner = elementScope ?? elementScopeWrapper;
  if (inner === void 0 || inner === null) {
    return readWith(scopeBody, given, { path: "", problems });
  }
  return readWith(scopeBody, inner, { path: "elementScope", problems });
}

// src/wire/statistics-result.ts
var timeSpanRecord = record2({
  startTime: instant,
  endTime: instant,
  duration: record2({
    seconds: wholeNumber2,
    nano: wholeNumber2,
    zero: flag,
    negative: flag,
    units: listOf(text)
  })
});
var statisticsRecord = record2({
  avg: numberOrNull,
  min: number2,
  median: number2,
  max: number2,
  percentile5: number2,
  percentile25: number2,
  percentile75: number2,
  percentile95: number2,
  count: number2,
  sum: numberOrNull,
  stddev: numberOrNull
});
var metricStatisticsRecord = record2({
  elementId: uuid2,
  metricId: uuid2,
  statistics: statisticsRecord,
  data: told(optional2(listOf(numberOrNull)), "With showValues, in time order"),
  timestamps: told(optional2(listOf(instant)), "With showTimestamps, as long as `data`")
});
var statisticsAnswer = record2({
  metricFqn: text,
  timeSpan: timeSpanRecord,
  metrics: listOf(metricStatisticsRecord)
});
var aggregateStatisticsAnswer = record2({
  metricFqn: text,
  timeSpan: timeSpanRecord,
  foundMetrics: wholeNumber2,
  aggregatedMetrics: wholeNumber2,
  statistics: orNull(statisticsRecord)
});
function printStatisticsResult(result) {
  const metrics = jsonArray(result.metrics, ({ elementId, metricId, text: text3 }) => {
    return `{"elementId":"${elementId}","metricId":"${metricId}",${text3}}`;
  });
  return encodeJson(
    `{"metricFqn":${jsonText(result.metricFqn)},"timeSpan":${timeSpan(result.span)},"metrics":${metrics}}`
  );
}
function printAggregateStatistics(result) {
  return encodeJson(
    `{"metricFqn":${jsonText(result.metricFqn)},"timeSpan":${timeSpan(result.span)},"foundMetrics":${result.foundMetrics},"aggregatedMetrics":${result.aggregatedMetrics},"statistics":${result.statistics === null ? "null" : statistics2(result.statistics)}}`
  );
}
function timeSpan(span) {
  const seconds = Math.floor(span.endMs / 1e3) - Math.floor(span.startMs / 1e3);
  return `{"startTime":"${formatInstantSeconds(span.startMs)}","endTime":"${formatInstantSeconds(span.endMs)}","duration":{"seconds":${seconds},"nano":0,"zero":${seconds === 0},"negative":false,"units":["SECONDS","NANOS"]}}`;
}
var StatisticsTexts = class {
  instants = new Instants();
  print({ statistics: found, values, timesMs }) {
    const data = values === void 0 ? "" : `,"data":${jsonNumbers(values)}`;
    const timestamps = timesMs === void 0 ? "" : `,"timestamps":${this.instants.print(timesMs)}`;
    return `"statistics":${statistics2(found)}${data}${timestamps}`;
  }
};
function statistics2(of) {
  return `{"avg":${jsonNumber(of.avg)},"min":${jsonNumber(of.min)},"median":${jsonNumber(of.median)},"max":${jsonNumber(of.max)},"percentile5":${jsonNumber(of.percentile5)},"percentile25":${jsonNumber(of.percentile25)},"percentile75":${jsonNumber(of.percentile75)},"percentile95":${jsonNumber(of.percentile95)},"count":${jsonNumber(of.count)},"sum":${jsonNumber(of.sum)},"stddev":${jsonNumber(of.stddev)}}`;
}
var Instants = class {
  timesMs = new Float64Array(0);
  text = "[]";
  print(timesMs) {
    if (!isSame(timesMs, this.timesMs)) {
      this.timesMs = timesMs;
      this.text = JSON.stringify(Array.from(timesMs, formatInstant));
    }
    return this.text;
  }
};
function isSame(left, right) {
  return left.length === right.length && left.every((value2, i) => value2 === right[i]);
}

// src/wire/aggregation-body.ts
var aggregationFields = ["fieldValue", "count"];
var sort = {
  plain: aggregationFields,
  tags: [],
  otherwise: "fieldValue"
};
function readAggregationBody(raw, problems) {
  return readQueryBody(raw, { sort, all: aggregationFields, kept: [] }, problems);
}

// src/wire/element-query-body.ts
var tagFields2 = ["serviceTags", "netuitiveTags", "sourceTags", "attributes"];
var fields3 = {
  sort: sortFieldsOf(elementFieldNames, {
    tagFields: tagFields2,
    unsorted: ["metrics", "relations", "state", "eventCount", "tags"]
  }),
  all: elementFieldNames,
  kept: []
};
function readElementQueryBody(raw, problems) {
  return readQueryBody(raw, fields3, problems);
}

// src/wire/page.ts
function pageAnswer(content) {
  return record2({
    page: record2({
      content: listOf(content),
      last: flag,
      first: flag,
      totalElements: wholeNumber2,
      totalPages: wholeNumber2,
      sort: orNull(text),
      numberOfElements: wholeNumber2,
      size: wholeNumber2,
      number: wholeNumber2
    })
  });
}
function printPage(result) {
  const { content, total, page, pageSize } = result;
  const totalPages = Math.ceil(total / pageSize);
  return encodeJson(
    JSON.stringify({
      page: {
        content,
        last: page >= totalPages - 1,
        first: page === 0,
        totalElements: total,
        totalPages,
        sort: null,
        numberOfElements: content.length,
        size: pageSize,
        number: page
      }
    })
  );
}

// src/query/aggregations.ts
function printAggregations(values, order) {
  const total = values.reduce((sum, value2) => sum + 1 + (value2.values?.length ?? 0), 0);
  if (total > listedValuesMax) {
    throw invalid(`body: ${total} values pass, more than ${listedValuesMax}: narrow the filter`);
  }
  const aggregations2 = ordered(values, order).map(
    (value2) => value2.values === void 0 ? value2 : { ...value2, values: ordered(value2.values, order) }
  );
  return encodeJson(JSON.stringify({ aggregations: aggregations2 }));
}
function ordered(values, { field, descending }) {
  const sign = descending ? -1 : 1;
  return [...values].sort((left, right) => {
    if (field === "fieldValue") return sign * byValue(left, right);
    return sign * (left.count - right.count) || byValue(left, right);
  });
}
function byValue(left, right) {
  return left.fieldValue < right.fieldValue ? -1 : left.fieldValue > right.fieldValue ? 1 : 0;
}

// src/query/element-terms.ts
var elementTerms = {
  elementType: ({ store }, found) => countTexts(found, (element) => store.catalogue.elementInfo(element).type),
  attributes: ({ store }, found, counted) => countPairs(found, counted, (element) => store.catalogue.elementInfo(element).attributes),
  tags: ({ store }, found, counted) => countPairs(found, counted, (element) => elementTags(store.catalogue.elementInfo(element))),
  "collectors.name": (_2, found) => countTexts(found, () => customCollectorName)
};
function isElementTerm(text3) {
  return Object.hasOwn(elementTerms, text3);
}
function countTexts(found, textOf) {
  const counts = /* @__PURE__ */ new Map();
  found.forEach((element) => increase(counts, textOf(element)));
  return valuesOf(counts);
}
function countPairs(found, counted, pairsOf) {
  const passes2 = counted === null ? null : pairsTest(counted);
  const counts = /* @__PURE__ */ new Map();
  const values = /* @__PURE__ */ new Map();
  found.forEach((element) => {
    const pairs2 = pairsOf(element).filter((pair) => passes2 === null || passes2([pair]));
    for (const name of new Set(pairs2.map((pair) => pair.name))) increase(counts, name);
    for (const { name, value: value2 } of pairs2) {
      if (!values.has(name)) values.set(name, /* @__PURE__ */ new Map());
      increase(values.get(name), value2);
    }
  });
  return valuesOf(counts).map((one) => ({
    ...one,
    values: valuesOf(values.get(one.fieldValue))
  }));
}
function increase(counts, text3) {
  counts.set(text3, (counts.get(text3) ?? 0) + 1);
}
function valuesOf(counts) {
  return [...counts].map(([fieldValue, count]) => ({ fieldValue, count }));
}

// src/model/timed-key.ts
var timeDigits = 16;
var afterId = "";
function timedKind(kind, tenant) {
  return `${kind}:${tenant}`;
}
function timeText(timeMs) {
  assert(Number.isInteger(timeMs), `Expected whole milliseconds, got ${timeMs}`);
  return String(Math.max(0, timeMs)).padStart(timeDigits, "0");
}
function keyAfter(key) {
  return key + afterId;
}

// src/query/event-counts.ts
var pageEvents = 1e3;
var EventCounts = class {
  byElement = /* @__PURE__ */ new Map();
  add({ elementFqn, level }) {
    const known = this.byElement.get(elementFqn) ?? { total: 0, level: 0 };
    known.total++;
    known.level = Math.max(known.level, eventLevels.indexOf(level));
    this.byElement.set(elementFqn, known);
  }
  of(elementFqn) {
    const known = this.byElement.get(elementFqn);
    if (known === void 0) return { total: 0, topCategory: null };
    return { total: known.total, topCategory: categoryDocument(eventLevels[known.level]) };
  }
};
function eventCounts({ store }, tenant, span) {
  const counts = new EventCounts();
  const to = timeText(span.endMs);
  let from = timeText(span.startMs);
  for (let counted = 0; counted < eventsCountedMax; counted += pageEvents) {
    const page = store.listDocuments(timedKind("event", tenant), { from, to, limit: pageEvents });
    for (const { document } of page) counts.add(document);
    if (page.length < pageEvents) break;
    from = keyAfter(page.at(-1).id);
  }
  return counts;
}

// src/query/order.ts
function metricPage(reader, found, { sort: sort2, page, pageSize }) {
  const from = Math.min(page * pageSize, found.size);
  const to = Math.min(from + pageSize, found.size);
  if (sort2 === null) return found.slice(from, to);
  if (from === to) return new Int32Array(0);
  if (sort2.field === "id") return orderedById(reader, found, sort2).subarray(from, to);
  const { indexOf, count } = subjectsOf(reader, sort2.field);
  const members = found.toArray();
  const indexes = new Int32Array(members.length);
  const samples = new Int32Array(count).fill(-1);
  for (let i = 0; i < members.length; i++) {
    const index = indexOf(members[i]);
    indexes[i] = index;
    samples[index] = members[i];
  }
  const keys = Array.from(samples, (one) => one < 0 ? null : keyOf(reader, one, sort2));
  return pageByRank(members, { indexes, ranks: ranksOf(keys, sort2), from, to });
}
function orderedByKey(members, keyOfMember, sort2) {
  const ranks = ranksOf(Array.from(members, keyOfMember), sort2);
  const places = Array.from(members, (_2, place) => place);
  places.sort((left, right) => ranks[left] - ranks[right] || left - right);
  return Int32Array.from(places, (place) => members[place]);
}
function subjectsOf({ store }, field) {
  const { catalogue } = store;
  if (field === "fqn" || field === "name") {
    return { indexOf: (series) => catalogue.seriesName(series), count: catalogue.nameCount };
  }
  if (field === "elementId") {
    const indexOf2 = (series) => catalogue.seriesElement(series);
    return { indexOf: indexOf2, count: catalogue.elementCount };
  }
  const indexOf = (series) => catalogue.seriesDefinitionIndex(series);
  return { indexOf, count: catalogue.definitionCount };
}
function keyOf(reader, series, { field, tag }) {
  const value2 = metricFields[field](metricSubject(reader, series));
  if (tag === null) return value2 === null ? "" : String(value2);
  return tagOf(value2, tag);
}
function tagOf(tags, tag) {
  return Object.hasOwn(tags, tag) ? tags[tag] : "";
}
function ranksOf(keys, { descending, missingFirst }) {
  const distinct = [...new Set(keys)].filter((key) => key !== null && key !== "");
  distinct.sort((left, right) => left < right ? -1 : 1);
  if (descending) distinct.reverse();
  const rankOf = new Map(
    distinct.map((key, i) => [key, missingFirst ? i + 1 : i])
  );
  rankOf.set("", missingFirst ? 0 : distinct.length);
  return Int32Array.from(keys, (key) => rankOf.get(key) ?? 0);
}
function pageByRank(members, { indexes, ranks, from, to }) {
  const starts = new Int32Array(ranks.reduce((most, rank) => Math.max(most, rank), 0) + 2);
  for (let i = 0; i < indexes.length; i++) starts[ranks[indexes[i]] + 1]++;
  for (let rank = 1; rank < starts.length; rank++) starts[rank] += starts[rank - 1];
  const shown3 = new Int32Array(to - from);
  for (let i = 0; i < indexes.length; i++) {
    const place = starts[ranks[indexes[i]]]++;
    if (place >= from && place < to) shown3[place - from] = members[i];
  }
  return shown3;
}
function orderedById({ metricIds }, found, { descending }) {
  const ordered2 = metricIds.ordered(found.toArray());
  return descending ? ordered2.reverse() : ordered2;
}

// src/query/processing.ts
var lookBackMs = 14 * dayMs;
var settledAfterMs = 12e4;
function processingOf(reader, elements, nowMs) {
  const { store } = reader;
  const series = seriesOf(reader, elements);
  const span = { startMs: nowMs - lookBackMs, endMs: nowMs };
  const seenMs = store.lastSeen({ series, span, onlyWhether: false }, null);
  const lastCycleMs = (Math.floor((nowMs - settledAfterMs) / cycleMs) - 1) * cycleMs;
  const percents = percentsOf(reader, elements, lastCycleMs);
  let at = 0;
  return Array.from(elements, (element, i) => {
    const { length } = store.catalogue.elementSeries(element);
    const times = seenMs.subarray(at, at + length);
    at += length;
    const found = processed(times, lastCycleMs);
    return Number.isNaN(percents[i]) ? found : { ...found, collectedPercent: percents[i] };
  });
}
function percentsOf({ store }, elements, cycleStartMs) {
  const { catalogue } = store;
  const percents = new Float64Array(elements.length).fill(NaN);
  const places = /* @__PURE__ */ new Map();
  elements.forEach((element, place) => {
    const name = catalogue.findName(catalogue.elementTenant(element), collectedPercentFqn);
    const series = name < 0 ? -1 : catalogue.findSeries(element, name);
    if (series >= 0) places.set(series, place);
  });
  if (places.size === 0) return percents;
  const question = {
    series: Int32Array.from(places.keys()),
    span: { startMs: cycleStartMs, endMs: cycleStartMs + cycleMs },
    resolution: "PT5M",
    field: "actual"
  };
  store.bucketValues(question, null, (series, _2, values) => {
    percents[places.get(series)] = values[0];
  });
  return percents;
}
function processed(seenMs, lastCycleMs) {
  let newestMs = -Infinity;
  let collected = 0;
  for (const ms of seenMs) {
    if (ms > newestMs) newestMs = ms;
    if (ms >= lastCycleMs) collected++;
  }
  if (newestMs === -Infinity) return { lastProcessedMs: null, collectedPercent: null };
  return { lastProcessedMs: newestMs, collectedPercent: 100 * collected / seenMs.length };
}

// src/query/element-query.ts
function planElementQuery(reader, request) {
  const problems = new Problems();
  const body = readElementQueryBody(request.body, problems);
  const span = body === null ? null : readDates(body, request.nowMs, problems);
  problems.throwIfAny();
  assert(body !== null, "Expected a body without problems to be read");
  const { filter, sort: sort2, page, pageSize, fields: fields5 } = body;
  const planned = planElements(reader, request.tenant, { filter, span });
  const rest = { sort: sort2, page, pageSize, fields: fields5, nowMs: request.nowMs };
  return { ...planned, question: { kind: "elementQuery", ...planned.question, ...rest } };
}
function answerElementQuery(reader, asked) {
  const { question } = asked.plan;
  const { page, pageSize, fields: fields5 } = question;
  const found = soughtElements(reader, asked.tenant, asked);
  const shownElements = elementPage(reader, found, question);
  if (fields5.includes("metrics")) refuseTooManyMetrics(reader, shownElements, "pageSize");
  const content = documentsOf(reader, shownElements, { ...question, tenant: asked.tenant });
  return printPage({ content, total: found.size, page, pageSize });
}
function documentsOf(reader, elements, question) {
  const { fields: fields5, nowMs, tenant } = question;
  const isProcessed = fields5.includes("lastProcessed") || fields5.includes("state");
  const processed2 = isProcessed ? processingOf(reader, elements, nowMs) : null;
  const span = question.span ?? { startMs: nowMs - hourMs, endMs: nowMs };
  const counts = fields5.includes("eventCount") ? eventCounts(reader, tenant, span) : null;
  const { catalogue } = reader.store;
  const checks = new ElementChecks(reader, tenant);
  return Array.from(elements, (element, i) => {
    const eventCount = counts?.of(catalogue.elementFqn(element)) ?? noEvents;
    const processing = { ...processed2?.[i] ?? neverProcessed, eventCount };
    return elementDocument(elementSubject(reader, element, { processing, checks }), fields5);
  });
}
var neverProcessed = { lastProcessedMs: null, collectedPercent: null };
var noEvents = { total: 0, topCategory: null };
function refuseTooManyMetrics({ store }, elements, field) {
  const metrics = elements.reduce(
    (sum, element) => sum + store.catalogue.elementSeries(element).length,
    0
  );
  if (metrics <= listedMetricsMax) return;
  const instead = field === "fields" ? "name the fields, without metrics" : 'ask for less, or for sourceFilter.excludes ["metrics"]';
  throw invalid(
    `${field}: these elements have ${metrics} metrics, more than ${listedMetricsMax}: ${instead}`
  );
}
function elementPage(reader, found, question) {
  const { sort: sort2, page, pageSize, nowMs } = question;
  const from = Math.min(page * pageSize, found.size);
  const to = Math.min(from + pageSize, found.size);
  if (sort2 === null || from === to) return found.slice(from, to);
  const elements = found.toArray();
  const processed2 = sort2.field === "lastProcessed" ? processingOf(reader, elements, nowMs) : null;
  const keys = /* @__PURE__ */ new Map();
  elements.forEach((element, i) => {
    keys.set(element, keyOf2(reader, element, { sort: sort2, processed: processed2?.[i] }));
  });
  return orderedByKey(elements, (element) => keys.get(element), sort2).subarray(from, to);
}
function keyOf2(reader, element, { sort: sort2, processed: processed2 }) {
  const processing = { ...processed2 ?? neverProcessed, eventCount: noEvents };
  const subject = elementSubject(reader, element, { processing });
  if (sort2.tag === null) return String(elementFields[sort2.field](subject) ?? "");
  if (sort2.field !== "attributes") {
    return tagOf(elementFields[sort2.field](subject), sort2.tag);
  }
  return subject.info.attributes.find(({ name }) => name === sort2.tag)?.value ?? "";
}
function planElementAgg(reader, request) {
  const problems = new Problems();
  const term = new Parameters(request.params, problems).one("term") ?? "";
  if (!isElementTerm(term)) {
    const accepted = Object.keys(elementTerms).join(", ");
    problems.add(`term: expected one of ${accepted}, got ${shown(term)}`);
  }
  const body = readAggregationBody(request.body, problems);
  const span = body === null ? null : readDates(body, request.nowMs, problems);
  problems.throwIfAny();
  assert(body !== null && isElementTerm(term), "Expected a body without problems to be read");
  const { filter, sort: sort2, counted } = body;
  const planned = planElements(reader, request.tenant, { filter, span });
  return { ...planned, question: { kind: "elementAgg", ...planned.question, sort: sort2, counted, term } };
}
function answerElementAgg(reader, asked) {
  const { term, sort: sort2, counted } = asked.plan.question;
  const found = soughtElements(reader, asked.tenant, asked);
  return printAggregations(elementTerms[term](reader, found, counted), sort2 ?? mostFirst);
}
var mostFirst = { field: "count", descending: true };

// src/query/exact-group.ts
function exactTexts(texts2) {
  const items = texts2.map((text3) => ({ text: text3, ...exactly }));
  return { and: false, items: items.length > 0 ? items : [{ text: "\0", ...exactly }], nested: [] };
}
function textParts(parts, excluded) {
  const item = (excludes) => (text3) => ({ text: text3, match: "part", caseless: true, excludes });
  return { and: false, items: [...parts.map(item(false)), ...excluded.map(item(true))], nested: [] };
}
function allPairs(pairs2) {
  const items = pairs2.map(({ name, value: value2 }) => ({ key: name, text: value2, ...exactly }));
  return { and: true, items, nested: [] };
}
var exactly = { match: "equal", caseless: false, excludes: false };

// src/query/tag-values.ts
function readTagValues(parameter, texts2, problems) {
  const values = /* @__PURE__ */ new Map();
  for (const text3 of texts2) {
    const pairs2 = readPairs(parseJson(text3));
    if (pairs2 === null) {
      problems.add(
        `${parameter}: expected a JSON object of names and arrays of values, got ${shown(text3)}`
      );
    }
    for (const [name, value2] of pairs2 ?? []) {
      const known = values.get(name);
      if (known === void 0) values.set(name, /* @__PURE__ */ new Set([value2]));
      else known.add(value2);
    }
  }
  return values;
}
function readPairs(json) {
  if (typeof json !== "object" || json === null) return null;
  const entries4 = Array.isArray(json) ? json.map(asEntry) : Object.entries(json);
  const pairs2 = [];
  for (const entry of entries4) {
    if (entry === null) return null;
    const list = Array.isArray(entry[1]) ? entry[1] : [entry[1]];
    if (!list.every(isScalar)) return null;
    for (const value2 of list) pairs2.push([entry[0], String(value2)]);
  }
  return pairs2;
}
function asEntry(item) {
  if (typeof item !== "object" || item === null) return null;
  const { name, value: value2 } = item;
  return typeof name === "string" ? [name, value2] : null;
}

// src/query/element-list.ts
function planElementList(reader, request) {
  const problems = new Problems();
  const params = new Parameters(request.params, problems);
  const { nowMs, tenant } = request;
  const window = askedWindow(params);
  const span = isAsked(window) ? readDay(window, nowMs, problems) : null;
  const filter = readFilterParameters(reader, { params, tenant, problems });
  const locations = params.many("location");
  const rest = {
    locations: locations.length === 0 ? null : locations,
    isCollected: params.one("state") === void 0 ? null : params.flag("state"),
    fields: readFields(params.many("fields"), problems),
    nowMs
  };
  problems.throwIfAny();
  const planned = planElements(reader, tenant, { filter, span });
  return { ...planned, question: { kind: "elementList", ...planned.question, ...rest } };
}
function answerElementList(reader, asked) {
  const { question } = asked.plan;
  const { locations, isCollected, nowMs, fields: fields5 } = question;
  const { catalogue } = reader.store;
  let elements = soughtElements(reader, asked.tenant, asked).toArray();
  if (locations !== null) {
    const wanted = new Set(locations);
    elements = elements.filter((element) => wanted.has(catalogue.elementInfo(element).location));
  }
  if (isCollected !== null) {
    const processed2 = processingOf(reader, elements, nowMs);
    elements = elements.filter((_2, i) => (processed2[i].collectedPercent ?? 0) > 0 === isCollected);
  }
  if (fields5.includes("metrics")) refuseTooManyMetrics(reader, elements, "fields");
  const documents = documentsOf(reader, elements, { ...question, tenant: asked.tenant });
  return encodeJson(JSON.stringify({ elements: documents }));
}
function planElementIds(reader, request) {
  const problems = new Problems();
  const window = askedWindow(new Parameters(request.params, problems));
  const span = readDay(window, request.nowMs, problems);
  problems.throwIfAny();
  const planned = planElements(reader, request.tenant, { filter: {}, span });
  return { ...planned, question: { kind: "elementIds", ...planned.question } };
}
function answerElementIds(reader, asked) {
  const elements = soughtElements(reader, asked.tenant, asked).toArray();
  const ids = Array.from(elements, (element) => reader.identity.elementId(element));
  return encodeJson(JSON.stringify({ ids }));
}
function readFilterParameters(reader, { params, tenant, problems }) {
  const ids = [...params.many("id"), ...params.many("ids")];
  const names = [.../* @__PURE__ */ new Set([...params.many("name"), ...params.texts("name")])];
  const types = params.many("type");
  const tags = params.texts("tags").flatMap((text3) => readTags(text3, problems));
  return {
    ...ids.length === 0 ? {} : { elementIds: exactTexts(idsOf(reader, tenant, ids)) },
    ...names.length === 0 ? {} : { elementNames: exactTexts(names) },
    ...types.length === 0 ? {} : { elementTypes: exactTexts(types) },
    ...tags.length === 0 ? {} : { elementTags: allPairs(tags) }
  };
}
function idsOf(reader, tenant, named) {
  const { identity } = reader;
  return named.map((idOrFqn) => identity.findElement(tenant, idOrFqn)).filter((element) => element >= 0).map((element) => identity.elementId(element));
}
function readTags(text3, problems) {
  if (typeof parseJson(text3) !== "object" || !/^[[{]/.test(text3)) {
    return text3.split(",").flatMap((name) => name.trim() ? { name: name.trim(), value: null } : []);
  }
  return [...readTagValues("tags", [text3], problems)].flatMap(
    ([name, values]) => [...values].map((value2) => ({ name, value: value2 }))
  );
}
function readFields(asked, problems) {
  if (asked.length === 0) return elementFieldNames;
  for (const name of asked) {
    if (elementFieldNames.some((field) => field === name)) continue;
    const accepted = elementFieldNames.join(", ");
    problems.add(`fields: expected some of ${accepted}, got ${shown(name)}`);
  }
  const wanted = /* @__PURE__ */ new Set(["id", ...asked]);
  return elementFieldNames.filter((field) => wanted.has(field));
}

// src/query/aggregate-statistics.ts
var seriesPerStep2 = 1e3;
var scratch = new StatisticsScratch();
function planAggregateStatistics(reader, request) {
  const problems = new Problems();
  const params = new Parameters(request.params, problems);
  const metricFqn2 = params.one("fqn");
  if (metricFqn2 === void 0) problems.add("fqn: expected a metric FQN, got none");
  const scope2 = readElementScope(request.body ?? scopeOf(params), problems);
  const span = readSpan(params, { scope: scope2, nowMs: request.nowMs, problems });
  const resolution = params.rollup(params.many("rollup").length > 0 ? "rollup" : "rollupInput");
  problems.throwIfAny();
  assert(metricFqn2 !== void 0 && scope2 !== null, "Expected parameters without problems");
  const name = reader.identity.findName(request.tenant, metricFqn2);
  const filter = filterOf(reader, request.tenant, scope2);
  const fqn = name < 0 ? metricFqn2 : reader.store.catalogue.name(name).fqn;
  const wanted = { ...filter, metricFqns: exactTexts([fqn]) };
  const series = findSeries(reader, request.tenant, wanted).toArray();
  if (series.length > statisticsSeriesMax) {
    throw invalid(
      `fqn: ${shown(metricFqn2)} is a metric of ${series.length} elements in this scope, more than ${statisticsSeriesMax}: narrow the scope`
    );
  }
  const question = { kind: "aggregateStatistics", metricFqn: metricFqn2, span, resolution };
  return { series, span: series.length === 0 ? null : openSpan(span), question };
}
function answerAggregateStatistics(reader, { series, question }, open) {
  const { metricFqn: metricFqn2, span } = question;
  const parts = [];
  let values = 0;
  const isEmpty2 = span.startMs === span.endMs;
  for (let from = 0; from < series.length && !isEmpty2; from += seriesPerStep2) {
    const step = series.subarray(from, from + seriesPerStep2);
    for (const part of partsOf(reader, { series: step, question }, open)) {
      parts.push(part);
      values += (part.observations?.values ?? part.values).length;
    }
    refuseTooMany2(values);
  }
  return printAggregateStatistics({
    metricFqn: metricFqn2,
    span,
    statistics: parts.length === 0 ? null : pooledStatistics(parts, scratch),
    foundMetrics: series.length,
    aggregatedMetrics: parts.length
  });
}
function partsOf({ store }, { series, question }, open) {
  const { span, resolution } = question;
  const isRaw = resolution === "ZERO";
  const kind = { withValues: !isRaw, withObservations: isRaw, exact: false };
  return store.statistics({ series, span, resolution, ...kind }, open);
}
function scopeOf(params) {
  const json = (name) => params.texts(name).flatMap((text3) => parseJson(text3) ?? []);
  return {
    ids: params.many("ids"),
    nameContains: params.texts("nameContains"),
    nameExcludes: params.texts("nameExcludes"),
    fqnIncludes: params.many("fqnIncludes"),
    fqnExcludes: params.many("fqnExcludes"),
    types: params.many("types"),
    tags: json("tags"),
    attributes: json("attributes")
  };
}
function readSpan(params, of) {
  const { scope: scope2, nowMs, problems } = of;
  const window = askedWindow(params);
  if (isAsked(window) || scope2 === null) return readWindow(window, nowMs, problems);
  const text3 = (given) => given || void 0;
  const start = { field: "startTime", text: text3(scope2.startTime) };
  const end = { field: "endTime", text: text3(scope2.endTime) };
  return readWindow({ duration: void 0, start, end }, nowMs, problems);
}
function filterOf(reader, tenant, scope2) {
  const { ids, types, tags, attributes } = scope2;
  const pairs2 = (given) => allPairs(given.map(({ name, value: value2 }) => ({ name, value: value2 ?? null })));
  const elementNames = textParts(scope2.nameContains, scope2.nameExcludes);
  const elementFqns = textParts(scope2.fqnIncludes, scope2.fqnExcludes);
  return {
    ...ids.length === 0 ? {} : { elementIds: exactTexts(idsOf(reader, tenant, ids)) },
    ...types.length === 0 ? {} : { elementTypes: exactTexts(types) },
    ...elementNames.items.length === 0 ? {} : { elementNames },
    ...elementFqns.items.length === 0 ? {} : { elementFqns },
    ...tags.length === 0 ? {} : { elementTags: pairs2(tags) },
    ...attributes.length === 0 ? {} : { attributes: pairs2(attributes) }
  };
}
function refuseTooMany2(values) {
  if (values <= valuesPerAnswerMax) return;
  throw invalid(
    `rollup: the window holds more than ${valuesPerAnswerMax} values: ask for fewer elements, a shorter window or a coarser rollup`
  );
}

// src/wire/samples-result.ts
var value = optional2(numberOrNull);
var sampleFieldsRecord = record2({
  actual: value,
  val: value,
  avg: value,
  min: value,
  max: value,
  cnt: value,
  sum: value,
  sparseValue: value,
  baselineMean: value,
  baselineStddev: value,
  baselineUpper: value,
  baselineLower: value,
  contextualMean: value,
  contextualStddev: value,
  contextualUpper: value,
  contextualLower: value
});
var sampleRecord = record2({
  metricId: uuid2,
  timestamp: instant,
  rollup: oneOf(resolutions),
  data: sampleFieldsRecord
});
var samplesAnswer = record2({ samples: listOf(sampleRecord) });
var samplesWithSummaryAnswer = record2({
  samples: listOf(sampleRecord),
  sampleMin: orNull(number2),
  sampleAvg: orNull(number2),
  sampleMax: orNull(number2),
  sampleSum: orNull(number2)
});
function printSamplesResult(result) {
  const rest = `","rollup":"${result.resolution}","data":`;
  const head = `{"metricId":"${result.metricId}","timestamp":"`;
  const samples = jsonArray(
    result.samples,
    (sample) => head + formatInstant(sample.timeMs) + rest + fields4(sample.fields) + "}"
  );
  return encodeJson(`{"samples":${samples}${summary(result.summary)}}`);
}
function fields4(of) {
  let text3 = "";
  for (const name in of) {
    const value2 = of[name];
    if (value2 !== void 0) text3 += `${text3 && ","}${jsonText(name)}:${jsonNumber(value2)}`;
  }
  return `{${text3}}`;
}
function summary(of) {
  if (of === void 0) return "";
  const { min, avg, max, sum } = of;
  const print = (value2) => value2 === null ? "null" : jsonNumber(value2);
  return `,"sampleMin":${print(min)},"sampleAvg":${print(avg)},"sampleMax":${print(max)},"sampleSum":${print(sum)}`;
}

// src/wire/metric-meta.ts
var metricMetaRecord = record2({
  id: uuid2,
  fqn: text,
  state: record2({
    baselined: flag,
    correlated: flag,
    created: instant,
    updated: orNull(instant),
    lastActual: numberOrNull,
    historicalMin: numberOrNull,
    historicalMax: numberOrNull,
    lastResults: sampleFieldsRecord
  }),
  configuration: record2({
    validmin: numberOrNull,
    validmax: numberOrNull,
    sparsedatastrategy: oneOf(sparseStrategies)
  })
});
var metricMetaAnswer = record2({ id: uuid2, metricMeta: listOf(metricMetaRecord) });
function printMetricMeta({ id, metrics }) {
  return encodeJson(JSON.stringify({ id, metricMeta: metrics.map(metaDocument) }));
}
function metaDocument(metric) {
  const { id, fqn, createdMs, history } = metric;
  return {
    id,
    fqn,
    state: {
      baselined: metric.baseline,
      correlated: metric.correlation,
      created: formatInstantSeconds(createdMs),
      updated: history === null ? null : formatInstantSeconds(history.updatedMs),
      lastActual: history?.lastActual ?? null,
      historicalMin: history?.min ?? null,
      historicalMax: history?.max ?? null,
      lastResults: history?.lastResults ?? {}
    },
    configuration: {
      validmin: metric.validMin,
      validmax: metric.validMax,
      sparsedatastrategy: metric.sparseDataStrategy
    }
  };
}

// src/query/element-metrics.ts
var historyMs = 90 * dayMs;
function planElementMetrics(reader, request) {
  const problems = new Problems();
  const params = new Parameters(request.params, problems);
  const fqns = [...params.many("metricFQN"), ...params.many("metricFqn")];
  problems.throwIfAny();
  const element = namedElement(reader, request);
  const span = { startMs: request.nowMs - historyMs, endMs: request.nowMs + dayMs };
  const series = fqns.length === 0 ? reader.store.catalogue.elementSeries(element) : fqns.map((fqn) => reader.identity.findMetric(element, fqn)).filter((one) => one >= 0);
  return {
    series: Int32Array.from(new Set(series)),
    span: series.length === 0 ? null : openSpan(span),
    question: { kind: "elementMetrics", element, span }
  };
}
function answerElementMetrics(reader, { series, question }, open) {
  const { element, span } = question;
  const asked = { series, span, resolution: "PT5M", withValues: true, exact: false };
  const found = series.length === 0 ? [] : reader.store.statistics(asked, open);
  const bySeries = new Map(found.map((one) => [one.series, one]));
  return printMetricMeta({
    id: reader.identity.elementId(element),
    metrics: Array.from(series, (one) => metaOf(reader, { series: one, open }, bySeries.get(one)))
  });
}
function metaOf({ store, identity }, { series, open }, history) {
  const { catalogue } = store;
  const definition = catalogue.seriesDefinition(series);
  const { createdMs } = catalogue.elementInfo(catalogue.seriesElement(series));
  const meta = {
    id: identity.metricId(series),
    fqn: catalogue.name(catalogue.seriesName(series)).fqn,
    sparseDataStrategy: sparseStrategyOf(definition),
    validMin: definition.settings?.validMin ?? null,
    validMax: definition.settings?.validMax ?? null,
    ...bandsOf(definition)
  };
  const timesMs = history?.timesMs;
  const lastMs = timesMs?.at(-1);
  if (history === void 0 || timesMs === void 0 || lastMs === void 0) {
    return { ...meta, createdMs, history: null };
  }
  const span = { startMs: lastMs, endMs: lastMs + 1 };
  const [last] = store.samples(series, { span, resolution: "PT5M" }, open);
  return {
    ...meta,
    createdMs: timesMs[0],
    history: {
      updatedMs: lastMs,
      lastActual: history.values.at(-1),
      min: history.statistics.min,
      max: history.statistics.max,
      lastResults: last?.fields ?? {}
    }
  };
}

// src/wire/name-preview-body.ts
import * as v5 from "valibot";

// src/wire/name-template.ts
var metaFields = ["fqn", "location", "type", "id", "tenantId", "originalName"];
function readTemplate(template, problems) {
  if (template.length > textCharactersMax) {
    problems.add(`template: expected at most ${textCharactersMax} characters`);
    return [];
  }
  const parts = [];
  let at = 0;
  for (; ; ) {
    const start = template.indexOf("${", at);
    parts.push({ from: "text", text: template.slice(at, start < 0 ? void 0 : start) });
    if (start < 0) return parts;
    const end = template.indexOf("}", start);
    if (end < 0) {
      problems.add(`template: expected } after ${shown(template.slice(start))}`);
      return [];
    }
    pushAll(parts, readReference(template.slice(start + 2, end), problems));
    at = end + 1;
  }
}
function readReference(text3, problems) {
  const read = splitReference(text3.trim());
  if (read?.from === "tags" || read?.from === "attributes") return [{ ...read, from: read.from }];
  const field = metaFields.find((one) => one === read?.name);
  if (read?.from === "meta" && field !== void 0) {
    return [{ from: "meta", name: field, fallback: read.fallback }];
  }
  problems.add(
    `template: expected tags.<name>, attributes.<name> or one of ${metaFields.map((one) => `meta.${one}`).join(", ")}, got ${shown(text3)}`
  );
  return [];
}
function splitReference(text3) {
  const bracket = text3.indexOf('["');
  const dot = text3.indexOf(".");
  if (bracket >= 0 && (dot < 0 || bracket < dot)) {
    const end = text3.indexOf('"]', bracket);
    const fallback2 = end < 0 ? null : readFallback(text3.slice(end + 2).trim());
    if (fallback2 === null) return null;
    return { from: text3.slice(0, bracket), name: text3.slice(bracket + 2, end), fallback: fallback2 };
  }
  const mark = text3.indexOf("!");
  const nameEnd = mark < 0 ? text3.length : mark;
  const fallback = readFallback(text3.slice(nameEnd));
  const name = text3.slice(dot + 1, nameEnd).trim();
  if (dot < 0 || dot > nameEnd || name === "" || fallback === null) return null;
  return { from: text3.slice(0, dot), name, fallback };
}
function readFallback(text3) {
  if (text3 === "" || text3 === "!") return "";
  const quoted = text3.slice(1).trim();
  const isQuoted = text3.startsWith("!") && quoted.length > 1;
  return isQuoted && quoted.startsWith('"') && quoted.endsWith('"') ? quoted.slice(1, -1) : null;
}
function renderTemplate(parts, subject) {
  return parts.map((part) => renderPart(part, subject)).join("");
}
function renderPart(part, { tags, attributes, meta }) {
  if (part.from === "text") return part.text;
  if (part.from === "meta") return meta[part.name] || part.fallback;
  const pairs2 = part.from === "tags" ? tags : attributes;
  return pairs2.find(({ name }) => name === part.name)?.value ?? part.fallback;
}

// src/wire/name-preview-body.ts
var present = (name) => v5.pipe(textValue, v5.nonEmpty(`a ${name} that is not empty`));
var namePreviewBody = objectValue({
  elementId: present("UUID or FQN of an element"),
  template: present("template")
});
function readNamePreviewBody(raw, problems) {
  const body = readWith(namePreviewBody, raw, { path: "", problems });
  if (body === null) return null;
  return { elementId: body.elementId, template: readTemplate(body.template, problems) };
}

// src/query/name-preview.ts
function planNamePreview(reader, request) {
  const problems = new Problems();
  const body = readNamePreviewBody(request.body ?? {}, problems);
  problems.throwIfAny();
  assert(body !== null, "Expected a body without problems to be read");
  const element = reader.identity.findElement(request.tenant, body.elementId);
  if (element < 0) throw new ServiceError("missing", `Cannot find element ${shown(body.elementId)}`);
  return withoutSamples({ kind: "namePreview", element, template: body.template });
}
function answerNamePreview({ store, identity, tenantUuid }, { element, template }) {
  const { catalogue } = store;
  const {
    tags,
    serviceTags: serviceTags2 = [],
    attributes,
    name,
    type,
    location
  } = catalogue.elementInfo(element);
  const preview = renderTemplate(template, {
    // What a person set wins over what was posted under that name.
    tags: [...serviceTags2, ...tags],
    attributes,
    meta: {
      fqn: catalogue.elementFqn(element),
      location: location ?? "",
      type,
      id: identity.elementId(element),
      tenantId: tenantUuid(catalogue.elementTenant(element)),
      originalName: name
    }
  });
  return encodeJson(JSON.stringify({ preview }));
}

// src/wire/relationships-result.ts
var metadata = mapOf(anything);
var relationshipsAnswer = record2({
  relationships: record2({
    type: orNull(text),
    label: orNull(text),
    directed: constant(true),
    nodes: listOf(record2({ id: uuid2, label: text, type: text, metadata: record2({ fqn: text }) })),
    edges: listOf(
      record2({
        source: uuid2,
        relation: text,
        target: uuid2,
        directed: constant(true),
        metadata
      })
    ),
    metadata
  })
});
function printRelationships({ nodes, edges }) {
  return encodeJson(
    JSON.stringify({
      relationships: {
        type: null,
        label: null,
        directed: true,
        nodes: nodes.map(({ id, fqn, name, type }) => ({
          id,
          label: name,
          type,
          metadata: { fqn }
        })),
        edges: edges.map(({ source, target }) => ({
          source,
          relation: "member of",
          target,
          directed: true,
          metadata: {}
        })),
        metadata: {}
      }
    })
  );
}

// src/query/relationships.ts
function planRelationships(reader, request) {
  const problems = new Problems();
  const params = new Parameters(request.params, problems);
  const levels = readLevels(params.one("levels"), problems);
  const span = readSpan2(params, request.nowMs, problems);
  problems.throwIfAny();
  const element = namedElement(reader, request);
  const related = relatedTo(reader, { element, levels });
  const ids = related.map((one) => reader.identity.elementId(one));
  const filter = { elementIds: exactTexts(ids) };
  const planned = planElements(reader, request.tenant, { filter, span });
  return { ...planned, question: { ...planned.question, kind: "relationships", element, levels } };
}
function answerRelationships(reader, asked) {
  const { element, levels } = asked.plan.question;
  const { identity, store } = reader;
  const { catalogue } = store;
  const seen = soughtElements(reader, asked.tenant, asked);
  const shownElements = relatedTo(reader, { element, levels }).filter(
    (one) => one === element || seen.has(one)
  );
  const graph = new RelationGraph(catalogue, asked.tenant);
  return printRelationships({
    nodes: shownElements.map((one) => ({
      id: identity.elementId(one),
      fqn: catalogue.elementFqn(one),
      name: catalogue.elementInfo(one).name,
      type: catalogue.elementInfo(one).type
    })),
    edges: edgesBetween(graph, shownElements).map(([source, target]) => ({
      source: identity.elementId(source),
      target: identity.elementId(target)
    }))
  });
}
function readLevels(text3, problems) {
  if (text3 === void 0) return 1;
  const levels = /^\d{1,9}$/.test(text3) ? Number(text3) : 0;
  if (levels >= 1 && levels <= relationshipLevelsMax) return levels;
  problems.add(
    `levels: expected a whole number from 1 to ${relationshipLevelsMax}, got ${shown(text3)}`
  );
  return 1;
}
function readSpan2(params, nowMs, problems) {
  const asked = askedWindow(params);
  return isAsked(asked) ? readWindow(asked, nowMs, problems) : null;
}
function relatedTo({ store }, { element, levels }) {
  const { catalogue } = store;
  const graph = new RelationGraph(catalogue, catalogue.elementTenant(element));
  const found = within(graph, { root: element, levels, max: relatedElementsMax });
  if (found !== null) return found;
  throw invalid(
    `levels: more than ${relatedElementsMax} elements are within ${levels} levels of ${shown(catalogue.elementFqn(element))}: ask for fewer levels`
  );
}
var RelationGraph = class {
  catalogue;
  tenant;
  /** Elements by the FQN that they post a relation to. */
  posters = /* @__PURE__ */ new Map();
  constructor(catalogue, tenant) {
    this.catalogue = catalogue;
    this.tenant = tenant;
    for (let element = 0; element < catalogue.elementCount; element++) {
      if (catalogue.elementTenant(element) !== tenant || catalogue.isDeleted(element)) continue;
      for (const fqn of catalogue.elementInfo(element).relations) {
        const known = this.posters.get(fqn);
        if (known === void 0) this.posters.set(fqn, [element]);
        else known.push(element);
      }
    }
  }
  /** Elements that this one posts relations to. */
  targets(element) {
    const { catalogue, tenant } = this;
    return catalogue.elementInfo(element).relations.map((fqn) => catalogue.findElement(tenant, fqn)).filter((target) => target >= 0 && !catalogue.isDeleted(target));
  }
  /** Both directions. */
  neighbours(element) {
    const posters = this.posters.get(this.catalogue.elementFqn(element)) ?? [];
    return [...this.targets(element), ...posters];
  }
};
function within(graph, { root, levels, max }) {
  const found = /* @__PURE__ */ new Set([root]);
  let level = [root];
  for (let step = 0; step < levels && level.length > 0; step++) {
    const next = [];
    for (const neighbour of level.flatMap((one) => graph.neighbours(one))) {
      if (found.has(neighbour)) continue;
      if (found.size === max) return null;
      found.add(neighbour);
      next.push(neighbour);
    }
    level = next;
  }
  return [...found];
}
function edgesBetween(graph, elements) {
  const shownElements = new Set(elements);
  return elements.flatMap(
    (poster) => graph.targets(poster).filter((target) => shownElements.has(target)).map((target) => [target, poster])
  );
}

// src/query/tags.ts
function planTags(reader, request) {
  const planned = planNames(reader, request);
  return { ...planned, question: { ...planned.question, kind: "tags" } };
}
function answerTags({ store }, { element, series }) {
  const { catalogue } = store;
  const info = catalogue.elementInfo(element);
  const definition = series < 0 ? null : catalogue.seriesDefinition(series);
  const serviceTags2 = definition === null ? tagMap(info.serviceTags ?? []) : metricServiceTags(definition);
  const sourceTags = tagMap((definition ?? info).tags);
  return encodeJson(JSON.stringify({ serviceTags: serviceTags2, netuitiveTags: serviceTags2, sourceTags }));
}

// src/query/element-questions.ts
function planAboutElements(reader, kind, request) {
  switch (kind) {
    case "names":
      return planNames(reader, request);
    case "tags":
      return planTags(reader, request);
    case "namePreview":
      return planNamePreview(reader, request);
    case "relationships":
      return planRelationships(reader, request);
    case "elementList":
      return planElementList(reader, request);
    case "elementIds":
      return planElementIds(reader, request);
    case "elementMetrics":
      return planElementMetrics(reader, request);
    case "acrossElements":
      return planAcross(reader, request);
    case "aggregateStatistics":
      return planAggregateStatistics(reader, request);
    default:
      return unreachable(kind);
  }
}
function answerAboutElements(reader, { plan, tenant, open }) {
  const { question } = plan;
  switch (question.kind) {
    case "names":
      return answerNames(reader, question);
    case "tags":
      return answerTags(reader, question);
    case "namePreview":
      return answerNamePreview(reader, question);
    case "relationships":
      return answerRelationships(reader, { plan: { ...plan, question }, tenant, open });
    case "elementList":
      return answerElementList(reader, { plan: { ...plan, question }, tenant, open });
    case "elementIds":
      return answerElementIds(reader, { plan: { ...plan, question }, tenant, open });
    case "elementMetrics":
      return answerElementMetrics(reader, { ...plan, question }, open);
    case "acrossElements":
      return answerAcross(reader, { ...plan, question }, open);
    case "aggregateStatistics":
      return answerAggregateStatistics(reader, { ...plan, question }, open);
    default:
      return unreachable(question);
  }
}

// src/query/fqns.ts
function planFqns(request) {
  const problems = new Problems();
  const params = new Parameters(request.params, problems);
  const tagValues = (name) => readTagValues(name, params.texts(name), problems);
  const names = (name) => /* @__PURE__ */ new Set([...params.many(name), ...params.texts(name)]);
  const question = {
    kind: "fqns",
    elements: [...params.many("elementId"), ...params.many("elementFqn")],
    elementNames: names("elementName"),
    elementTypes: names("elementType"),
    metricFqns: params.many("metricFqn"),
    elementAttributes: tagValues("elementAttribute"),
    elementTags: tagValues("elementTag"),
    metricTags: tagValues("metricTag")
  };
  problems.throwIfAny();
  return withoutSamples(question);
}
function answerFqns(reader, tenant, question) {
  const { catalogue } = reader.store;
  const names = hasConditions(question) ? matchingNames(reader, tenant, question) : new Set(namesOfTenant(reader, tenant));
  const isListed = notDeleted(reader);
  const fqns = [...names].filter((name) => someSeries(reader, name, isListed)).map((name) => catalogue.name(name).fqn);
  return encodeJson(JSON.stringify({ fqns: fqns.sort() }));
}
function hasConditions(question) {
  const { elements, metricFqns, metricTags: metricTags2 } = question;
  return elements.length + metricFqns.length + metricTags2.size > 0 || needsElements(question);
}
function needsElements(question) {
  const { elementNames, elementTypes, elementAttributes, elementTags: elementTags2 } = question;
  return [elementNames, elementTypes, elementAttributes, elementTags2].some(({ size }) => size > 0);
}
function matchingNames(reader, tenant, question) {
  const { catalogue } = reader.store;
  const names = /* @__PURE__ */ new Set();
  for (const fqn of question.metricFqns) names.add(reader.identity.findName(tenant, fqn));
  for (const element of matchingElements(reader, tenant, question)) {
    for (const series of catalogue.elementSeries(element)) names.add(catalogue.seriesName(series));
  }
  names.delete(-1);
  if (question.metricTags.size === 0) return names;
  const matches = taggedTest(reader, question.metricTags);
  for (const name of namesOfTenant(reader, tenant)) {
    if (!names.has(name) && someSeries(reader, name, matches)) names.add(name);
  }
  return names;
}
function* matchingElements(reader, tenant, question) {
  for (const id of question.elements) {
    const element = reader.identity.findElement(tenant, id);
    if (element >= 0) yield element;
  }
  if (!needsElements(question)) return;
  const { catalogue } = reader.store;
  for (let element = 0; element < catalogue.elementCount; element++) {
    if (catalogue.elementTenant(element) !== tenant || catalogue.isDeleted(element)) continue;
    if (matchesElement(catalogue.elementInfo(element), question)) yield element;
  }
}
function matchesElement(info, question) {
  return question.elementTypes.has(info.type) || question.elementNames.has(info.name) || hasAny(elementTags(info), question.elementTags) || hasAny(info.attributes, question.elementAttributes);
}
function someSeries({ store }, name, matches) {
  return store.catalogue.blocksOfName(name).some((block) => store.catalogue.blockSeries(block).some((one) => one >= 0 && matches(one)));
}
function notDeleted({ store }) {
  const { catalogue } = store;
  return (series) => !catalogue.isDeleted(catalogue.seriesElement(series));
}
function taggedTest(reader, wanted) {
  const { catalogue } = reader.store;
  const isListed = notDeleted(reader);
  const isTagged = remembered(
    [(definition) => hasAny(metricTags(catalogue.definition(definition)), wanted)],
    catalogue.definitionCount
  );
  return (series) => isTagged(catalogue.seriesDefinitionIndex(series)) && isListed(series);
}
function hasAny(pairs2, wanted) {
  return wanted.size > 0 && pairs2.some(({ name, value: value2 }) => wanted.get(name)?.has(value2));
}

// src/query/identity.ts
var metricIdsMaxDefault = 65536;
var Identity = class {
  catalogue;
  tenantUuid;
  metricIdsMax;
  elementIds = /* @__PURE__ */ new Map();
  metricIds = /* @__PURE__ */ new Map();
  indexes = /* @__PURE__ */ new Map();
  constructor(catalogue, tenantUuid, metricIdsMax = metricIdsMaxDefault) {
    this.catalogue = catalogue;
    this.tenantUuid = tenantUuid;
    this.metricIdsMax = metricIdsMax;
  }
  elementId(element) {
    const known = this.elementIds.get(element);
    if (known !== void 0) return known;
    const id = this.computeElementId(element);
    this.elementIds.set(element, id);
    return id;
  }
  metricId(series) {
    const known = this.metricIds.get(series);
    if (known !== void 0) return known;
    if (this.metricIds.size >= this.metricIdsMax) {
      this.metricIds.delete(this.metricIds.keys().next().value);
    }
    const id = this.computeMetricId(series);
    this.metricIds.set(series, id);
    return id;
  }
  /** As `metricId`, for scans: neither kept nor looked up. */
  computeMetricId(series) {
    const catalogue = this.catalogue();
    const element = catalogue.seriesElement(series);
    return metricUuid(
      this.tenantUuid(catalogue.elementTenant(element)),
      catalogue.elementFqn(element),
      catalogue.name(catalogue.seriesName(series)).fqn
    );
  }
  /**
   * The element of a tenant that has this UUID or FQN, cleaned or not; -1 where none has, or it was
   * deleted.
   */
  findElement(tenant, idOrFqn) {
    const element = this.findKnown(tenant, idOrFqn);
    return element >= 0 && this.catalogue().isDeleted(element) ? -1 : element;
  }
  findKnown(tenant, idOrFqn) {
    const byId = isUuid(idOrFqn) ? this.findElementById(tenant, idOrFqn) : -1;
    if (byId >= 0) return byId;
    const exact = this.catalogue().findElement(tenant, idOrFqn);
    return exact >= 0 ? exact : this.catalogue().findElement(tenant, cleanFqn(idOrFqn));
  }
  /** The metric name of a tenant that is this FQN, cleaned or not; -1 where none is. */
  findName(tenant, fqn) {
    const exact = this.catalogue().findName(tenant, fqn);
    return exact >= 0 ? exact : this.catalogue().findName(tenant, cleanFqn(fqn));
  }
  /** The series of an element whose metric has this UUID or FQN; -1 where none has. */
  findMetric(element, idOrFqn) {
    const catalogue = this.catalogue();
    if (isUuid(idOrFqn)) {
      const id = idOrFqn.toLowerCase();
      const found = catalogue.elementSeries(element).find((series) => this.metricId(series) === id);
      if (found !== void 0) return found;
    }
    const name = this.findName(catalogue.elementTenant(element), idOrFqn);
    return name < 0 ? -1 : catalogue.findSeries(element, name);
  }
  findElementById(tenant, uuid3) {
    let index = this.indexes.get(tenant);
    if (index === void 0) {
      index = { elementsById: /* @__PURE__ */ new Map(), read: 0 };
      this.indexes.set(tenant, index);
    }
    const catalogue = this.catalogue();
    for (; index.read < catalogue.elementCount; index.read++) {
      if (catalogue.elementTenant(index.read) !== tenant) continue;
      index.elementsById.set(this.elementId(index.read), index.read);
    }
    return index.elementsById.get(uuid3.toLowerCase()) ?? -1;
  }
  computeElementId(element) {
    const catalogue = this.catalogue();
    const tenantUuid = this.tenantUuid(catalogue.elementTenant(element));
    return elementUuid(tenantUuid, catalogue.elementFqn(element));
  }
};

// src/query/metric-ids.ts
var empty = -1;
var MetricIds = class {
  catalogue;
  identity;
  heads = new Uint32Array(0);
  slots = new Int32Array(1024).fill(empty);
  read = 0;
  constructor(catalogue, identity) {
    this.catalogue = catalogue;
    this.identity = identity;
  }
  /** The metric of a tenant with this id, in lower case; -1 where there is none. */
  find(tenant, id) {
    const head = headOf(id);
    if (Number.isNaN(head)) return -1;
    this.update();
    const catalogue = this.catalogue();
    const mask = this.slots.length - 1;
    for (let slot = head & mask; this.slots[slot] !== empty; slot = slot + 1 & mask) {
      const series = this.slots[slot];
      if (this.heads[series] !== head || this.identity.computeMetricId(series) !== id) continue;
      return catalogue.elementTenant(catalogue.seriesElement(series)) === tenant ? series : -1;
    }
    return -1;
  }
  /** The series in order of their ids. */
  ordered(series) {
    this.update();
    const { heads } = this;
    const idOf = (one) => this.identity.computeMetricId(one);
    return series.slice().sort((left, right) => {
      const difference = heads[left] - heads[right];
      if (difference !== 0 || left === right) return difference;
      return idOf(left) < idOf(right) ? -1 : 1;
    });
  }
  /** Reads the metrics that came since. */
  update() {
    const { seriesCount } = this.catalogue();
    if (this.read === seriesCount) return;
    this.reserve(seriesCount);
    for (; this.read < seriesCount; this.read++) {
      this.heads[this.read] = headOf(this.identity.computeMetricId(this.read));
      this.insert(this.read);
    }
  }
  reserve(count) {
    if (count > this.heads.length) {
      const heads = new Uint32Array(Math.ceil(count * 1.25));
      heads.set(this.heads);
      this.heads = heads;
    }
    if (2 * count <= this.slots.length) return;
    let size = this.slots.length;
    while (size < 2 * count) size *= 2;
    this.slots = new Int32Array(size).fill(empty);
    for (let series = 0; series < this.read; series++) this.insert(series);
  }
  insert(series) {
    const mask = this.slots.length - 1;
    let slot = this.heads[series] & mask;
    while (this.slots[slot] !== empty) slot = slot + 1 & mask;
    this.slots[slot] = series;
  }
};
function headOf(id) {
  return Number.parseInt(id.slice(0, 8), 16);
}

// src/query/metric-query.ts
function planMetricQuery(reader, request) {
  const problems = new Problems();
  const body = readMetricQueryBody(request.body, problems);
  const span = body === null ? null : readDates(body, request.nowMs, problems);
  problems.throwIfAny();
  assert(body !== null, "Expected a body without problems to be read");
  const { filter, sort: sort2, page, pageSize, fields: fields5 } = body;
  const planned = planSeries(reader, request.tenant, { filter, span });
  const question = { ...planned.question, sort: sort2, page, pageSize, fields: fields5 };
  return { ...planned, question: { kind: "metricQuery", ...question } };
}
function answerMetricQuery(reader, asked) {
  const { question } = asked.plan;
  const found = soughtSeries(reader, asked.tenant, asked);
  const { page, pageSize, fields: fields5 } = question;
  const content = Array.from(
    metricPage(reader, found, question),
    (one) => metricDocument(metricSubject(reader, one), fields5)
  );
  return printPage({ content, total: found.size, page, pageSize });
}
function planMetrics(reader, request) {
  const problems = new Problems();
  const asked = askedWindow(new Parameters(request.params, problems));
  const span = readDay(asked, request.nowMs, problems);
  problems.throwIfAny();
  const planned = planSeries(reader, request.tenant, { filter: {}, span });
  return { ...planned, question: { kind: "metrics", ...planned.question } };
}
function answerMetrics(reader, asked) {
  const found = soughtSeries(reader, asked.tenant, asked);
  if (found.size > listedMetricsMax) {
    throw invalid(
      `startTime: ${found.size} metrics had data since, more than ${listedMetricsMax}: ask POST /metrics/search/metricQuery, which answers a page at a time`
    );
  }
  const metrics = Array.from(found.toArray(), (one) => metricDocument(metricSubject(reader, one)));
  return encodeJson(JSON.stringify({ metrics }));
}
function planMetricAgg(reader, request) {
  const problems = new Problems();
  const term = new Parameters(request.params, problems).one("term") ?? "";
  if (term !== "fqn") problems.add(`term: expected fqn, the only option, got ${shown(term)}`);
  const body = readAggregationBody(request.body, problems);
  const span = body === null ? null : readDates(body, request.nowMs, problems);
  problems.throwIfAny();
  assert(body !== null, "Expected a body without problems to be read");
  const { filter, sort: sort2 } = body;
  const planned = planSeries(reader, request.tenant, { filter, span });
  return { ...planned, question: { kind: "metricAgg", ...planned.question, sort: sort2 } };
}
function answerMetricAgg(reader, asked) {
  const { catalogue } = reader.store;
  const counts = new Int32Array(catalogue.nameCount);
  soughtSeries(reader, asked.tenant, asked).forEach((series) => {
    counts[catalogue.seriesName(series)]++;
  });
  const values = [];
  for (const [name, count] of counts.entries()) {
    if (count > 0) values.push({ fieldValue: catalogue.name(name).fqn, count });
  }
  return printAggregations(values, asked.plan.question.sort ?? byValue2);
}
var byValue2 = { field: "fieldValue", descending: false };

// src/query/rehearsal.ts
var rounds = 3;
var elementsMax = 256;
var elementsByIdMax = 5e4;
var twoWeeksMs = 14 * dayMs;
function rehearsalOf(reader, nowMs) {
  const { catalogue } = reader.store;
  if (catalogue.seriesCount === 0) return [];
  const { tenant, fqn } = catalogue.name(catalogue.seriesName(catalogue.seriesCount - 1));
  const elements = newestElements(reader);
  const one = elements.slice(-1);
  const yesterdayMs = Math.floor(nowMs / dayMs - 1) * dayMs;
  const ask = (resolution, startMs, body) => {
    const window = { startTime: [iso(startMs)], endTime: [iso(nowMs)] };
    const params = { fqn: [fqn], rollup: [resolution], ...window };
    return { kind: "statistics", tenant, params, body, nowMs };
  };
  const across = {
    metricFqns: exactly2([fqn]),
    elementIds: exactly2(elements),
    startDate: iso(yesterdayMs),
    endDate: iso(nowMs)
  };
  const round = [
    ask("PT5M", nowMs - twoWeeksMs, one),
    ask("PT5M", yesterdayMs, elements),
    { kind: "acrossElements", tenant, params: { jobId: [""] }, body: across, nowMs },
    ask("ZERO", nowMs - twoWeeksMs, one)
  ];
  return Array.from({ length: rounds }, () => round).flat();
}
function newestElements({ store, identity }) {
  const { catalogue } = store;
  const byId = catalogue.elementCount <= elementsByIdMax;
  return Array.from(catalogue.blockSeries(catalogue.seriesBlock(catalogue.seriesCount - 1))).filter((series) => series >= 0).slice(-elementsMax).map((series) => catalogue.seriesElement(series)).map((element) => byId ? identity.elementId(element) : catalogue.elementFqn(element));
}
function exactly2(items) {
  const match = { literal: true, contains: true, queryType: "EXACT" };
  return { and: false, items: items.map((item) => ({ item, ...match })) };
}
function iso(ms) {
  return new Date(ms).toISOString();
}

// src/query/samples.ts
function planSamples(reader, request) {
  const problems = new Problems();
  const params = new Parameters(request.params, problems);
  const question = {
    kind: "samples",
    span: readWindow(askedWindow(params), request.nowMs, problems),
    resolution: params.rollup(),
    fields: readFields2(params.many("aggregations"), problems),
    withSummary: params.flag("ui")
  };
  problems.throwIfAny();
  return {
    series: Int32Array.of(namedSeries(reader, namedElement(reader, request), request)),
    span: openSpan(question.span),
    question
  };
}
function answerSamples(reader, { series, question }, open) {
  const { span, resolution, fields: fields5 } = question;
  const records = reader.store.samples(series[0], { span, resolution }, open);
  if (records.length > valuesPerAnswerMax) {
    throw invalid(
      `startTime: the window holds ${records.length} samples, more than ${valuesPerAnswerMax}: ask for a shorter window or a coarser rollup`
    );
  }
  return printSamplesResult({
    metricId: reader.identity.metricId(series[0]),
    resolution,
    samples: fields5 === null ? records : records.flatMap((record3) => chosen(record3, question)),
    ...question.withSummary ? { summary: summary2(records, resolution) } : {}
  });
}
function readFields2(asked, problems) {
  const fields5 = asked.flatMap((text3) => {
    const field = recordFields.find((one) => one.toLowerCase() === text3.toLowerCase());
    if (field !== void 0) return field;
    const accepted = recordFields.map((one) => one.toUpperCase()).join(", ");
    problems.add(`aggregations: expected one of ${accepted}, got ${shown(text3)}`);
    return [];
  });
  return fields5.length === 0 ? null : fields5;
}
function chosen(record3, question) {
  const data = {};
  for (const field of question.fields ?? []) {
    const value2 = field === "actual" ? actualOf(record3, question.resolution) : record3.fields[field];
    if (value2 !== void 0) data[field] = value2;
  }
  return Object.keys(data).length === 0 ? [] : { timeMs: record3.timeMs, fields: data };
}
function actualOf({ fields: fields5 }, resolution) {
  if (resolution !== "ZERO") return fields5.actual;
  let mask = 0;
  for (const [bit, field] of sampleFields.entries()) {
    if (fields5[field] !== void 0) mask |= 1 << bit;
  }
  const sent = sampleFields.map((field) => fields5[field] ?? 0);
  return mask === 0 ? void 0 : sampleMean(mask, sent);
}
function summary2(records, resolution) {
  let count = 0;
  let sum = 0;
  let min = Infinity;
  let max = -Infinity;
  for (const record3 of records) {
    const value2 = actualOf(record3, resolution);
    if (value2 === void 0) continue;
    count++;
    sum += value2;
    min = Math.min(min, value2);
    max = Math.max(max, value2);
  }
  if (count === 0) return { min: null, avg: null, max: null, sum: null };
  return { min, avg: sum / count, max, sum };
}

// src/wire/element-ids-body.ts
import * as v6 from "valibot";
var elementIdsBody = v6.array(textValue, "a JSON array of element ids");
function readElementIds(raw, problems) {
  return readWith(elementIdsBody, raw, { path: "body", problems });
}

// src/query/sharing.ts
import { MessageChannel, receiveMessageOnPort } from "node:worker_threads";
var free = 0;
var asker = 1;
function shareOut(parts, helpers) {
  const state = new Int32Array(new SharedArrayBuffer(parts * Int32Array.BYTES_PER_ELEMENT));
  const channels = Array.from({ length: helpers }, () => new MessageChannel());
  return {
    sharing: { state, ports: channels.map(({ port1 }) => port1) },
    sides: channels.map(({ port2 }, i) => ({ state, thread: asker + 1 + i, port: port2 }))
  };
}
function giveBack(state, thread) {
  for (let part = 0; part < state.length; part++) {
    Atomics.compareExchange(state, part, thread, free);
    Atomics.notify(state, part);
  }
}
var patienceMsMin = 5;
function doParts(parts, work, { state, ports }, elapsedMs) {
  const results = /* @__PURE__ */ new Map();
  let longestMs = 0;
  const doPart = (part) => {
    const startedMs = elapsedMs();
    results.set(part, work(parts[part]));
    longestMs = Math.max(longestMs, elapsedMs() - startedMs);
  };
  try {
    takeParts(state, asker, doPart);
    for (let part = 0; part < parts.length; part++) {
      const patienceMs = longestMs === 0 ? Infinity : Math.max(longestMs, patienceMsMin);
      const isLate = !waitFor(state, part, patienceMs);
      if (isLate || take(state, part, asker)) doPart(part);
      const by = -Atomics.load(state, part);
      while (!results.has(part)) receive(ports[by - asker - 1], results);
    }
    return parts.map((_2, part) => results.get(part));
  } finally {
    for (let part = 0; part < parts.length; part++) take(state, part, asker);
    for (const port of ports) port.close();
  }
}
function waitFor(state, part, patienceMs) {
  for (let by; (by = Atomics.load(state, part)) > asker; ) {
    if (Atomics.wait(state, part, by, patienceMs) === "timed-out") return false;
  }
  return true;
}
function helpWithParts(parts, work, { state, thread, port }) {
  try {
    takeParts(state, thread, (part) => {
      const done = { part, result: work(parts[part]) };
      port.postMessage(done);
      Atomics.store(state, part, -thread);
      Atomics.notify(state, part);
    });
  } catch {
    giveBack(state, thread);
  }
}
function takeParts(state, thread, work) {
  for (let part = 0; part < state.length; part++) if (take(state, part, thread)) work(part);
}
function take(state, part, thread) {
  return Atomics.compareExchange(state, part, free, thread) === free;
}
function receive(port, results) {
  const { part, result } = receiveMessageOnPort(port).message;
  results.set(part, result);
}

// src/query/spread.ts
var blockDayMs = {
  ZERO: 2.4,
  PT5M: 3,
  PT1H: 0.4,
  PT24H: 0.03
};
function spreadOf(reader, asked) {
  const { span, resolution } = asked;
  if (asked.withValues && valuesMax(asked) > valuesPerAnswerMax) return void 0;
  const costMs = blockDayMs[resolution] * Math.ceil((span.endMs - span.startMs) / dayMs);
  const parts = partsOf2(reader, asked.series, reader.partMs / costMs);
  if (parts.length < 2) return void 0;
  return { parts, places: carryPlaces(reader.store.catalogue, asked.series) };
}
function valuesMax({ series, span, resolution }) {
  if (resolution === "ZERO") return Infinity;
  return series.length * (Math.ceil((span.endMs - span.startMs) / bucketWidthMs[resolution]) + 1);
}
function partsOf2({ store }, series, blocks) {
  const byBlock = /* @__PURE__ */ new Map();
  for (const one of series) {
    const block = store.catalogue.seriesBlock(one);
    const found = byBlock.get(block);
    if (found === void 0) byBlock.set(block, [one]);
    else found.push(one);
  }
  const lists = [...byBlock.values()];
  const step = Math.min(Math.max(1, Math.ceil(blocks)), Math.max(1, lists.length));
  const count = Math.ceil(lists.length / step);
  return Array.from({ length: count }, (_2, i) => {
    return Int32Array.from(lists.slice(i * step, (i + 1) * step).flat());
  });
}

// src/query/statistics.ts
function planStatistics(reader, request) {
  const problems = new Problems();
  const question = readQuestion(request, problems);
  const elements = readElements(request.body, problems);
  problems.throwIfAny();
  const name = reader.identity.findName(request.tenant, question.metricFqn);
  const series = Int32Array.from(name < 0 ? [] : seriesOf2(reader, name, elements));
  if (series.length > statisticsSeriesMax) {
    throw invalid(
      `fqn: ${shown(question.metricFqn)} is a metric of ${series.length} elements, more than ${statisticsSeriesMax}: name the elements in the body of a POST`
    );
  }
  return {
    series,
    span: series.length === 0 ? null : openSpan(question.span),
    spread: spreadOf(reader, { ...question, series, withValues: hasValues(question) }),
    question
  };
}
function answerStatistics(reader, { series, spread, question }, { open, sharing }) {
  const { span, metricFqn: metricFqn2 } = question;
  const empty2 = series.length === 0 || span.startMs === span.endMs;
  const work = statisticsOfPart(reader.store, question, open);
  const alone = spread === void 0 || sharing === null;
  const told3 = empty2 ? [] : alone ? [work(series)] : doParts(spread.parts, work, sharing, reader.elapsedMs);
  refuseTooMany3(told3);
  const texts2 = /* @__PURE__ */ new Map();
  for (const part of told3) part.series.forEach((one, i) => texts2.set(one, part.texts[i]));
  const metrics = Array.from(series).flatMap((one) => {
    const text3 = texts2.get(one);
    return text3 === void 0 ? [] : [{ ...idsOf2(reader, one), text: text3 }];
  });
  return printStatisticsResult({ metricFqn: metricFqn2, span, metrics });
}
function statisticsOfPart(store, question, open) {
  const { span, resolution, exact } = question;
  const printing = new StatisticsTexts();
  const withValues2 = hasValues(question);
  return (series) => {
    const found = store.statistics({ series, span, resolution, withValues: withValues2, exact }, open);
    const values = found.reduce((sum, one) => sum + (one.values?.length ?? 0), 0);
    if (values > valuesPerAnswerMax) return { values, series: new Int32Array(0), texts: [] };
    return {
      values,
      series: Int32Array.from(found, (one) => one.series),
      texts: found.map((one) => text2(printing, one, question))
    };
  };
}
function hasValues({ showValues, showTimestamps }) {
  return showValues || showTimestamps;
}
function readQuestion(request, problems) {
  const params = new Parameters(request.params, problems);
  const metricFqn2 = params.one("fqn");
  if (metricFqn2 === void 0) problems.add("fqn: expected a metric FQN, got none");
  return {
    kind: "statistics",
    metricFqn: metricFqn2 ?? "",
    span: readWindow(askedWindow(params), request.nowMs, problems),
    resolution: params.rollup(),
    showValues: params.flag("showValues"),
    showTimestamps: params.flag("showTimestamps"),
    exact: params.flag("exact")
  };
}
function readElements(body, problems) {
  if (body === void 0 || body === null) return null;
  return readElementIds(body, problems) ?? [];
}
function seriesOf2(reader, name, elements) {
  const { catalogue } = reader.store;
  const series = [];
  if (elements === null) {
    for (const block of catalogue.blocksOfName(name)) {
      for (const one of catalogue.blockSeries(block)) {
        if (one >= 0 && !catalogue.isDeleted(catalogue.seriesElement(one))) series.push(one);
      }
    }
  } else {
    const { tenant } = catalogue.name(name);
    const found = new Set(elements.map((id) => reader.identity.findElement(tenant, id)));
    for (const element of found) {
      const one = element < 0 ? -1 : catalogue.findSeries(element, name);
      if (one >= 0) series.push(one);
    }
  }
  return series.sort((a, b) => catalogue.seriesElement(a) - catalogue.seriesElement(b));
}
function idsOf2({ identity, store }, series) {
  return {
    elementId: identity.elementId(store.catalogue.seriesElement(series)),
    metricId: identity.metricId(series)
  };
}
function text2(printing, { statistics: statistics3, values, timesMs }, { showValues, showTimestamps }) {
  return printing.print({
    statistics: statistics3,
    ...showValues && values !== void 0 ? { values } : {},
    ...showTimestamps && timesMs !== void 0 ? { timesMs } : {}
  });
}
function refuseTooMany3(told3) {
  const values = told3.reduce((sum, part) => sum + part.values, 0);
  if (values > valuesPerAnswerMax) {
    throw invalid(
      `showValues: the window holds ${values} values, more than ${valuesPerAnswerMax}: ask for fewer elements, a shorter window or a coarser rollup`
    );
  }
}

// src/query/vocabulary.ts
var elementTermNames = Object.keys(elementTerms);
var sampleFieldNames = recordFields.map((field) => field.toUpperCase());

// src/query/query.ts
function mayHaveOpen(plan) {
  return plan.span !== null && plan.series.length > 0;
}
var Query = class {
  reader;
  /**
   * `tenantUuid`: the UUID of a tenant by its index, from which all ids are computed. `elapsedMs`:
   * monotonic milliseconds, for durations only.
   */
  constructor(deps) {
    const identity = new Identity(() => deps.store.catalogue, deps.tenantUuid);
    const metricIds = new MetricIds(() => deps.store.catalogue, identity);
    this.reader = { partMs: Infinity, ...deps, identity, metricIds };
  }
  /**
   * Plans, and answers at once where nobody else has a part in it: the way to the main thread and
   * back would be a fair part of a short answer. `others` as of a time before this call. Throws as
   * `plan` and `answer` do.
   */
  ask(request, { areOpen, mayShare }) {
    const plan = this.plan(request);
    const isOpen = areOpen && mayHaveOpen(plan);
    const isShared = mayShare && plan.spread !== void 0;
    return isOpen || isShared ? { plan } : { bytes: this.answer(plan, null) };
  }
  /**
   * Reads a request and finds what it is about, as of now. Throws `invalid` with everything that is
   * wrong with it, or `missing` where it names one thing that does not exist.
   */
  plan(request) {
    this.reader.store.refresh();
    const { kind, tenant, nowMs } = request;
    return { ...this.planned(request), request: { kind, tenant, nowMs } };
  }
  /**
   * Finished JSON, UTF-8. `open`: the writer's unfolded samples of `plan.series` in `plan.span`,
   * asked after `plan` and before this call; null where there are none. `sharing`: by whom a plan
   * with a spread is answered, too; it need not come in time, and changes no byte. Throws `invalid`
   * where the answer would be over a named limit.
   */
  answer(plan, open, sharing = null) {
    const { reader } = this;
    reader.store.refresh();
    const { question } = plan;
    const { tenant } = plan.request;
    switch (question.kind) {
      case "statistics":
        return answerStatistics(reader, { ...plan, question }, { open, sharing });
      case "samples":
        return answerSamples(reader, { ...plan, question }, open);
      case "metricQuery":
        return answerMetricQuery(reader, { plan: { ...plan, question }, tenant, open });
      case "metrics":
        return answerMetrics(reader, { plan: { ...plan, question }, tenant, open });
      case "metricAgg":
        return answerMetricAgg(reader, { plan: { ...plan, question }, tenant, open });
      case "elementQuery":
        return answerElementQuery(reader, { plan: { ...plan, question }, tenant, open });
      case "elementAgg":
        return answerElementAgg(reader, { plan: { ...plan, question }, tenant, open });
      case "fqns":
        return answerFqns(reader, plan.request.tenant, question);
      case "element":
        return answerElement(reader, question);
      case "elementFacts":
        return answerElementFacts(reader, question);
      case "scopes":
        return answerScopes(reader, question);
      default:
        return answerAboutElements(reader, { plan: { ...plan, question }, tenant, open });
    }
  }
  /**
   * Asks one of the questions of a rehearsal, by its number from 0. Gives its plan, in one part,
   * for those who help; null where there is no such question. Throws as a question does.
   */
  rehearse(step, nowMs) {
    this.reader.store.refresh();
    const request = rehearsalOf(this.reader, nowMs)[step];
    if (request === void 0) return null;
    const plan = this.plan(request);
    this.answer(plan, null);
    const { series } = plan;
    return {
      ...plan,
      spread: { parts: [series], places: carryPlaces(this.reader.store.catalogue, series) }
    };
  }
  planned(request) {
    switch (request.kind) {
      case "statistics":
        return planStatistics(this.reader, request);
      case "samples":
        return planSamples(this.reader, request);
      case "metricQuery":
        return planMetricQuery(this.reader, request);
      case "metrics":
        return planMetrics(this.reader, request);
      case "metricAgg":
        return planMetricAgg(this.reader, request);
      case "elementQuery":
        return planElementQuery(this.reader, request);
      case "elementAgg":
        return planElementAgg(this.reader, request);
      case "fqns":
        return planFqns(request);
      case "element":
        return planElement(this.reader, request);
      case "elementFacts":
        return planElementFacts(request);
      case "scopes":
        return planScopes(this.reader, request);
      default:
        return planAboutElements(this.reader, request.kind, request);
    }
  }
};

// src/accounts/tenant-directory.ts
var uuidBytes = 16;
var TenantDirectory = class {
  memory;
  bytes;
  known = [];
  constructor(memory = new SharedArrayBuffer(tenantsMax * uuidBytes)) {
    this.memory = memory;
    this.bytes = new Uint8Array(memory);
  }
  set(tenant, uuid3) {
    assert(tenant < tenantsMax, `Expected at most ${tenantsMax} tenants, got ${tenant}`);
    this.bytes.set(Buffer.from(uuid3.replaceAll("-", ""), "hex"), tenant * uuidBytes);
  }
  /** The UUID of a tenant that `set` named in any thread. */
  uuidOf(tenant) {
    const known = this.known[tenant];
    if (known !== void 0) return known;
    const start = tenant * uuidBytes;
    const hex = Buffer.from(this.bytes.slice(start, start + uuidBytes)).toString("hex");
    assert(/[1-9a-f]/.test(hex), `Expected a known tenant, got ${tenant}`);
    const uuid3 = hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
    this.known[tenant] = uuid3;
    return uuid3;
  }
};

// src/thread-priority.ts
import { readdirSync, readlinkSync } from "node:fs";
import { setPriority } from "node:os";
var niceness = 5;
var helperNiceness = 10;
function yieldToOthers() {
  try {
    const thread = Number(readlinkSync("/proc/thread-self").split("/").at(-1));
    if (Number.isInteger(thread) && thread > 0) setPriority(thread, niceness);
  } catch {
  }
}
var helperThreads = 5;
function lowerHelpers() {
  try {
    const threads = readdirSync("/proc/self/task").map(Number);
    const helpers = threads.filter((thread) => thread > process.pid).sort((a, b) => a - b);
    for (const thread of helpers.slice(0, helperThreads)) setPriority(thread, helperNiceness);
  } catch {
  }
}

// src/cycle/task.ts
var elementsPerPart = 16;
function partName(fromElement) {
  return String(fromElement);
}

// src/model/maintenance-tags.ts
var maintenanceStateTag = "n.state.maintenance";
var maintenanceEndTag = "n.state.maintenance_end";

// src/policy/maintenance.ts
var never = "-1";
function inMaintenance(serviceTags2, nowMs) {
  if (serviceTags2 === void 0 || serviceTags2.length === 0) return false;
  const valueOf2 = (wanted) => serviceTags2.find(({ name }) => name === wanted)?.value.trim();
  if (valueOf2(maintenanceStateTag)?.toLowerCase() !== "true") return false;
  const end = valueOf2(maintenanceEndTag);
  if (end === void 0 || end === never || !/^\d{1,16}$/.test(end)) return true;
  return nowMs < Number(end);
}

// src/policy/condition.ts
var ConditionMatcher = class {
  condition;
  isMeant;
  tags;
  constructor(condition) {
    this.condition = condition;
    this.isMeant = condition.wildcard === null ? null : findsIn(condition.wildcard);
    const tags = Object.entries(condition.metricScopeTags);
    this.tags = tags.map(([name, value2]) => ({ name: folded(name), value: folded(value2) }));
  }
  /** Whether it holds for some metric. */
  holds(cycle, back) {
    return this.places(cycle).some((place) => this.holdsFor(place, cycle, back));
  }
  /** The metrics that it is about. */
  places(cycle) {
    const { metric } = this.condition;
    if (this.isMeant === null) {
      const place = metric === null ? -1 : cycle.placeOf(metric);
      return place >= 0 && this.hasTags(place, cycle) ? [place] : [];
    }
    const places = [];
    cycle.metricFqns.forEach((fqn, place) => {
      if (this.isMeant(fqn) && this.hasTags(place, cycle)) places.push(place);
    });
    return places;
  }
  holdsFor(place, cycle, back) {
    const { analytic, operator } = this.condition;
    if (analytic === "actual" || analytic === "suddenDeviation") {
      const value3 = valueOf(analytic, { place, cycle, back });
      return compare(value3, operator, this.threshold(cycle, back));
    }
    const band = bandOf(analytic, { place, cycle, back });
    const value2 = cycle.actual(place, back);
    if (band === null || Number.isNaN(value2 + band.mean + band.stddev)) return false;
    return isOutside(operator, deviationOf(value2, band));
  }
  /** What a value is compared with; NaN where the other metric has none. */
  threshold(cycle, back) {
    const { level, metricThresholdLevel, metricThresholdAnalytic } = this.condition;
    if (!metricThresholdLevel) return level ?? NaN;
    const place = cycle.placeOf(metricThresholdLevel);
    if (place < 0) return NaN;
    return valueOf(metricThresholdAnalytic ?? "actual", { place, cycle, back });
  }
  hasTags(place, cycle) {
    if (this.tags.length === 0) return true;
    const known = cycle.tagsOf(place);
    return this.tags.every(
      ({ name, value: value2 }) => known.some((tag) => folded(tag.name) === name && folded(tag.value) === value2)
    );
  }
};
function valueOf(analytic, moment) {
  const { place, cycle, back } = moment;
  if (analytic === "actual") return cycle.actual(place, back);
  if (analytic === "suddenDeviation") return cycle.sudden(place, back)?.percent ?? NaN;
  return bandOf(analytic, moment)?.mean ?? NaN;
}
function bandOf(analytic, { place, cycle, back }) {
  return analytic === "baselineDeviation" ? cycle.baseline(place, back) : cycle.contextual(place, back);
}
function compare(value2, operator, threshold) {
  if (Number.isNaN(value2) || Number.isNaN(threshold)) return false;
  if (operator === ">") return value2 > threshold;
  if (operator === ">=") return value2 >= threshold;
  if (operator === "<") return value2 < threshold;
  if (operator === "<=") return value2 <= threshold;
  if (operator === "==") return value2 === threshold;
  return operator === "!=" && value2 !== threshold;
}
function isOutside(operator, way) {
  if (operator === ">") return way === "upper";
  if (operator === "<") return way === "lower";
  return operator === "defined" === (way !== void 0);
}
function folded(text3) {
  return text3.toLowerCase();
}

// src/policy/event-condition.ts
var EventMatcher = class {
  tests;
  isAny;
  constructor({ eventConditions, anyCondition }) {
    this.tests = eventConditions.map(testOf);
    this.isAny = anyCondition;
  }
  matches(event) {
    return this.isAny ? this.tests.some((test) => test(event)) : this.tests.every((test) => test(event));
  }
  results(event) {
    const told3 = `The event "${event.title ?? ""}" of level ${event.level}`;
    const conditions = this.tests.map((test, index) => {
      const violating = test(event);
      const expression = `${told3} ${violating ? "meets" : "does not meet"} the event condition.`;
      return { id: String(index), violating, expression };
    });
    return { violating: this.matches(event), conditions, metrics: [] };
  }
};
function testOf({ messageRegex, titleRegex, sourceRegex, level }) {
  const tests = [];
  const add = (expression, textOf) => {
    if (expression === null) return;
    const finds = findsIn(expression);
    tests.push((event) => finds(textOf(event) ?? ""));
  };
  add(messageRegex, messageOf);
  add(titleRegex, ({ title }) => title);
  add(sourceRegex, ({ source }) => source);
  if (level !== null) tests.push((event) => event.level === level);
  return (event) => tests.every((test) => test(event));
}
function messageOf({ data }) {
  const message = data["message"];
  return typeof message === "string" ? message : null;
}

// src/policy/sentences.ts
var sentencesMax = 10;
function expressionOf(matcher, cycle, violating) {
  const places = matcher.places(cycle);
  if (places.length === 0) return `${nameOf2(matcher.condition)} has no such metric here.`;
  const holds = violating.length > 0;
  const told3 = holds ? violating : places;
  const sentences = told3.slice(0, sentencesMax).map((place) => sentenceOf(matcher, { place, cycle, holds }));
  const rest = told3.length - sentences.length;
  if (rest > 0) sentences.push(`The same goes for ${rest} more metrics.`);
  return sentences.join(" ");
}
function nameOf2({ metric, wildcard }) {
  return metric === null ? `The expression ${wildcard}` : `The metric ${metric}`;
}
function sentenceOf(matcher, told3) {
  const { place, cycle } = told3;
  const fqn = cycle.metricFqns[place];
  const value2 = cycle.actual(place, 0);
  if (Number.isNaN(value2)) return `The metric ${fqn} has no value in this cycle.`;
  const { analytic } = matcher.condition;
  if (analytic === "actual") {
    return `The current value of ${fqn} is ${value2}; this is ${comparison(matcher, told3)}.`;
  }
  if (analytic === "suddenDeviation") {
    const percent = valueOf(analytic, { place, cycle, back: 0 });
    if (Number.isNaN(percent)) return `The value of ${fqn} shows no sudden change.`;
    return `The current value of ${fqn} is ${value2}, a sudden change of ${shown2(percent)} percent; this is ${comparison(matcher, told3)}.`;
  }
  const isBaseline = analytic === "baselineDeviation";
  const band = isBaseline ? cycle.baseline(place, 0) : cycle.contextual(place, 0);
  const name = isBaseline ? "baseline" : "contextual";
  if (band === null) return `The current value of ${fqn} is ${value2}; it has no ${name} band yet.`;
  const where = whereabouts(matcher.condition.operator, told3.holds);
  return `The current value of ${fqn} is ${value2}; this is ${where} the ${name} band ${ends(band)}.`;
}
var words = {
  ">": "above",
  ">=": "at or above",
  "<": "below",
  "<=": "at or below",
  "==": "equal to",
  "!=": "different from"
};
function comparison(matcher, { cycle, holds }) {
  const { operator, metricThresholdLevel } = matcher.condition;
  const threshold = matcher.threshold(cycle, 0);
  const word = `${holds ? "" : "not "}${words[operator]}`;
  if (!metricThresholdLevel) return `${word} the static threshold of ${threshold}`;
  if (Number.isNaN(threshold)) return `not compared: ${metricThresholdLevel} has no value`;
  return `${word} the threshold of ${metricThresholdLevel}, ${shown2(threshold)}`;
}
function whereabouts(operator, holds) {
  if (operator === ">") return holds ? "above" : "not above";
  if (operator === "<") return holds ? "below" : "not below";
  return operator === "defined" === holds ? "outside of" : "inside of";
}
function ends({ mean, stddev }) {
  return `from ${shown2(mean - 4 * stddev)} to ${shown2(mean + 4 * stddev)}`;
}
function shown2(value2) {
  return String(Number(value2.toPrecision(6)));
}

// src/policy/policy-matcher.ts
var cycleSeconds = 300;
var PolicyMatcher = class {
  policy;
  scope;
  /** What is told from outside; null where the policy does not look at events. */
  events;
  /** Consecutive cycles in which the conditions must hold, this one included: 1 to 288. */
  cycles;
  conditions;
  constructor(policy) {
    this.policy = policy;
    this.scope = new ScopeMatcher(policy.scope);
    this.events = policy.eventConditions.length === 0 ? null : new EventMatcher(policy);
    this.cycles = Math.max(1, Math.ceil(policy.duration / cycleSeconds));
    this.conditions = policy.conditions.map((condition) => new ConditionMatcher(condition));
    assert(Number.isInteger(this.cycles), `Expected a duration in seconds, got ${policy.duration}`);
  }
  /** Whether cycles are looked at: a policy may have conditions on events or a check only. */
  get hasConditions() {
    return this.conditions.length > 0;
  }
  /** Whether its conditions hold in one cycle: all of them, or any. */
  holds(cycle, back = 0) {
    const { conditions } = this;
    if (conditions.length === 0) return false;
    if (this.policy.anyCondition) return conditions.some((one) => one.holds(cycle, back));
    return conditions.every((one) => one.holds(cycle, back));
  }
  /**
   * Whether they hold in this cycle and in all those before it that the duration asks for. The past
   * is looked at only where the present holds, and derived anew each time: nothing is remembered.
   */
  violates(cycle) {
    for (let back = 0; back < this.cycles; back++) {
      if (!this.holds(cycle, back)) return false;
    }
    return true;
  }
  /** What an event of the current cycle tells. */
  results(cycle) {
    const metrics = /* @__PURE__ */ new Set();
    const conditions = this.conditions.map((matcher, index) => {
      const places = matcher.places(cycle);
      const violating = places.filter((place) => matcher.holdsFor(place, cycle, 0));
      for (const place of violating) metrics.add(cycle.metricFqns[place]);
      return {
        id: String(index),
        violating: violating.length > 0,
        expression: expressionOf(matcher, cycle, violating)
      };
    });
    return { violating: this.holds(cycle), conditions, metrics: [...metrics] };
  }
};

// src/policy/pair-index.ts
var rememberedPairsMax = 65536;
var PairIndex = class {
  /** By the expression on the name. */
  groups = /* @__PURE__ */ new Map();
  known = /* @__PURE__ */ new Map();
  file({ name, value: value2 }, policy) {
    let group = this.groups.get(name);
    if (group === void 0) {
      group = { isName: findsIn(name), exact: /* @__PURE__ */ new Map(), others: [] };
      this.groups.set(name, group);
    }
    const literal2 = /^\^([\w ]+)\$$/.exec(value2)?.[1];
    if (literal2 === void 0) {
      group.others.push({ isValue: findsIn(value2), policy });
      return;
    }
    const key = inOneCase(literal2);
    const filed = group.exact.get(key);
    if (filed === void 0) group.exact.set(key, [policy]);
    else filed.push(policy);
  }
  /** Policies with an entry that the pair meets, and perhaps some others. */
  policiesOf({ name, value: value2 }) {
    if (this.groups.size === 0) return none;
    const key = `${name}\0${value2}`;
    let policies = this.known.get(key);
    if (policies === void 0) {
      if (this.known.size >= rememberedPairsMax) this.known.clear();
      policies = this.find(name, value2);
      this.known.set(key, policies);
    }
    return policies;
  }
  find(name, value2) {
    const found = [];
    for (const { isName, exact, others } of this.groups.values()) {
      if (!isName(name)) continue;
      pushAll(found, exact.get(inOneCase(value2)) ?? none);
      for (const { isValue, policy } of others) if (isValue(value2)) found.push(policy);
    }
    return found;
  }
};
var none = [];
function inOneCase(text3) {
  return text3.toUpperCase().toLowerCase();
}

// src/policy/scope-index.ts
var gramLength = 3;
var ScopeIndex = class {
  byFqn = /* @__PURE__ */ new Map();
  byType = /* @__PURE__ */ new Map();
  byTag = new PairIndex();
  byAttribute = new PairIndex();
  byGram = /* @__PURE__ */ new Map();
  others = [];
  /** `scopes` of the policies that are called by their place. */
  constructor(scopes) {
    scopes.forEach((scope2, policy) => this.file(scope2, policy));
  }
  /** The policies that may watch an element, each once, in ascending order. */
  candidates(subject) {
    const found = new Set(this.others);
    const add = (policies = []) => {
      for (const policy of policies) found.add(policy);
    };
    add(this.byFqn.get(subject.fqn));
    add(this.byType.get(subject.type));
    for (const tag of subject.tags) add(this.byTag.policiesOf(tag));
    for (const attribute2 of subject.attributes) add(this.byAttribute.policiesOf(attribute2));
    if (this.byGram.size > 0) {
      for (const gram of gramsOf(subject.name)) add(this.byGram.get(gram));
    }
    return [...found].sort((one, other) => one - other);
  }
  file(scope2, policy) {
    const { fqnIncludes, elementType, elementTypes, elementTags: elementTags2, elementAttributes } = scope2;
    const types = elementType ? [elementType] : elementTypes;
    if (fqnIncludes.length > 0) fileUnder(this.byFqn, fqnIncludes, policy);
    else if (types.length > 0) fileUnder(this.byType, types, policy);
    else if (elementTags2.length > 0) {
      filePairs(this.byTag, needed(elementTags2, scope2.elementTagsAll), policy);
    } else if (elementAttributes.length > 0) {
      filePairs(this.byAttribute, needed(elementAttributes, scope2.elementAttributesAll), policy);
    } else this.fileName(scope2, policy);
  }
  fileName({ elementName, elementNameRegex }, policy) {
    const gram = elementNameRegex ? void 0 : gramsOf(elementName ?? "").at(0);
    if (gram === void 0) this.others.push(policy);
    else fileUnder(this.byGram, [gram], policy);
  }
};
function needed(entries4, all2) {
  return all2 ? entries4.slice(0, 1) : entries4;
}
function filePairs(index, entries4, policy) {
  for (const entry of entries4) index.file(entry, policy);
}
function fileUnder(index, keys, policy) {
  for (const key of new Set(keys)) {
    const filed = index.get(key);
    if (filed === void 0) index.set(key, [policy]);
    else filed.push(policy);
  }
}
function gramsOf(text3) {
  const lower = text3.toLowerCase();
  const count = Math.max(0, lower.length - gramLength + 1);
  return Array.from({ length: count }, (_2, at) => lower.slice(at, at + gramLength));
}

// src/policy/policy-set.ts
var PolicySet = class _PolicySet {
  /** Those that are enabled and not deleted; called by their place below. */
  matchers;
  index;
  matcherById;
  watches = /* @__PURE__ */ new Map();
  /** Elements of one kind are watched by the same policies: each list is kept once. */
  lists = /* @__PURE__ */ new Map();
  /** Throws nothing: the policies were judged when they were stored. */
  constructor(policies) {
    const inForce = policies.filter(({ enabled, deleted }) => enabled && !deleted);
    this.matchers = inForce.map((policy) => new PolicyMatcher(policy));
    this.index = new ScopeIndex(inForce.map(({ scope: scope2 }) => scope2));
    this.matcherById = new Map(this.matchers.map((one) => [one.policy.id, one]));
  }
  /** The policies as they are stored: documents of the kind "policy:<tenant>". */
  static ofDocuments(stored) {
    const policies = Array.from(stored, ({ id, document }) => {
      return { ...document.body, id };
    });
    return new _PolicySet(policies);
  }
  byId(policyId) {
    return this.matcherById.get(policyId);
  }
  /** Whether an external event meets the event conditions of some policy, whatever its scope. */
  meetsSome(event) {
    return this.matchers.some(({ events }) => events?.matches(event));
  }
  /** The policies that watch an element, in ascending order. */
  watching(subject) {
    const candidates = this.index.candidates(subject);
    const found = candidates.filter((one) => this.matchers[one].scope.matches(subject));
    const key = found.join(" ");
    const known = this.lists.get(key);
    if (known !== void 0) return known;
    const list = Int32Array.from(found);
    this.lists.set(key, list);
    return list;
  }
  /**
   * The same, remembered for as long as `info` is the very same object: what the catalogue knows of
   * an element is replaced, never changed. `element` is its number in the catalogue.
   */
  policiesOf(element, info, subject) {
    const watch = this.watches.get(element);
    if (watch?.info === info) return watch.policies;
    const policies = this.watching(subject());
    this.watches.set(element, { info, policies });
    return policies;
  }
  /**
   * What the policies that are called by their places find in an element's cycle. `element` is
   * asked for only where one does. An element in maintenance is not brought here.
   */
  violations(policies, cycle, element) {
    const found = [];
    for (const place of policies) {
      const matcher = this.matchers[place];
      if (!matcher.hasConditions || !matcher.violates(cycle)) continue;
      const results = matcher.results(cycle);
      found.push({ policyId: matcher.policy.id, element: element(), results });
    }
    return found;
  }
};

export {
  record2 as record,
  optional2 as optional,
  orNull,
  listOf,
  oneOf,
  either,
  constant,
  text,
  number2 as number,
  wholeNumber2 as wholeNumber,
  flag,
  anything,
  uuid2 as uuid,
  instant,
  mapOf,
  textMap,
  told,
  metricRecord,
  foundMetricRecord,
  elementMetricRecord,
  tagMap,
  nameValueRecord,
  policyRecord,
  policyDocument,
  categoryRecord,
  eventRecord,
  categoryDocument,
  eventDocument,
  elementRecord,
  foundElementRecord,
  elementFieldNames,
  Parameters,
  parseJson,
  isScalar,
  checkKind,
  checkKey,
  checkUuid,
  aggregations,
  acrossAnswer,
  listGroup,
  mapGroup,
  querySchema,
  statistics,
  epochUnitProblem,
  askedWindow,
  readWindow,
  readInstant,
  elementScopeBody,
  statisticsRecord,
  metricStatisticsRecord,
  statisticsAnswer,
  aggregateStatisticsAnswer,
  pageAnswer,
  timedKind,
  timeText,
  keyAfter,
  sampleFieldsRecord,
  sampleRecord,
  samplesAnswer,
  samplesWithSummaryAnswer,
  metricMetaRecord,
  metricMetaAnswer,
  namePreviewBody,
  relationshipsAnswer,
  elementIdsBody,
  shareOut,
  giveBack,
  helpWithParts,
  statisticsOfPart,
  elementTermNames,
  sampleFieldNames,
  mayHaveOpen,
  Query,
  TenantDirectory,
  elementsPerPart,
  partName,
  PolicySet,
  maintenanceEndTag,
  inMaintenance,
  yieldToOthers,
  lowerHelpers
};
//# sourceMappingURL=chunk-JNOKX46Y.js.map
