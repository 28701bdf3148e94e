#!/usr/bin/env node
import {
  demoCommand
} from "./chunk-TDL6DKFZ.js";
import {
  replayCommand
} from "./chunk-M5LODFZW.js";
import {
  parseAllowedAddresses,
  version
} from "./chunk-EHO5KM2D.js";
import {
  parseSimulatedTime
} from "./chunk-S7IU6GVY.js";
import {
  parseDuration
} from "./chunk-5QVC5N6S.js";
import {
  accountTable,
  readLine,
  storeCommands
} from "./chunk-LIDZTVNQ.js";
import {
  systemRandom
} from "./chunk-UKLA2F2A.js";
import "./chunk-PZOPM4PF.js";
import {
  systemClock
} from "./chunk-YG6N4YZL.js";
import "./chunk-FTDLCQXU.js";
import {
  commandsOf,
  firstWords,
  lastWord,
  meaningOf
} from "./chunk-LB2TN2PK.js";
import {
  nearest
} from "./chunk-IEKB2XZW.js";
import "./chunk-QNSZFSTN.js";
import {
  ServiceError
} from "./chunk-BZJGDYVY.js";
import {
  dayMs,
  resolutions
} from "./chunk-WSUH7ILY.js";
import {
  bodyBytesCeiling,
  bodyBytesDefault,
  diskFloorBytesDefault,
  keyRateMax,
  missedCyclesMax,
  newSeriesPerMinuteDefault,
  queueBytesDefault,
  seriesDefault,
  textBytesDefault,
  workersMax
} from "./chunk-5L33DSE6.js";
import "./chunk-YBJXGIGP.js";

// src/command/line/completion-bash.ts
var head = `# Completion of tidegauge for bash: to be sourced, or put where bash-completion looks.
_tidegauge() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]}
  local words=() word i skip= IFS=$'\\n'
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=\${COMP_WORDS[i]}
    if [[ -n $skip ]]; then skip=; continue; fi
    case $word in
`;
var tail = `}
_tidegauge_offer() {
  local found
  while read -r found; do
    [[ -n $found ]] && COMPREPLY+=("$(printf '%q' "$found")")
  done < <(compgen -W "$1" -- "$cur")
}
_tidegauge_paths() {
  local found
  while read -r found; do
    [[ -n $found ]] && COMPREPLY+=("$found")
  done < <(compgen "$1" -- "$cur")
  compopt -o filenames 2>/dev/null
}
complete -F _tidegauge tidegauge
`;
function bashCompletion(table) {
  return head + `      ${valueOptions(table).join("|")}) skip=1 ;;
      -*) ;;
      *) words+=("$word") ;;
    esac
  done
  local command="\${words[0]-}" count=\${#words[@]}
  case $command in
    ${table.groups.map(({ name }) => name).join("|")})
      if ((count > 1)); then command="$command \${words[1]}"; ((count--)); fi ;;
  esac
  ((count--))
  case "$command" in
` + [startCase(table), ...table.groups.map(groupCase(table)), ...table.commands.map(commandCase)].map((lines) => lines.map((line) => `    ${line}
`).join("")).join("") + "  esac\n" + tail;
}
function valueOptions(table) {
  const options = table.commands.flatMap((command) => command.options ?? []);
  const names = options.filter(({ value }) => value !== void 0).map(({ name }) => `--${name}`);
  return [...new Set(names)];
}
function startCase(table) {
  const usual = table.commands.find(({ name }) => name === table.defaultName);
  return [
    '"")',
    ...valueCases(usual?.options ?? []),
    `  if [[ $cur == -* ]]; then ${offer([...optionNames(usual), "--version"])}`,
    `  else ${offer(firstWords(table))}; fi ;;`
  ];
}
var groupCase = (table) => ({ name }) => [
  `"${name}") ${offer(commandsOf(table, name).map(lastWord))} ;;`
];
function commandCase(command) {
  return [
    `"${command.name}")`,
    ...valueCases(command.options ?? []),
    `  if [[ $cur == -* ]]; then ${offer(optionNames(command))}; return; fi`,
    ...(command.arguments ?? []).flatMap(argumentLines),
    "  ;;"
  ];
}
function valueCases(options) {
  const lines = options.filter(({ value }) => value !== void 0).map((option) => `    --${option.name}) ${offerValue(option)}return ;;`);
  return lines.length === 0 ? [] : ["  case $prev in", ...lines, "  esac"];
}
function argumentLines(argument, index) {
  const offered = offerValue(argument);
  const holds = argument.isMany ? `count >= ${index}` : `count == ${index}`;
  return offered === "" ? [] : [`  if ((${holds})); then ${offered}fi`];
}
function offerValue({ choices, completes }) {
  if (choices !== void 0) return `${offer(choices)}; `;
  if (completes === void 0) return "";
  return `_tidegauge_paths ${completes === "file" ? "-f" : "-d"}; `;
}
function optionNames(command) {
  return [...(command?.options ?? []).map(({ name }) => `--${name}`), "--help"];
}
function offer(names) {
  return `_tidegauge_offer $'${names.map((name) => name.replaceAll("'", "\\'")).join("\\n")}'`;
}

