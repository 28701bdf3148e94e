import {
  commandsOf,
  firstWords,
  lastWord,
  meaningOf
} from "./chunk-LB2TN2PK.js";
import {
  nearest
} from "./chunk-IEKB2XZW.js";

// src/command/line/read-line.ts
import { parseArgs } from "node:util";

// src/command/line/wrap.ts
var columnsMax = 100;
function wrapped(head, words) {
  const lines = [];
  const indent = " ".repeat(head.length);
  let line = head;
  let isEmpty = true;
  for (const word of words.split(" ")) {
    if (!isEmpty && line.length + 1 + word.length > columnsMax) {
      lines.push(line);
      line = indent;
      isEmpty = true;
    }
    line += isEmpty ? word : ` ${word}`;
    isEmpty = false;
  }
  return [...lines, line];
}

// src/command/line/help.ts
var programName = "tidegauge";
function overview(table) {
  const names = firstWords(table);
  const width = names.reduce((most, name2) => Math.max(most, name2.length), 0) + 2;
  const lines = names.flatMap((name2) => {
    const isGroup = table.groups.some((one) => one.name === name2);
    const verbs = isGroup ? ` (${verbList(table, name2)})` : "";
    return wrapped(`  ${name2.padEnd(width)}`, meaningOf(table, name2).replace(/\.$/, "") + verbs);
  });
  return text([
    "Tidegauge: a monitoring server in one process.",
    "",
    `  ${programName} [COMMAND] [ARGUMENTS] [OPTIONS]`,
    "",
    "Commands:",
    "",
    ...lines,
    "",
    `  ${programName} COMMAND --help    what it takes (also: ${programName} help COMMAND)`,
    `  ${programName} --version         the version`,
    "",
    `Without a command it serves; ${programName} serve --help lists the settings.`,
    "A server that runs describes its API at /docs."
  ]);
}
function groupHelp(table, group) {
  const entries = commandsOf(table, group.name).flatMap((command) => [
    `  ${usage(command)}`,
    ...wrapped("      ", command.meaning)
  ]);
  return text([
    `${programName} ${group.name}: ${group.meaning}`,
    "",
    ...entries,
    "",
    ...paragraphs(group.details),
    `${programName} ${group.name} COMMAND --help tells more of one.`
  ]);
}
function commandHelp(command) {
  const { arguments: words = [], options = [], examples = [] } = command;
  return text([
    ...wrapped("", `${programName} ${command.name}: ${command.meaning}`),
    "",
    `  ${programName} ${shortUsage(command)}`,
    "",
    ...paragraphs(command.details),
    ...words.flatMap(argumentLines),
    ...options.flatMap(optionLines),
    "  --help",
    "      This text.",
    ...examples.length === 0 ? [] : ["", "Examples:", ""],
    ...examples.map((example) => `  ${programName} ${example}`)
  ]);
}
function usage(command) {
  const options = (command.options ?? []).map((option) => {
    const typed = typedOption(option);
    return option.isRequired ? typed : `[${typed}]`;
  });
  return [command.name, ...(command.arguments ?? []).map(typedArgument), ...options].join(" ");
}
function shortUsage(command) {
  const required2 = (command.options ?? []).filter(({ isRequired }) => isRequired);
  const words = [...(command.arguments ?? []).map(typedArgument), ...required2.map(typedOption)];
  return [command.name, ...words, "[OPTIONS]"].join(" ");
}
function typedArgument({ name: name2, isOptional, isMany }) {
  const typed = isMany ? `${name2}\u2026` : name2;
  return isOptional ? `[${typed}]` : typed;
}
function typedOption({ name: name2, value }) {
  return value === void 0 ? `--${name2}` : `--${name2} ${value}`;
}
function argumentLines({ name: name2, meaning, choices }) {
  const lines = [`  ${name2}`, ...wrapped("      ", meaning)];
  return choices === void 0 ? lines : [...lines, ...oneOf(choices)];
}
function optionLines(option) {
  const { meaning, form, choices, variable, fallback, isRequired } = option;
  const detail = (name2, of2) => of2 === void 0 ? [] : wrapped("      ", `${name2}: ${of2}.`);
  return [
    `  ${typedOption(option)}${variable === void 0 ? "" : `  ${variable}`}`,
    ...wrapped("      ", meaning),
    ...choices === void 0 ? detail("Form", form) : oneOf(choices),
    ...detail("Default", fallback),
    ...isRequired ? ["      Required."] : []
  ];
}
function oneOf(choices) {
  return wrapped("      ", `One of ${choices.join(", ")}.`);
}
function verbList(table, group) {
  return commandsOf(table, group).map(lastWord).join(", ");
}
function paragraphs(details2) {
  return details2 === void 0 ? [] : [...details2.trim().split("\n"), ""];
}
function text(lines) {
  return `${lines.join("\n")}
`;
}

