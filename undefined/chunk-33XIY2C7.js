import {
  Problems,
  analytics,
  booleanValue,
  eventLevels,
  levelNumbers,
  levelOfWord,
  objectValue,
  openScope,
  operators,
  readWith,
  shown,
  textValue,
  wholeNumber
} from "./chunk-FNENV4GL.js";
import {
  atOnce,
  patternProblem
} from "./chunk-KPUJ7UZQ.js";
import {
  isUuid
} from "./chunk-QNSZFSTN.js";
import {
  ServiceError,
  invalid
} from "./chunk-BZJGDYVY.js";
import {
  smallestOf
} from "./chunk-BLE2ZYMV.js";
import {
  jsonDepthMax,
  patternCharactersMax,
  tagsPerEntityMax,
  textCharactersMax
} from "./chunk-5L33DSE6.js";

// src/packages/limits.ts
var mib = 1024 * 1024;
var archiveLimits = {
  entriesMax: 1e3,
  inflatedBytesMax: 64 * mib,
  entryBytesMax: 8 * mib,
  // JSON deflates to a tenth, deflate itself ends at 1 to 1,032.
  ratioMax: 100
};
var ratioFloorBytes = 4096;
var archiveBytesMax = 32 * mib;
var archivesAtOnceMax = 4;
var jsonFileBytesMax = 2 * mib;
var entryNameCharactersMax = 512;
var packagesMax = 500;
var problemsMax = 1e3;

// src/wire/records/fields.ts
import * as v from "valibot";
var propertiesMax = 500;
var propertyNameCharactersMax = 256;
var shortText = v.pipe(
  textValue,
  v.maxLength(textCharactersMax, `a text of at most ${textCharactersMax} characters`)
);
var nonEmptyText = v.pipe(shortText, v.trim(), v.nonEmpty("a text that is not empty"));
var anyAsText = v.pipe(
  v.union(
    [
      v.string(),
      v.number(),
      v.boolean(),
      v.null(),
      v.array(v.unknown()),
      v.record(v.string(), v.unknown())
    ],
    "any JSON value"
  ),
  v.transform((value) => {
    if (value === null || typeof value === "string") return value;
    return typeof value === "object" ? JSON.stringify(value) : String(value);
  })
);
var textMap = v.pipe(
  v.record(
    v.pipe(
      v.string(),
      v.maxLength(
        propertyNameCharactersMax,
        `a property name of at most ${propertyNameCharactersMax} characters`
      )
    ),
    anyAsText
  ),
  v.check(
    (properties) => Object.keys(properties).length <= propertiesMax,
    `at most ${propertiesMax} properties`
  )
);
var noArray = v.custom(() => false, "an object");
var propertiesValue = v.lazy(
  (raw) => Array.isArray(raw) && raw.length > 0 ? noArray : textMap
);
function readRecord(schema, raw) {
  const problems = new Problems();
  const record4 = readWith(schema, raw, { path: "", problems });
  problems.throwIfAny();
  return record4;
}
function uuidOf(text, field = "id") {
  if (!isUuid(text)) throw invalid(`${field}: expected a UUID, got ${shown(text)}`);
  return text.toLowerCase();
}
function numberIdOf(text, field = "id") {
  if (!/^\d{1,15}$/.test(text)) {
    throw invalid(`${field}: expected a whole number, got ${shown(text)}`);
  }
  return String(Number(text));
}