// src/command/line/completion-fish.ts
function fishCompletion(table) {
  const first = firstWords(table);
  const none = `not __fish_seen_subcommand_from ${first.join(" ")}`;
  return [
    "# Completion of tidegauge for fish: put it as tidegauge.fish into ~/.config/fish/completions.",
    "complete -c tidegauge -f",
    complete({ when: none, long: "version", meaning: "The version" }),
    complete({ long: "help", meaning: "What there is to type" }),
    ...first.map(
      (name) => complete({ when: none, words: [name], meaning: meaningOf(table, name) })
    ),
    ...table.groups.flatMap(({ name }) => groupLines(table, name)),
    ...table.commands.flatMap((command) => commandLines(command, seen(command))),
    ...(table.commands.find(({ name }) => name === table.defaultName)?.options ?? []).map(
      (option) => optionLine(option, none)
    ),
    ""
  ].join("\n");
}
function groupLines(table, group) {
  const commands2 = commandsOf(table, group);
  const verbs = commands2.map(lastWord).join(" ");
  const seenGroup = `__fish_seen_subcommand_from ${group}`;
  const when = `${seenGroup}; and not __fish_seen_subcommand_from ${verbs}`;
  return commands2.map(
    (command) => complete({ when, words: [lastWord(command)], meaning: command.meaning })
  );
}
function seen({ name }) {
  return name.split(" ").map((word) => `__fish_seen_subcommand_from ${word}`).join("; and ");
}
function commandLines({ options = [], arguments: words = [] }, when) {
  return [
    ...options.map((option) => optionLine(option, when)),
    ...words.flatMap((word) => argumentLine(word, when))
  ];
}
function optionLine({ name, value, meaning, choices, completes }, when) {
  const words = choices ?? [];
  const takes = value === void 0 ? "none" : completes ?? "value";
  return complete({ when, long: name, meaning, words, takes });
}
function argumentLine({ choices, completes, meaning }, when) {
  if (choices !== void 0) return [complete({ when, words: choices, meaning })];
  return completes === void 0 ? [] : [complete({ when, meaning, takes: completes })];
}
function complete({ when, long, words = [], meaning, takes = "none" }) {
  const listed = words.map((word) => word.includes(" ") ? `"${word}"` : word).join(" ");
  const folders = takes === "folder" ? "(__fish_complete_directories)" : "";
  const offered = listed === "" ? folders : listed;
  return [
    "complete -c tidegauge",
    when === void 0 ? "" : `-n ${quoted(when)}`,
    long === void 0 ? "" : `-l ${long}`,
    // Else fish offers files beside what is listed.
    takes === "none" || takes === "file" || long === void 0 ? "" : "-x",
    takes === "file" && long !== void 0 ? "-r" : "",
    takes === "file" ? "-F" : "",
    offered === "" ? "" : `-a ${quoted(offered)}`,
    `-d ${quoted(meaning.replace(/\.$/, ""))}`
  ].filter((part) => part !== "").join(" ");
}
function quoted(text) {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}