// src/command/line/read-line.ts
function readLine(table, argv) {
  const tokens = tokensOf(table, argv);
  const { words, wantsHelp, wantsVersion } = tokens;
  const first = words[0];
  if (first === void 0) {
    if (wantsHelp) return { help: overview(table) };
    if (wantsVersion) return { version: true };
  }
  if (first?.text === "help") return helpOn(table, words.slice(1));
  const found = findCommand(table, words);
  if ("problems" in found || "help" in found) return found;
  if (wantsHelp) return { help: commandHelp(found.command) };
  if (wantsVersion) return { version: true };
  return readCommand(table, found, tokens.options);
}
function helpOn(table, words) {
  if (words.length === 0) return { help: overview(table) };
  const found = findCommand(table, words);
  return "command" in found ? { help: commandHelp(found.command) } : found;
}
function tokensOf(table, argv) {
  const specs = table.commands.flatMap(({ options: options2 = [] }) => options2);
  const types = specs.map(({ name: name2, value }) => [
    name2,
    { type: value === void 0 ? "boolean" : "string" }
  ]);
  const { tokens } = parseArgs({
    args: [...argv],
    options: {
      ...Object.fromEntries(types),
      help: { type: "boolean", short: "h" },
      version: { type: "boolean" }
    },
    strict: false,
    allowPositionals: true,
    tokens: true
  });
  const words = [];
  const options = [];
  const known = /* @__PURE__ */ new Set([...specs.map(({ name: name2 }) => name2), "help", "version"]);
  let wants = { help: false, version: false };
  let isBehindUnknown = false;
  for (const token of tokens) {
    if (token.kind === "option-terminator") continue;
    if (token.kind === "positional") {
      if (!isBehindUnknown) words.push({ text: token.value, index: token.index });
      isBehindUnknown = false;
      continue;
    }
    const { name: name2, rawName, index, value, inlineValue } = token;
    const typed = argv[index];
    if (typed === "--help" || typed === "-h") wants = { ...wants, help: true };
    else if (typed === "--version") wants = { ...wants, version: true };
    else if (!isBehindUnknown || known.has(name2)) {
      options.push({ name: name2, rawName, value, index, isInline: inlineValue === true });
    }
    isBehindUnknown = !known.has(name2) && inlineValue !== true;
  }
  return { words, options, wantsHelp: wants.help, wantsVersion: wants.version };
}
function findCommand(table, words) {
  const [first, second] = words;
  const name2 = first?.text ?? table.defaultName ?? "";
  const command = table.commands.find((one) => one.name === name2);
  if (command !== void 0) return { command, words: words.slice(1) };
  const group = table.groups.find((one) => one.name === name2);
  if (group === void 0) return { problems: [unknownCommand(table, first)] };
  if (second === void 0) return { help: groupHelp(table, group) };
  const verbs = commandsOf(table, group.name);
  const verb = verbs.find((one) => lastWord(one) === second.text);
  if (verb !== void 0) return { command: verb, words: words.slice(2) };
  const names = verbs.map(lastWord);
  const meant = nearest(second.text, names);
  const hint = meant === null ? "" : `did you mean ${name2} ${meant}? `;
  return { problems: [`Unknown command of ${name2}: ${hint}expected one of ${names.join(", ")}`] };
}
function unknownCommand(table, word) {
  const text2 = word?.text ?? "";
  const names = firstWords(table);
  const meant = nearest(text2, names);
  const shown = word?.index === 0 ? `Unknown command "${text2}"` : `Unknown command`;
  const hint = meant === null ? "" : `, did you mean ${meant}?`;
  const all = "`tidegauge --help` lists all";
  return `${shown}${hint === "" ? ": " : `${hint} `}${all}`;
}
function readCommand(table, { command, words }, tokens) {
  const problems = [];
  const options = /* @__PURE__ */ new Map();
  for (const token of tokens) {
    const spec = command.options?.find(({ name: name2 }) => name2 === token.name);
    const value = spec === void 0 ? null : valueOf(spec, token);
    if (value === null) problems.push(unknownOption(table, command, token));
    else if (typeof value === "string") options.set(token.name, value);
    else problems.push(value.problem);
  }
  for (const { name: name2, isRequired } of command.options ?? []) {
    if (isRequired && !options.has(name2) && problems.length === 0) {
      problems.push(`${command.name} needs --${name2}`);
    }
  }
  const all = [...problems, ...wordProblems(command, words)];
  if (all.length > 0) return { problems: all };
  return { line: { command, words: words.map(({ text: text2 }) => text2), options } };
}
function valueOf(spec, token) {
  const { value, rawName, isInline } = token;
  if (spec.value === void 0) {
    return value === void 0 ? "" : { problem: `${rawName} takes no value` };
  }
  const form = spec.choices === void 0 ? spec.form : `one of ${spec.choices.join(", ")}`;
  const expected = form === void 0 ? "" : `: expected ${form}`;
  const isNextOption = !isInline && !spec.isSecret && value?.startsWith("--") === true;
  if (value === void 0 || value === "" || isNextOption) {
    return { problem: `${rawName} needs a value${expected}` };
  }
  if (spec.choices === void 0) return value;
  const chosen = spec.choices.find((one) => one.toLowerCase() === value.toLowerCase());
  return chosen ?? { problem: `${rawName}${expected}` };
}
function unknownOption(table, command, token) {
  const names = [...(command.options ?? []).map(({ name: name2 }) => name2), "help"];
  const isLong = token.rawName.startsWith("--");
  const shown = isLong ? `option ${token.rawName}` : `option at argument ${token.index + 1}`;
  const owner = table.commands.find(
    ({ options = [] }) => options.some(({ name: name2 }) => name2 === token.name)
  );
  const meant = owner === void 0 ? nearest(token.name, names) : null;
  const hint = meant === null ? "" : `, did you mean --${meant}?`;
  const all = `\`tidegauge ${command.name} --help\` lists all`;
  return `Unknown ${shown} of ${command.name}${hint === "" ? ": " : `${hint} `}${all}`;
}
function wordProblems(command, words) {
  const specs = command.arguments ?? [];
  const missing = specs[words.length];
  if (missing !== void 0 && !missing.isOptional) {
    return [`${command.name} needs ${missing.name}: ${missing.meaning}`];
  }
  const isOpen = specs.at(-1)?.isMany === true;
  const surplus = isOpen ? void 0 : words[specs.length];
  if (surplus !== void 0) {
    const takes = specs.length === 0 ? "no argument" : specs.map(({ name: name2 }) => name2).join(" ");
    return [`Argument ${surplus.index + 1} is too much: ${command.name} takes ${takes}`];
  }
  return words.flatMap((word, i) => choiceProblems(command, specs[i] ?? specs.at(-1), word));
}
function choiceProblems({ name: name2 }, spec, word) {
  if (spec?.choices === void 0 || spec.choices.includes(word.text)) return [];
  return [`Argument ${word.index + 1} of ${name2}: expected one of ${spec.choices.join(", ")}`];
}