// src/wire/records/package-manifest-body.ts
import * as v2 from "valibot";
var filesMax = 1e3;
var wordsMax = 100;
var packageIdCharactersMax = 256;
var fileList = v2.nullish(
  v2.pipe(
    v2.array(
      objectValue({ data: objectValue({ file: nonEmptyText }) }),
      "an array of files, each as { data: { file } }"
    ),
    v2.maxLength(filesMax, `at most ${filesMax} files`)
  ),
  []
);
var words = v2.nullish(
  v2.union(
    [
      v2.pipe(v2.array(shortText, "an array of texts"), v2.maxLength(wordsMax, `at most ${wordsMax}`)),
      v2.pipe(
        shortText,
        v2.transform((word) => word === "" ? [] : [word])
      )
    ],
    `an array of at most ${wordsMax} texts`
  ),
  []
);
var person = v2.union(
  [
    v2.pipe(
      v2.string(),
      v2.maxLength(textCharactersMax),
      v2.transform((text) => {
        const [, name, email] = /^([^<]*)(?:<([^>]*)>)?/.exec(text);
        return { name: name.trim() || null, email: email?.trim() || null };
      })
    ),
    objectValue({
      name: v2.nullish(shortText, null),
      email: v2.nullish(shortText, null)
    })
  ],
  "an object with name and email"
);
var places = objectValue({
  logo: v2.nullish(shortText, null),
  download: v2.nullish(shortText, null)
});
var packageManifestBody = objectValue({
  id: v2.pipe(
    nonEmptyText,
    v2.regex(/^[A-Za-z0-9._-]+$/, "letters, digits, dots, hyphens and underscores"),
    v2.maxLength(packageIdCharactersMax, `at most ${packageIdCharactersMax} characters`)
  ),
  version: nonEmptyText,
  manifest: v2.nullish(
    objectValue({
      name: v2.nullish(shortText, null),
      description: v2.nullish(shortText, null),
      author: v2.nullish(person, null),
      distro: v2.nullish(places, null),
      compatibility: words,
      tags: words
    }),
    {}
  ),
  policies: fileList,
  analyticConfigurations: fileList,
  dashboards: fileList
});

// src/packages/manifest.ts
var manifestFile = "package.json";
var readmeFile = "README.md";
var assetKinds = ["policies", "analyticConfigurations", "dashboards"];
function readManifest(raw) {
  const { id, version, manifest, ...lists } = readRecord(packageManifestBody, raw);
  const files = (kind) => lists[kind].map(({ data }) => data.file.replace(/^\.\//, ""));
  return {
    packageId: id,
    version,
    name: manifest.name || id,
    description: manifest.description,
    authorName: manifest.author?.name ?? null,
    authorEmail: manifest.author?.email ?? null,
    logo: manifest.distro?.logo ?? null,
    download: manifest.distro?.download ?? null,
    compatibility: manifest.compatibility,
    tags: manifest.tags,
    files: {
      policies: files("policies"),
      analyticConfigurations: files("analyticConfigurations"),
      dashboards: files("dashboards")
    }
  };
}

// src/packages/findings.ts
var Findings = class {
  list = [];
  problems = 0;
  add(file, sentence) {
    if (this.problems++ < problemsMax) this.list.push({ file, sentence });
  }
  addAll(file, sentences) {
    for (const sentence of sentences) this.add(file, sentence);
  }
  /** For what may be meant as it is. */
  warn(file, sentence) {
    const warnings = this.list.length - Math.min(this.problems, problemsMax);
    if (warnings < problemsMax) this.list.push({ file, sentence, isWarning: true });
  }
  /** Throws `invalid` with one sentence a finding, where there is one that is no warning. */
  throwIfAny() {
    const problems = new Problems();
    for (const finding of this.list) if (!finding.isWarning) problems.add(findingText(finding));
    problems.throwIfAny();
  }
};
function findingText({ file, sentence }) {
  return file === null ? sentence : `${file}: ${sentence}`;
}
function pathOf(sentence) {
  return /^([^\s:]+): /.exec(sentence)?.[1] ?? null;
}
function reading(file, findings, read) {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== "invalid") throw error;
    findings.addAll(file, error.problems);
    return null;
  }
}