// src/command/line/completion-zsh.ts
function zshCompletion(table) {
  return [
    "#compdef tidegauge",
    "# Completion of tidegauge for zsh: to be sourced, or put into $fpath as _tidegauge.",
    "_tidegauge() {",
    "  local curcontext=$curcontext state line",
    "  typeset -A opt_args",
    "  _arguments -C '--help[what there is]' '--version[the version]' '1: :->first' '*:: :->rest'",
    "  case $state in",
    "    first)",
    ...described(
      "      ",
      "command",
      firstWords(table).map((name) => [name, meaningOf(table, name)])
    ),
    "      ;;",
    "    rest)",
    "      case $line[1] in",
    ...firstWords(table).flatMap((name) => firstCase(table, name)),
    "      esac ;;",
    "  esac",
    "}",
    ...table.groups.flatMap((group) => groupFunction(table, group.name)),
    'if [ "$funcstack[1]" = _tidegauge ]; then _tidegauge "$@"',
    "else compdef _tidegauge tidegauge; fi",
    ""
  ].join("\n");
}
function firstCase(table, name) {
  const command = table.commands.find((one) => one.name === name);
  if (command === void 0) return [`        ${name}) _tidegauge_${name} ;;`];
  return [`        ${name})`, ...argumentsCall("          ", command), "          ;;"];
}
function groupFunction(table, group) {
  const commands2 = commandsOf(table, group);
  return [
    `_tidegauge_${group}() {`,
    "  local curcontext=$curcontext state line",
    "  typeset -A opt_args",
    "  _arguments -C '--help[what there is]' '1: :->verb' '*:: :->rest'",
    "  case $state in",
    "    verb)",
    ...described(
      "      ",
      "command",
      commands2.map((command) => [lastWord(command), command.meaning])
    ),
    "      ;;",
    "    rest)",
    "      case $line[1] in",
    ...commands2.flatMap((command) => [
      `        ${lastWord(command)})`,
      ...argumentsCall("          ", command),
      "          ;;"
    ]),
    "      esac ;;",
    "  esac",
    "}"
  ];
}
function described(indent, tag, names) {
  const entries = names.map(([name, meaning]) => quoted2(`${name}:${meaning.replace(/\.$/, "")}`));
  return [
    `${indent}local -a names=(`,
    ...entries.map((entry) => `${indent}  ${entry}`),
    `${indent})`,
    `${indent}_describe -t ${tag}s ${tag} names`
  ];
}
function argumentsCall(indent, command) {
  const specs = [
    ...(command.options ?? []).map(optionSpec),
    quoted2("--help[what it takes]"),
    ...(command.arguments ?? []).map(argumentSpec)
  ];
  return [
    `${indent}_arguments \\`,
    ...specs.map((spec, i) => `${indent}  ${spec}${i === specs.length - 1 ? "" : " \\"}`)
  ];
}
function optionSpec({ name, value, meaning, ...rest }) {
  const told = `[${escaped(meaning.replace(/\.$/, ""))}]`;
  if (value === void 0) return quoted2(`--${name}${told}`);
  return quoted2(`--${name}=${told}:${escaped(value)}:${action(rest)}`);
}
function argumentSpec({ name, isOptional, isMany, ...rest }, index) {
  const place = isMany ? "*" : String(index + 1);
  return quoted2(`${place}:${isOptional && !isMany ? ":" : ""}${name}:${action(rest)}`);
}
function action({ choices, completes }) {
  if (choices !== void 0) {
    return `(${choices.map((choice) => choice.replaceAll(" ", "\\ ")).join(" ")})`;
  }
  if (completes === "file") return "_files";
  return completes === "folder" ? "_files -/" : " ";
}
function escaped(text) {
  return text.replace(/[[\]:\\]/g, "\\$&");
}
function quoted2(text) {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

// src/command/line/completion.ts
var shells = ["bash", "zsh", "fish"];
var scripts = {
  bash: bashCompletion,
  zsh: zshCompletion,
  fish: fishCompletion
};
function completionScript(table, shell) {
  return scripts[shell](table);
}

// src/command/package-commands.ts
var folder = {
  name: "FOLDER",
  meaning: "folder of the package; the current one by default",
  isOptional: true,
  completes: "folder"
};
var id = { name: "ID", meaning: "id or packageId of an installed package" };
var json = { name: "json", meaning: "Prints one JSON value instead of text." };
var remote = [
  {
    name: "url",
    value: "URL",
    meaning: "Address of the server.",
    variable: "TIDEGAUGE_URL",
    fallback: "http://127.0.0.1:8080"
  },
  { name: "user", value: "EMAIL", meaning: "User's e-mail.", variable: "TIDEGAUGE_ADMIN_EMAIL" },
  {
    name: "password",
    value: "TEXT",
    meaning: "User's password.",
    variable: "TIDEGAUGE_ADMIN_PASSWORD",
    isSecret: true
  }
];
function local(verb, meaning) {
  return { name: `package ${verb}`, meaning, arguments: [folder], options: [json] };
}
var details = `
Commands that talk to a server take its address and a user from --url, --user and --password, from
the variables TIDEGAUGE_URL, TIDEGAUGE_ADMIN_EMAIL and TIDEGAUGE_ADMIN_PASSWORD, or from the file
~/.config/tidegauge, a JSON object of url, user and password (credentials.json in it if that is a
folder).
`;
var commands = [
  local("init", "Writes a new package with one policy into a folder."),
  local("validate", "Prints every problem with file, line and JSON path; exits 1 if there is one."),
  local("format", "Sorts names, indents by two spaces and removes empty values, in place."),
  local("lint", "Says which files format would change; exits 1 if there is one."),
  local("create", "Writes pkg.zip into the folder: the same bytes from the same files."),
  {
    name: "package install",
    meaning: "Installs or upgrades a package from an archive.",
    arguments: [{ name: "FILE", meaning: "the archive, a ZIP file", completes: "file" }],
    options: [json, ...remote],
    examples: ["package install pkg.zip --url http://127.0.0.1:8080"]
  },
  {
    name: "package list",
    meaning: "Lists the installed packages.",
    options: [json, ...remote]
  },
  {
    name: "package show",
    meaning: "Prints an installed package.",
    arguments: [id],
    options: [json, ...remote]
  },
  {
    name: "package uninstall",
    meaning: "Removes a package with everything it brought.",
    arguments: [id],
    options: [json, ...remote]
  }
];
var packageTable = {
  commands,
  groups: [
    {
      name: "package",
      meaning: "Packages of policies, dashboards and analytic configurations.",
      details
    }
  ]
};

// src/base/log.ts
var logLevels = ["trace", "debug", "info", "warn", "error", "silent"];

// src/config-settings.ts
var settings = {
  host: setting({
    name: "host",
    fallback: "127.0.0.1",
    form: "an address or host name",
    meaning: "Address to listen on. 0.0.0.0 listens on every interface.",
    parse: (text) => matching(text, /^[A-Za-z0-9.:_%-]{1,255}$/)
  }),
  port: setting({
    name: "port",
    fallback: "8080",
    form: "a whole number from 0 to 65535",
    meaning: "Port to listen on. 0 takes any free port.",
    parse: (text) => wholeNumber(text, 0, 65535)
  }),
  dataPath: setting({
    name: "data",
    fallback: "data/store",
    form: "a path",
    meaning: "Folder of the store, made where it is missing.",
    parse: (text) => matching(text, /^[^\0]+$/)
  }),
  apiKey: setting({
    name: "api-key",
    fallback: "",
    fallbackNote: "made at the first start",
    form: "32 hexadecimal digits, or any 16 to 128 characters of A-Z a-z 0-9 _ -",
    meaning: "Key of the Custom integration: collectors post to /ingest/KEY.",
    secret: true,
    parse: (text) => matching(text, /^[A-Za-z0-9_-]{16,128}$/)
  }),
  adminEmail: setting({
    name: "admin-email",
    fallback: "",
    fallbackNote: "made at the first start",
    form: "an e-mail address without a colon",
    meaning: "Name of the administrator for Basic authentication.",
    parse: (text) => matching(text, /^(?=.{3,254}$)[^\s@:]+@[^\s@:]+$/)
  }),
  adminPassword: setting({
    name: "admin-password",
    fallback: "",
    fallbackNote: "made at the first start",
    form: "8 to 1024 characters",
    meaning: "Password of the administrator. A flag can be seen by other users: prefer the variable.",
    secret: true,
    parse: (text) => matching(text, /^.{8,1024}$/su)
  }),
  acceptPastMs: setting({
    name: "accept-past",
    fallback: "P14D",
    form: durationForm("PT0S", "P3650D"),
    meaning: "Age up to which a sample is accepted.",
    parse: (text) => durationMs(text, "PT0S", "P3650D")
  }),
  acceptFutureMs: setting({
    name: "accept-future",
    fallback: "PT5M",
    form: durationForm("PT0S", "P1D"),
    meaning: "How far ahead of the server's clock a sample may be.",
    parse: (text) => durationMs(text, "PT0S", "P1D")
  }),
  cycleGraceMs: setting({
    name: "cycle-grace",
    fallback: "PT60S",
    form: durationForm("PT0S", "PT1H"),
    meaning: "How long after its end a five-minute cycle closes.",
    parse: (text) => durationMs(text, "PT0S", "PT1H")
  }),
  retentionZeroMs: retention("zero", "P15D", "raw samples"),
  retentionPt5mMs: retention("pt5m", "P90D", "five-minute buckets"),
  retentionPt1hMs: retention("pt1h", "P395D", "one-hour buckets"),
  retentionPt24hMs: retention("pt24h", "P1825D", "one-day buckets"),
  bodyBytesMax: setting({
    name: "body-limit",
    fallback: sizeText(bodyBytesDefault),
    form: sizeForm("1KiB", sizeText(bodyBytesCeiling)),
    meaning: "Largest request body, after decompression.",
    parse: (text) => sizeBytes(text, 1024, bodyBytesCeiling)
  }),
  queueBytesMax: setting({
    name: "queue-limit",
    fallback: sizeText(queueBytesDefault),
    form: sizeForm("1MiB", "64GiB"),
    meaning: "Bodies that may wait to be stored. When full, ingest answers 503.",
    parse: (text) => sizeBytes(text, 1024 ** 2, 64 * 1024 ** 3)
  }),
  keyPayloadsPerMinute: keyRate("payloads", "Requests with data"),
  keySamplesPerMinute: keyRate("samples", "Samples"),
  diskFloorBytes: setting({
    name: "disk-floor",
    fallback: sizeText(diskFloorBytesDefault),
    form: sizeForm("0", "1024GiB"),
    meaning: "Free space below which ingest answers 503 and queries go on; at most a twentieth of the disk.",
    parse: (text) => sizeBytes(text, 0, 1024 ** 4)
  }),
  seriesMax: setting({
    name: "series-limit",
    fallback: String(seriesDefault),
    form: "a whole number from 1 to 100000000",
    meaning: "Series of a tenant, likewise its elements. A post with more gets 400.",
    parse: (text) => wholeNumber(text, 1, 1e8)
  }),
  newSeriesPerMinuteMax: setting({
    name: "new-series-limit",
    fallback: String(newSeriesPerMinuteDefault),
    form: "a whole number from 1 to 100000000",
    meaning: "New series and elements of a tenant in a minute. A post with more gets 429.",
    parse: (text) => wholeNumber(text, 1, 1e8)
  }),
  textBytesMax: setting({
    name: "text-bytes-limit",
    fallback: sizeText(textBytesDefault),
    form: sizeForm("1MiB", "64GiB"),
    meaning: "Names, tags and other texts of a tenant; at most a quarter of Node's heap. A post with more gets 400.",
    parse: (text) => sizeBytes(text, 1024 ** 2, 64 * 1024 ** 3)
  }),
  workerCount: setting({
    name: "workers",
    fallback: "",
    fallbackNote: "processor cores less one, at least 1",
    form: `a whole number from 1 to ${workersMax}`,
    meaning: "Threads that answer queries. One more thread stores samples.",
    parse: (text) => wholeNumber(text, 1, workersMax)
  }),
  helperCount: setting({
    name: "helpers",
    fallback: "",
    fallbackNote: "processor cores less one, at most as many as workers",
    form: `a whole number from 0 to ${workersMax}`,
    meaning: "Threads that help with a query about many series. With 0 it stays on one thread.",
    parse: (text) => wholeNumber(text, 0, workersMax)
  }),
  clock: setting({
    name: "clock",
    fallback: "",
    fallbackNote: "the machine's",
    form: "an ISO 8601 instant, and a speed where it is not 1, such as 2026-01-05T00:00:00Z,x60",
    meaning: "A simulated clock, for trials: start and speed. It waits for cycles that close late.",
    parse: parseSimulatedTime
  }),
  missedCyclesMax: setting({
    name: "missed-cycles",
    fallback: "72",
    form: `a whole number from 1 to ${missedCyclesMax}`,
    meaning: "Five-minute cycles of an outage that are closed afterwards; earlier ones stay open.",
    parse: (text) => wholeNumber(text, 1, missedCyclesMax)
  }),
  inactiveAfterMs: setting({
    name: "inactive-after",
    fallback: "PT7H",
    form: durationForm("PT5M", "P60D"),
    meaning: "How long a silent element is still filled sparsely and computed.",
    parse: (text) => durationMs(text, "PT5M", "P60D")
  }),
  baseUrl: setting({
    name: "base-url",
    fallback: "",
    fallbackNote: "the address that is listened on",
    form: "an http or https URL",
    meaning: "Where people find this server: links and browsers lead there.",
    parse: (text) => matching(text, /^https?:\/\/[^\s/]+(?:\/\S*)?$/)?.replace(/\/+$/, "")
  }),
  metricsAccess: setting({
    name: "metrics-access",
    fallback: "local",
    form: "one of local, user, all",
    meaning: "Who reads /metrics/internal without a password. Take user behind a proxy on this machine.",
    parse: (text) => ["local", "user", "all"].find((access) => access === text)
  }),
  allowedAddresses: setting({
    name: "allow-private-addresses",
    fallback: "",
    fallbackNote: "public addresses only",
    form: "all, or CIDR ranges and addresses between commas",
    meaning: "Addresses beside the public ones that webhooks and downloads may be sent to.",
    parse: parseAllowedAddresses
  }),
  smtpUrl: setting({
    name: "smtp-url",
    fallback: "",
    form: "smtp://user:password@host:port, or smtps://",
    meaning: "Mail server for notifications. A flag can be seen by other users: prefer the variable.",
    secret: true,
    parse: (text) => URL.canParse(text) ? matching(text, /^smtps?:\/\/\S+$/) : void 0
  }),
  smtpFrom: setting({
    name: "smtp-from",
    fallback: "tidegauge@localhost",
    form: "an e-mail address",
    meaning: "Sender of e-mails.",
    parse: (text) => matching(text, /^(?=.{3,254}$)[^\s@<>]+@[^\s@<>]+$/)
  }),
  logLevel: setting({
    name: "log-level",
    fallback: "info",
    form: `one of ${logLevels.join(", ")}`,
    meaning: "Least severe log line that is written.",
    parse: (text) => logLevels.find((level) => level === text)
  }),
  logFormat: setting({
    name: "log-format",
    fallback: "auto",
    form: "one of auto, text, json",
    meaning: "Form of log lines. auto is text on a terminal and json elsewhere.",
    parse: (text) => ["auto", "text", "json"].find((format) => format === text)
  })
};
var settingList = Object.values(settings);
function settingFlag(of) {
  return `--${of.name}`;
}
function settingVariable(of) {
  return `TIDEGAUGE_${of.name.toUpperCase().replaceAll("-", "_")}`;
}
function settingFallback(of) {
  return of.fallback === "" ? of.fallbackNote ?? "none" : of.fallback;
}
function setting(of) {
  return of;
}
function retention(name, fallback, what) {
  return {
    name: `retention-${name}`,
    fallback,
    form: durationForm("P1D", "P36500D"),
    meaning: `How long ${what} are kept; at least accept-past and a day.`,
    parse: (text) => durationMs(text, "P1D", "P36500D")
  };
}
function keyRate(what, meaning) {
  return {
    name: `key-${what}-per-minute`,
    fallback: "0",
    form: `a whole number from 0 to ${keyRateMax}`,
    meaning: `${meaning} that one API key may send in a minute, then 429. 0 is no limit.`,
    parse: (text) => /^\d{1,10}$/.test(text) ? within(Number(text), 0, keyRateMax) : void 0
  };
}
function matching(text, pattern) {
  return pattern.test(text) ? text : void 0;
}
function wholeNumber(text, min, max) {
  if (!/^\d{1,9}$/.test(text)) return void 0;
  return within(Number(text), min, max);
}
function durationForm(min, max) {
  return `an ISO 8601 duration from ${min} to ${max}`;
}
function durationMs(text, min, max) {
  const ms = parseDuration(text);
  return ms === void 0 ? void 0 : within(ms, parseDuration(min), parseDuration(max));
}
function sizeForm(min, max) {
  return `bytes, or a number with KiB, MiB or GiB, from ${min} to ${max}`;
}
var sizeUnits = { "": 1, B: 1, KIB: 1024, MIB: 1024 ** 2, GIB: 1024 ** 3 };
function sizeBytes(text, min, max) {
  const parts = /^(\d{1,15})(B|KiB|MiB|GiB|)$/i.exec(text);
  if (parts === null) return void 0;
  const unit = parts[2].toUpperCase();
  return within(Number(parts[1]) * sizeUnits[unit], min, max);
}
function sizeText(bytes) {
  return `${bytes / 1024 ** 2}MiB`;
}
function within(value, min, max) {
  return value >= min && value <= max ? value : void 0;
}

// src/command-table.ts
function settingOption(setting2) {
  return {
    name: setting2.name,
    value: "VALUE",
    meaning: setting2.meaning,
    form: setting2.form,
    variable: settingVariable(setting2),
    fallback: settingFallback(setting2),
    ...setting2.secret ? { isSecret: true } : {},
    ...setting2.name === "data" ? { completes: "folder" } : {}
  };
}
var serveCommand = {
  name: "serve",
  meaning: "Runs the server; so does a line without a command.",
  details: `
Settings are options (--port 8080 or --port=8080) or environment variables; an option wins.
Durations are ISO 8601: PT60S, PT5M, P14D; a year counts 365 days and a month 30.
`,
  options: settingList.map(settingOption),
  examples: ["serve --port 9000 --data /var/lib/tidegauge"]
};
var helpCommand = {
  name: "help",
  meaning: "Prints what a command takes.",
  arguments: [{ name: "COMMAND", meaning: "words of a command", isOptional: true, isMany: true }],
  examples: ["help backup", "help account create"]
};
var completionCommand = {
  name: "completion",
  meaning: "Prints a script by which a shell completes command lines of tidegauge.",
  arguments: [{ name: "SHELL", meaning: "the shell that reads the script", choices: shells }],
  examples: [
    "completion bash > ~/.local/share/bash-completion/completions/tidegauge",
    'completion zsh > "${fpath[1]}/_tidegauge"',
    "completion fish > ~/.config/fish/completions/tidegauge.fish"
  ]
};
var commandTable = {
  commands: [
    serveCommand,
    ...storeCommands,
    ...accountTable.commands,
    ...packageTable.commands,
    demoCommand,
    replayCommand,
    completionCommand,
    helpCommand
  ],
  groups: [...accountTable.groups, ...packageTable.groups],
  defaultName: serveCommand.name
};

// src/commands.ts
import { once } from "node:events";
import { availableParallelism } from "node:os";
import { setTimeout } from "node:timers/promises";

// src/config-environment.ts
var prefix = "TIDEGAUGE_";
var settingsByVariable = new Map(
  settingList.map((setting2) => [settingVariable(setting2), setting2])
);
var variablesOfCommands = /* @__PURE__ */ new Set(["TIDEGAUGE_URL"]);
function readEnvironment(env) {
  const given = /* @__PURE__ */ new Map();
  const ofServices = [];
  const problems = [];
  for (const [name, text] of Object.entries(env)) {
    if (!name.startsWith(prefix) || text === void 0 || variablesOfCommands.has(name)) continue;
    const setting2 = settingsByVariable.get(name);
    if (isServiceAddress(name, text)) ofServices.push(name);
    else if (setting2 !== void 0) {
      if (text !== "") given.set(setting2.name, text);
    } else if (isServiceVariable(name)) ofServices.push(name);
    else problems.push(unknownVariable(name));
  }
  return { given, notes: serviceNotes(ofServices), problems };
}
function isServiceAddress(name, text) {
  return name.endsWith("_PORT") && /^(?:tcp|udp|sctp):\/\//i.test(text);
}
function isServiceVariable(name) {
  return name.endsWith("_SERVICE_HOST") || /_SERVICE_PORT(?:_[A-Z0-9_]+)?$/.test(name) || /_PORT_\d{1,5}_(?:TCP|UDP|SCTP)(?:_(?:ADDR|PORT|PROTO))?$/.test(name);
}
function serviceNotes(names) {
  if (names.length === 0) return [];
  return [`Left alone, since they describe a service and set nothing: ${names.join(", ")}`];
}
function unknownVariable(name) {
  const names = [...settingsByVariable.keys()].map((one) => one.slice(prefix.length));
  const meant = nearest(name.slice(prefix.length), names);
  const hint = meant === null ? ": " : `, did you mean ${prefix}${meant}? `;
  return `Unknown variable ${name}${hint}\`tidegauge serve --help\` lists all`;
}

// src/config.ts
function parseConfig({ options, env, cores }) {
  const environment = readEnvironment(env);
  const problems = [...environment.problems];
  const given = (setting2) => {
    const [flag, variable] = [options.get(setting2.name), environment.given.get(setting2.name)];
    if (flag !== void 0) return { text: flag, source: settingFlag(setting2) };
    return variable === void 0 ? void 0 : { text: variable, source: settingVariable(setting2) };
  };
  const values = readValues(given, problems);
  if (values.queueBytesMax < values.bodyBytesMax) {
    problems.push(
      `${settingFlag(settings.queueBytesMax)} of ${values.queueBytesMax} bytes is less than ${settingFlag(settings.bodyBytesMax)} of ${values.bodyBytesMax}: none would fit`
    );
  }
  if (problems.length > 0) return { problems };
  return { config: assemble(values, { cores, notes: [...environment.notes] }) };
}
function readValues(given, problems) {
  const values = {};
  for (const [key, setting2] of Object.entries(settings)) {
    const said = given(setting2);
    const text = said?.text ?? setting2.fallback;
    const value = said === void 0 && text === "" ? null : setting2.parse(text);
    if (value === void 0) problems.push(malformed(setting2, said));
    values[key] = value;
  }
  return values;
}
function malformed(setting2, said) {
  const shown = setting2.secret ? "cannot be taken (its value is not shown)" : `"${said.text}"`;
  return `${said.source} ${shown}: expected ${setting2.form}`;
}
function assemble(values, { cores, notes }) {
  const { retentionZeroMs, retentionPt5mMs, retentionPt1hMs, retentionPt24hMs, ...rest } = values;
  const asked = {
    ZERO: retentionZeroMs,
    PT5M: retentionPt5mMs,
    PT1H: retentionPt1hMs,
    PT24H: retentionPt24hMs
  };
  const retentionMs = Object.freeze(retentionInForce(asked, values.acceptPastMs, notes));
  const workerCount = values.workerCount ?? Math.max(1, cores - 1);
  return Object.freeze({
    ...rest,
    workerCount,
    // All cores for one question.
    helperCount: values.helperCount ?? Math.min(workerCount, cores - 1),
    retentionMs,
    notes: Object.freeze(notes)
  });
}
function retentionInForce(asked, acceptPastMs, notes) {
  const leastMs = acceptPastMs + dayMs;
  const inForce = { ...asked };
  for (const resolution of resolutions) {
    if (asked[resolution] >= leastMs) continue;
    inForce[resolution] = leastMs;
    notes.push(
      `Retention of ${resolution} is ${leastMs / dayMs} days instead of ${asked[resolution] / dayMs}: late samples are accepted for ${acceptPastMs / dayMs} days`
    );
  }
  return inForce;
}

// src/commands.ts
var program = [process.execPath, ...process.execArgv, process.argv[1]];
function runLine(line, world) {
  const run = runs.get(line.command.name);
  if (run === void 0) throw new Error(`Expected a run for ${line.command.name}`);
  return run(line, world);
}
var runs = new Map([
  ["serve", serve],
  ["demo", demo],
  ["replay", replay],
  ["completion", complete2],
  ...storeCommands.map(({ name }) => [name, onStore]),
  ...accountTable.commands.map(({ name }) => [name, onAccounts]),
  ...packageTable.commands.map(({ name }) => [name, onPackages])
]);
function configOf({ options }) {
  return parseConfig({ options, env: process.env, cores: availableParallelism() });
}
async function serve(line, world) {
  const outcome = configOf(line);
  if ("problems" in outcome) return outcome;
  const { runServer } = await import("./run-server-JUKBFP24.js");
  await runServer(outcome.config, { program, ...world });
  return null;
}
async function onStore(line, { print: print2 }) {
  const outcome = configOf(line);
  if ("problems" in outcome) return outcome;
  const { runOnStore } = await import("./run-on-store-Y2BA3OA6.js");
  return runOnStore(line, { folder: outcome.config.dataPath, print: print2 });
}
async function onAccounts(line, { print: print2 }) {
  const { options } = line;
  const data = options.get("data");
  const outcome = parseConfig({
    options: new Map(data === void 0 ? [] : [["data", data]]),
    env: process.env,
    cores: 1
  });
  if ("problems" in outcome) return outcome;
  const { runAccounts } = await import("./run-accounts-IWF22WSY.js");
  const { status, text } = await runAccounts(line, outcome.config);
  if (status === 0) print2(text);
  else process.stderr.write(`${text}
`);
  return status;
}
async function onPackages(line) {
  const { runPackage } = await import("./package-HH26DLPA.js");
  const { problemSteps } = await import("./read-LGOJKRLE.js");
  return runPackage({
    line,
    env: process.env,
    print: (text) => void process.stdout.write(text),
    printError: (text) => void process.stderr.write(text),
    isTerminal: process.stderr.isTTY === true,
    fetch,
    judgeConfiguration: problemSteps
  });
}
async function demo({ options }) {
  const { runDemo } = await import("./demo-GLV43ZN6.js");
  const stopping = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
    process.once(signal, () => stopping.abort());
  }
  return runDemo({
    options,
    env: process.env,
    program,
    print: (text) => void process.stdout.write(text),
    printError: (text) => void process.stderr.write(text),
    isTerminal: process.stdout.isTTY === true,
    clock: systemClock,
    elapsedMs: () => performance.now(),
    wait: setTimeout,
    random: systemRandom,
    signal: stopping.signal
  });
}
async function replay(line, { fail: fail2 }) {
  const { runReplay } = await import("./replay-X5XRRBNX.js");
  process.stdout.on("error", (error) => {
    if (error.code === "EPIPE") process.exit(0);
    fail2(error);
  });
  return runReplay({
    line,
    write: async (text) => {
      if (!process.stdout.write(text)) await once(process.stdout, "drain");
    },
    printError: (text) => void process.stderr.write(text)
  });
}
async function complete2({ words }, { print: print2 }) {
  print2(completionScript(commandTable, words[0]));
  return 0;
}

// src/main.ts
var exitUsage = 64;
async function main() {
  process.umask(63);
  const argv = process.argv.slice(2);
  const read = readLine(commandTable, argv);
  if ("help" in read) return print(read.help);
  if ("version" in read) return print(version);
  if ("problems" in read) return refuse(read.problems);
  const outcome = await runLine(read.line, { print, fail });
  if (typeof outcome === "number") process.exitCode = outcome;
  else if (outcome !== null) refuse(outcome.problems);
}
function refuse(problems) {
  for (const problem of problems) process.stderr.write(`tidegauge: ${problem}
`);
  process.exitCode = exitUsage;
}
function print(text) {
  process.stdout.write(text.endsWith("\n") ? text : `${text}
`);
}
function fail(error) {
  const text = error instanceof ServiceError ? error.message : String(error.stack);
  process.stderr.write(`tidegauge: ${text}
`);
  process.exit(1);
}
main().catch(fail);
//# sourceMappingURL=main.js.map
