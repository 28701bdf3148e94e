// src/command/line/spec.ts
function commandsOf(table, group) {
  return table.commands.filter(({ name }) => name.startsWith(`${group} `));
}
function lastWord({ name }) {
  return name.slice(name.indexOf(" ") + 1);
}
function firstWords(table) {
  return [...new Set(table.commands.map(({ name }) => name.split(" ", 1)[0]))];
}
function meaningOf(table, word) {
  const group = table.groups.find(({ name }) => name === word);
  return (group ?? table.commands.find(({ name }) => name === word)).meaning;
}

export {
  commandsOf,
  lastWord,
  firstWords,
  meaningOf
};
//# sourceMappingURL=chunk-LB2TN2PK.js.map