// src/base/json-depth.ts
var quote = 34;
var backslash = 92;
function isDeeper(text, depthMax) {
  let depth = 0;
  let inString = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (inString) {
      if (code === backslash) at++;
      else if (code === quote) inString = false;
    } else if (code === quote) inString = true;
    else if ((code | 32) === 123) depth++;
    else if ((code | 32) === 125) depth--;
    if (depth > depthMax) return true;
  }
  return false;
}

// src/packages/json-file.ts
function textOf(bytes) {
  if (bytes.length > jsonFileBytesMax) {
    throw invalid(`expected at most ${jsonFileBytesMax} bytes, got ${bytes.length}`);
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw invalid("expected a text in UTF-8");
  }
}
function jsonOf(text) {
  if (isDeeper(text, jsonDepthMax)) {
    throw invalid(`expected JSON nested at most ${jsonDepthMax} deep`);
  }
  try {
    return JSON.parse(text);
  } catch (cause) {
    const words2 = cause.message.replace(new RegExp("\\p{Surrogate}", "gu"), "\uFFFD");
    throw invalid(`expected JSON: ${words2}`);
  }
}

// src/wire/records/dashboard-body.ts
import * as v3 from "valibot";
var widgetsPerDashboardMax = 200;
var placeholderId = v3.nullish(shortText);
var widgetFields = {
  id: placeholderId,
  name: v3.nullish(shortText),
  description: v3.nullish(shortText),
  widgetType: v3.nullish(nonEmptyText),
  properties: v3.nullish(propertiesValue)
};
var dashboardFields = {
  name: v3.nullish(nonEmptyText),
  description: v3.nullish(shortText),
  layout: v3.nullish(anyAsText),
  widgets: v3.nullish(
    v3.pipe(
      v3.array(objectValue(widgetFields)),
      v3.maxLength(widgetsPerDashboardMax, `at most ${widgetsPerDashboardMax} widgets`)
    )
  ),
  properties: v3.nullish(propertiesValue),
  type: v3.nullish(shortText),
  variant: v3.nullish(shortText),
  private: v3.nullish(booleanValue)
};
var newDashboardBody = objectValue({
  dashboard: objectValue({
    ...dashboardFields,
    name: nonEmptyText,
    widgets: v3.nullish(
      v3.pipe(
        v3.array(objectValue({ ...widgetFields, widgetType: nonEmptyText })),
        v3.maxLength(widgetsPerDashboardMax, `at most ${widgetsPerDashboardMax} widgets`)
      )
    )
  })
});
var changedDashboardBody = objectValue({ dashboard: objectValue(dashboardFields) });
var dashboardCopyBody = objectValue({ name: nonEmptyText });
var newWidgetBody = objectValue({
  widget: objectValue({ ...widgetFields, dashboardId: nonEmptyText, widgetType: nonEmptyText })
});
var changedWidgetBody = objectValue({
  widget: objectValue({ ...widgetFields, dashboardId: v3.nullish(shortText) })
});

// src/wire/records/policy-body.ts
import * as v6 from "valibot";

// src/wire/records/pattern-text.ts
import * as v4 from "valibot";
var patternExpected = `a regular expression (RE2 syntax, without look-around) of at most ${patternCharactersMax} characters`;
function isPattern(text) {
  return patternProblem(text) === null;
}
var patternText = v4.pipe(textValue, v4.check(isPattern, patternExpected));