// src/accounts/documents.ts
var userKind = "user";
var integrationKind = "integration";
var apiKeyKind = "apiKey";
var counterKind = "counter";
var formVersion = 2;
var roles = ["Administrator", "Power User", "Read Only"];
var features = [
  "createdPolicy",
  "createdDatasource",
  "createdDashboard",
  "createdNotification"
];

// src/command/store-commands.ts
var dataOption = {
  name: "data",
  value: "PATH",
  meaning: "Folder of the store.",
  variable: "TIDEGAUGE_DATA",
  fallback: "data/store",
  completes: "folder"
};
var backupFolder = { name: "BACKUP", completes: "folder" };
var storeCommands = [
  {
    name: "verify",
    meaning: "Recomputes every rollup of a stopped server's store and compares the bytes.",
    details: `
Prints what differs. Ends with 0, and with 1 if anything differs or the store cannot be read.
`,
    options: [dataOption],
    examples: ["verify --data /var/lib/tidegauge"]
  },
  {
    name: "probe",
    meaning: "Looks quickly whether the file of a stopped server's store is what was written.",
    details: `
The server does this by itself before it opens a store that was not closed in order. Prints a line
a problem, nothing if there is none.
`,
    options: [dataOption]
  },
  {
    name: "repair",
    meaning: "Mends the damaged store of a stopped server, and says each thing that it does.",
    details: `
What cannot be read is set aside in a folder inside of the store. Take a copy of the folder before.
`,
    options: [dataOption]
  },
  {
    name: "backup",
    meaning: "Copies a store into a new folder, also while a server runs on it.",
    arguments: [{ ...backupFolder, meaning: "a folder for the backup, which does not exist yet" }],
    options: [dataOption],
    examples: ["backup --data /var/lib/tidegauge /backups/monday"]
  },
  {
    name: "restore",
    meaning: "Makes a backup the store of a folder that has none.",
    arguments: [{ ...backupFolder, meaning: "the folder of a backup" }],
    options: [dataOption],
    examples: ["restore /backups/monday --data /var/lib/tidegauge"]
  }
];