// src/wire/records/policy-scope-body.ts
import * as v5 from "valibot";
var elementsPerScopeMax = 1e3;
var shortText2 = v5.pipe(
  textValue,
  v5.maxLength(textCharactersMax, `a text of at most ${textCharactersMax} characters`)
);
var optionalText = v5.nullish(shortText2, null);
var texts = v5.nullish(
  v5.pipe(
    v5.array(shortText2, "an array of texts"),
    v5.maxLength(elementsPerScopeMax, `at most ${elementsPerScopeMax} texts`)
  ),
  []
);
var tagEntry = v5.pipe(
  objectValue({ name: patternText, value: v5.nullish(patternText, "") }),
  v5.transform(({ name, value }) => ({ name, value }))
);
var tagList = v5.nullish(
  v5.pipe(
    v5.union(
      [
        v5.array(tagEntry),
        v5.pipe(
          v5.record(
            v5.pipe(v5.string(), v5.check(isPattern, patternExpected)),
            v5.nullish(patternText, "")
          ),
          v5.transform((map) => Object.entries(map).map(([name, value]) => ({ name, value })))
        )
      ],
      `an array of name and value, each ${patternExpected}`
    ),
    v5.check((tags) => tags.length <= tagsPerEntityMax, `at most ${tagsPerEntityMax} entries`)
  ),
  []
);
var scopeBody = v5.pipe(
  objectValue({
    elementName: optionalText,
    elementNameRegex: v5.nullish(booleanValue, false),
    elementNameExclude: optionalText,
    elementNameExcludeRegex: v5.nullish(booleanValue, false),
    fqnIncludes: texts,
    fqnExcludes: texts,
    elementType: optionalText,
    elementTypes: texts,
    elementTags: tagList,
    elementTagsAll: v5.nullish(booleanValue, true),
    excludedElementTags: tagList,
    elementAttributes: tagList,
    elementAttributesAll: v5.nullish(booleanValue, true),
    excludedElementAttributes: tagList
  }),
  v5.check(
    ({ elementName, elementNameRegex }) => !elementNameRegex || isPattern(elementName ?? ""),
    `elementName as ${patternExpected}`
  ),
  v5.check(
    ({ elementNameExclude, elementNameExcludeRegex }) => !elementNameExcludeRegex || isPattern(elementNameExclude ?? ""),
    `elementNameExclude as ${patternExpected}`
  )
);
function scopeOf(scope) {
  return { ...openScope, ...scope };
}

// src/wire/records/policy-body.ts
var partsPerPolicyMax = 100;
var cycleSeconds = 300;
var durationSecondsMax = 86400;
var neverMinutes = 2 ** 31 - 1;
var shortText3 = v6.pipe(
  textValue,
  v6.maxLength(textCharactersMax, `a text of at most ${textCharactersMax} characters`)
);
var optionalText2 = v6.nullish(shortText3, null);
var optionalPattern = v6.nullish(patternText, null);
var numberValue = v6.pipe(
  v6.union(
    [v6.number(), v6.pipe(v6.string(), v6.nonEmpty(), v6.transform(Number), v6.number())],
    "a finite number"
  ),
  v6.finite("a finite number")
);
var blank = v6.pipe(
  v6.literal(""),
  v6.transform(() => null)
);
var optionalNumber = v6.nullish(v6.union([blank, numberValue], "a finite number"), null);
var analyticWord = v6.picklist(analytics, `one of ${analytics.join(", ")}`);
var everyOperator = [...new Set(Object.values(operators).flat())];
var conditionBody = v6.pipe(
  objectValue({
    metric: optionalText2,
    wildcard: optionalPattern,
    metricScopeTags: v6.nullish(v6.record(v6.string(), v6.nullish(shortText3, "")), {}),
    analytic: analyticWord,
    operator: v6.picklist(everyOperator, `one of ${everyOperator.join(", ")}`),
    level: optionalNumber,
    level2: optionalNumber,
    metricThresholdLevel: optionalText2,
    metricThresholdAnalytic: v6.nullish(
      v6.union([blank, analyticWord], `one of ${analytics.join(", ")}`),
      null
    )
  }),
  v6.check(({ metric, wildcard }) => !metric !== !wildcard, "either metric or wildcard")
);
var levelWord = v6.pipe(
  textValue,
  v6.check((text) => levelOfWord(text) !== void 0, `one of ${eventLevels.join(", ")}`),
  v6.transform((text) => levelOfWord(text))
);
var eventConditionBody = objectValue({
  messageRegex: optionalPattern,
  titleRegex: optionalPattern,
  sourceRegex: optionalPattern,
  level: v6.nullish(levelWord, null)
});
var categories = `one of ${levelNumbers.join(", ")}`;
var actionBody = v6.variant(
  "type",
  [
    v6.object({
      type: v6.literal("event"),
      category: v6.pipe(numberValue, v6.picklist(levelNumbers, categories))
    }),
    v6.object({
      type: v6.literal("notification"),
      id: wholeNumber(0, Number.MAX_SAFE_INTEGER),
      enabled: v6.nullish(booleanValue, true),
      notifyFrequencyMin: v6.nullish(wholeNumber(0, neverMinutes), neverMinutes),
      sendOnClear: v6.nullish(booleanValue, false)
    })
  ],
  "an action of the type event or notification"
);
function listOf(item, what) {
  return v6.pipe(
    v6.array(item, `an array of ${what}`),
    v6.maxLength(partsPerPolicyMax, `at most ${partsPerPolicyMax} ${what}`)
  );
}
var policyEntries = {
  name: v6.nullish(v6.pipe(shortText3, v6.minLength(1, "a text that is not empty"))),
  description: optionalText2,
  scope: v6.nullish(scopeBody),
  duration: v6.nullish(wholeNumber(0, durationSecondsMax)),
  anyCondition: v6.nullish(booleanValue, false),
  conditions: v6.nullish(listOf(conditionBody, "conditions"), []),
  eventConditions: v6.nullish(listOf(eventConditionBody, "event conditions"), []),
  checkCondition: v6.nullish(
    objectValue({ checkName: v6.pipe(shortText3, v6.minLength(1, "the name of a check")) }),
    null
  ),
  actions: v6.nullish(listOf(actionBody, "actions"), []),
  enabled: v6.nullish(booleanValue, true),
  deleted: v6.nullish(booleanValue, false)
};
var policyWrapper = objectValue({ policy: objectValue(policyEntries) });
function readPolicy(body, { former, creatorEmail }) {
  const problems = new Problems();
  const merged = former === null ? body : mergedBody(body, former);
  const read = readWith(policyWrapper, merged, { path: "", problems })?.policy;
  if (read !== void 0) judge(read, problems);
  problems.throwIfAny();
  const { scope, name, duration, ...rest } = read;
  return {
    ...rest,
    conditions: rest.conditions,
    name,
    scope: scopeOf(scope ?? null),
    duration: duration ?? cycleSeconds,
    creatorEmail
  };
}
function judge({ name, duration, conditions }, problems) {
  if (!name) problems.add("policy.name: expected a text, got none");
  const seconds = duration ?? cycleSeconds;
  if (seconds % cycleSeconds !== 0 || seconds === 0 && conditions.length > 0) {
    problems.add(
      `policy.duration: expected whole cycles of ${cycleSeconds} seconds, at least one where there are conditions, got ${seconds}`
    );
  }
  for (const [index, condition] of conditions.entries()) {
    judgeCondition(condition, { path: `policy.conditions[${index}]`, problems });
  }
}
function judgeCondition(condition, { path, problems }) {
  const { analytic, operator, level, metricThresholdLevel } = condition;
  const accepted = operators[analytic];
  if (!accepted.includes(operator)) {
    problems.add(
      `${path}.operator: expected one of ${accepted.join(", ")} with ${analytic}, got "${operator}"`
    );
  }
  const needsLevel = analytic === "actual" || analytic === "suddenDeviation";
  if (needsLevel && level === null && !metricThresholdLevel) {
    problems.add(`${path}.level: expected a number with ${analytic}, got none`);
  }
}
function mergedBody(body, former) {
  const policy = body?.policy;
  if (typeof policy !== "object" || policy === null || Array.isArray(policy)) return body;
  return { policy: { ...former, ...policy } };
}