// src/command/account-commands.ts
var account = {
  name: "account",
  value: "ID",
  meaning: "Id or number of an account.",
  fallback: "the first one, 0"
};
var password = {
  name: "password",
  value: "TEXT",
  meaning: "Password; - reads it from standard input, where no other process can see it.",
  form: "8 to 1024 characters",
  fallback: "made and printed",
  isSecret: true
};
var role = {
  name: "role",
  value: "ROLE",
  meaning: "What the user may do.",
  choices: roles
};
var name = { name: "name", value: "NAME", meaning: "Name of the account." };
var email = { name: "email", value: "EMAIL", meaning: "E-mail to log in with." };
var datasource = {
  name: "datasource",
  value: "NUMBER",
  meaning: "Number of a datasource."
};
var required = (option) => ({ ...option, isRequired: true });
var subjects = {
  account: { name: "ACCOUNT", meaning: "id or number of the account" },
  user: { name: "EMAIL", meaning: "e-mail of the user" },
  key: { name: "KEY-ID", meaning: "beginning of the key's id, as `key list` shows it" }
};
function of(noun, verb, { options = [], ...rest }) {
  return { name: `${noun} ${verb}`, options: [...options, dataOption], ...rest };
}
function on(noun, verb, { options = [], ...rest }) {
  const all = [...options, ...noun === "key" ? [account] : [], dataOption];
  return { name: `${noun} ${verb}`, arguments: [subjects[noun]], options: all, ...rest };
}
var commands = [
  of("account", "list", { meaning: "Lists all accounts." }),
  of("account", "create", {
    meaning: "Makes an account with an administrator, a Custom integration and its key.",
    options: [required(name), required(email), password],
    examples: ["account create --name Shop --email admin@shop.example"]
  }),
  on("account", "rename", { meaning: "Gives it another name.", options: [required(name)] }),
  on("account", "disable", {
    meaning: "Its users cannot log in and its keys are refused; nothing is lost."
  }),
  on("account", "enable", { meaning: "Undoes disable." }),
  on("account", "delete", {
    meaning: "Removes its users and keys; its data goes when its retention is over."
  }),
  of("user", "list", { meaning: "Lists the users of an account.", options: [account] }),
  of("user", "create", {
    meaning: "Makes a user; an administrator if no role is named.",
    options: [required(email), password, role, account],
    examples: ['user create --email jo@example.com --role "Read Only"']
  }),
  on("user", "role", { meaning: "Gives the user another role.", options: [required(role)] }),
  on("user", "password", { meaning: "Gives the user a new password.", options: [password] }),
  on("user", "disable", { meaning: "The user cannot log in." }),
  on("user", "enable", { meaning: "Undoes disable." }),
  on("user", "delete", { meaning: "Removes the user." }),
  of("key", "list", {
    meaning: "Lists the API keys of an account, without the keys themselves.",
    options: [datasource, account]
  }),
  of("key", "create", {
    meaning: "Makes a key; of the Custom integration if no datasource is named.",
    options: [datasource, account]
  }),
  on("key", "rotate", {
    meaning: "Makes a new key in its place.",
    options: [
      {
        name: "keep",
        value: "yes|no",
        meaning: "yes: the old key stays valid.",
        choices: ["yes", "no"],
        fallback: "no"
      }
    ],
    examples: ["key rotate 8d00b723bbe3"]
  }),
  on("key", "limit", {
    meaning: "Sets how much it may send in a minute.",
    options: [
      {
        name: "payloads",
        value: "NUMBER",
        meaning: "Requests with data. 0: no limit; default: the server's setting."
      },
      {
        name: "samples",
        value: "NUMBER",
        meaning: "Samples. 0: no limit; default: the server's setting."
      }
    ],
    examples: ["key limit 8d00b723bbe3 --payloads 600 --samples 100000"]
  }),
  on("key", "disable", { meaning: "Refuses the key." }),
  on("key", "enable", { meaning: "Undoes disable." }),
  on("key", "delete", { meaning: "Removes the key." })
];
var details = `
If a server runs on the store it does what is asked, at once and without a restart; the command
reaches it through control.sock in the store's folder. Else the command opens the store itself.
`;
var groups = [
  { name: "account", meaning: "Accounts (tenants) of a store.", details },
  { name: "user", meaning: "Users of an account.", details },
  { name: "key", meaning: "API keys of an account.", details }
];
var accountTable = { commands, groups };

export {
  userKind,
  integrationKind,
  apiKeyKind,
  counterKind,
  formVersion,
  features,
  storeCommands,
  accountTable,
  readLine
};
//# sourceMappingURL=chunk-LIDZTVNQ.js.map