// src/wire/records/analytic-configuration-body.ts
import * as v7 from "valibot";
var entriesMax = 2e3;
var types = ["ACE", "COMPUTED_METRIC", "METRIC_META"];
var configurationList = v7.pipe(
  v7.array(
    objectValue({ match: v7.nullish(shortText), properties: v7.nullish(objectValue({})) }),
    "an array of match and properties"
  ),
  v7.maxLength(entriesMax, `at most ${entriesMax} entries`)
);
var configurationBody = objectValue({
  analyticConfiguration: v7.lazy((raw) => Array.isArray(raw) ? configurationList : withType)
});
var withType = objectValue({
  // In either case; without one it is the list form with a name.
  type: v7.nullish(
    v7.pipe(
      shortText,
      v7.check(
        (type) => types.some((one) => one === type.toUpperCase()),
        `one of ${types.join(", ")}`
      )
    )
  ),
  name: v7.nullish(shortText),
  scope: v7.nullish(objectValue({})),
  metrics: v7.nullish(configurationList, [])
});

// src/packages/configuration-shape.ts
function configurationShape(json) {
  if (typeof json !== "object" || json === null) {
    throw invalid(`body: expected an object with analyticConfiguration, got ${shown(json)}`);
  }
  if (Array.isArray(json)) readRecord(configurationList, json);
  else if ("analyticConfiguration" in json) readRecord(configurationBody, json);
}

// src/packages/version.ts
import semver from "semver";
var versionExpected = "a semantic version such as 1.0.0";
function isVersion(text) {
  return text.length <= 256 && versionOf(text) !== null;
}
var shortVersion = /^\d{1,9}(\.\d{1,9})?$/;
function versionOf(text) {
  return shortVersion.test(text) ? semver.coerce(text)?.version ?? null : semver.valid(text, { loose: true });
}
var rangeCharactersMax = 256;
function versionFilter(text) {
  const range = text.length <= rangeCharactersMax ? semver.validRange(text, { loose: true, includePrerelease: true }) : null;
  if (range === null) {
    throw invalid(`version: expected ${versionExpected} or a range of them, got ${shown(text)}`);
  }
  return (version) => {
    if (version === text) return true;
    if (semver.valid(text, { loose: true }) !== null) return semverEqual(version, text);
    const own = versionOf(version);
    return own !== null && semver.satisfies(own, range, { loose: true, includePrerelease: true });
  };
}
function semverEqual(one, other) {
  const [first, second] = [versionOf(one), versionOf(other)];
  return first !== null && second !== null && semver.eq(first, second);
}

// src/packages/content.ts
function readPackage(files, judge2) {
  return atOnce(readingSteps(files, judge2));
}
function* readingSteps(files, judge2) {
  const findings = new Findings();
  const content = yield* findIn(files, judge2, findings);
  findings.throwIfAny();
  return content;
}
function* findIn(archive, judge2, findings) {
  const files = withoutTopFolder(archive);
  const manifestBytes = files.get(manifestFile);
  if (manifestBytes === void 0) {
    const tops = manifestsOf(archive);
    const got = tops.length === 0 ? "none" : `${tops.length}: ${tops.slice(0, 3).join(", ")}`;
    findings.add(null, `${manifestFile}: expected it at the root or in one folder, got ${got}`);
    return null;
  }
  const manifest = reading(
    manifestFile,
    findings,
    () => readManifest(jsonOf(textOf(manifestBytes)))
  );
  if (![...files.keys()].some((name) => name.toLowerCase() === readmeFile.toLowerCase())) {
    findings.add(null, `${readmeFile}: expected it beside ${manifestFile}, got none`);
  }
  if (manifest === null) return null;
  judgeManifest(manifest, findings);
  return yield* readAssets({ files, manifest, judge: judge2, findings });
}
function judgeManifest({ version, files }, findings) {
  if (!isVersion(version)) {
    findings.add(manifestFile, `version: expected ${versionExpected}, got ${shown(version)}`);
  }
  if (assetKinds.every((kind) => files[kind].length === 0)) {
    const kinds = assetKinds.join(", ");
    findings.add(manifestFile, `policies: expected at least one file in one of ${kinds}, got none`);
  }
  const listed = /* @__PURE__ */ new Set();
  for (const kind of assetKinds) {
    files[kind].forEach((file, i) => {
      if (listed.has(file)) {
        const path = `${kind}[${i}].data.file`;
        findings.add(manifestFile, `${path}: expected a file once, got ${shown(file)} again`);
      }
      listed.add(file);
    });
  }
}
function* readAssets(from) {
  const { manifest, judge: judge2, findings } = from;
  const policies = yield* assetsOf(from, "policies", readPolicyFile);
  const analyticConfigurations = yield* assetsOf(from, "analyticConfigurations", (json) => {
    configurationShape(json);
    return json;
  });
  for (const { file, content } of analyticConfigurations) {
    const { problems, warnings: warnings2 } = yield* judge2(content);
    findings.addAll(file, problems);
    for (const warning of warnings2) findings.warn(file, warning);
  }
  const dashboards = yield* assetsOf(from, "dashboards", (json) => {
    return readRecord(newDashboardBody, json).dashboard;
  });
  const warnings = findings.list.filter(({ isWarning }) => isWarning).map(findingText);
  return { manifest, policies, analyticConfigurations, dashboards, warnings };
}
function* assetsOf({ files, manifest, findings }, kind, read) {
  const assets = [];
  for (const [i, file] of manifest.files[kind].entries()) {
    const bytes = files.get(file);
    if (bytes === void 0) {
      const path = `${kind}[${i}].data.file`;
      findings.add(manifestFile, `${path}: expected a file of the package, got ${shown(file)}`);
      continue;
    }
    const content = reading(file, findings, () => read(jsonOf(textOf(bytes))));
    if (content !== null) assets.push({ file, content });
    yield;
  }
  return assets;
}
function readPolicyFile(json) {
  const raw = json;
  const email = raw?.policy?.creatorEmail;
  const creatorEmail = typeof email === "string" && email !== "" ? email : null;
  return { ...readPolicy(json, { former: null, creatorEmail }), deleted: false };
}
function withoutTopFolder(files) {
  const tops = manifestsOf(files);
  if (tops.length !== 1 || tops[0] === manifestFile) return files;
  const start = tops[0].slice(0, -manifestFile.length);
  return new Map(
    [...files].filter(([name]) => name.startsWith(start)).map(([name, bytes]) => [name.slice(start.length), bytes])
  );
}
var otherFolders = ["__MACOSX", "node_modules"];
function manifestsOf(files) {
  const found = [...files.keys()].map((name) => ({ name, parts: name.split("/") })).filter(({ parts }) => parts.at(-1) === manifestFile).filter(({ parts }) => !parts.some((part) => otherFolders.includes(part)));
  const depth = smallestOf(found.map(({ parts }) => parts.length));
  return found.filter(({ parts }) => parts.length === depth).map(({ name }) => name);
}

export {
  isDeeper,
  nonEmptyText,
  propertiesValue,
  readRecord,
  uuidOf,
  numberIdOf,
  widgetsPerDashboardMax,
  newDashboardBody,
  changedDashboardBody,
  dashboardCopyBody,
  newWidgetBody,
  changedWidgetBody,
  archiveLimits,
  ratioFloorBytes,
  archiveBytesMax,
  archivesAtOnceMax,
  entryNameCharactersMax,
  packagesMax,
  policyWrapper,
  readPolicy,
  Findings,
  pathOf,
  textOf,
  jsonOf,
  assetKinds,
  versionFilter,
  readPackage,
  readingSteps,
  findIn,
  withoutTopFolder
};
//# sourceMappingURL=chunk-33XIY2C7.js.map
