import assert from "node:assert/strict"
import { spawnSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { test } from "node:test"
import { codeOf, filesOf, importsOf, readSources, type Source } from "./sources.ts"
import { spreadCalls } from "./spreads.ts"
import { rootFolder } from "../support/project-paths.ts"

const lineColumnsMax = 100
const fileLinesMax = 500
const functionLinesMax = 70

const sources = readSources("src")
const everything = readSources("src", "test", "bench")

function findLines(source: Source, lines: string[], bad: (line: string) => boolean): string[] {
  return lines.flatMap((line, i) => (bad(line) ? [`${source.path}:${i + 1}: ${line.trim()}`] : []))
}

/** A URL cannot be broken, nor can a regular expression that is alone on its line. */
const unbreakable = /https?:\/\/|^\s*(?:(?:const )?\S+ = |\S+: )?\/.*\/[a-z]*[,.)(\w]*$/

function longLines(source: Source): string[] {
  return findLines(
    source,
    source.text.split("\n"),
    (line) => [...line].length > lineColumnsMax && !unbreakable.test(line),
  )
}

function longFiles({ path, text }: Source): string[] {
  const lines = text.trimEnd().split("\n").length
  return lines > fileLinesMax ? [`${path}: ${lines} lines`] : []
}

/** Lets the linter measure, because it parses; paths are files or folders. */
function longFunctions(paths: readonly string[]): string[] {
  const folder = mkdtempSync(join(tmpdir(), "tidegauge-tidy-"))
  try {
    const configPath = join(folder, "oxlint.json")
    const rule = ["error", { max: functionLinesMax, skipBlankLines: false, skipComments: false }]
    const config = { categories: { correctness: "off" }, rules: { "max-lines-per-function": rule } }
    writeFileSync(configPath, JSON.stringify(config))
    const linter = join(rootFolder, "node_modules/oxlint/bin/oxlint")
    const options = ["-c", configPath, "--format", "unix", ...paths]
    const run = spawnSync(process.execPath, [linter, ...options], { cwd: rootFolder })
    assert.ok(run.status === 0 || run.status === 1, `oxlint: ${run.stderr}${run.stdout}`)
    return `${run.stdout}`.split("\n").filter((line) => line.includes("max-lines-per-function"))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

interface Ban {
  readonly pattern: RegExp
  readonly instead: string
  /** Files in which it is allowed. */
  readonly except: RegExp
}

/**
 * The entry of the process, of its worker threads and of the pages, what builds these, and what
 * .ci/package puts in place of modules of packages; they are started, not imported.
 */
const entries =
  /^src\/(?:main|codec\/assembly\/encode|build\/\w+|worker\/\w+-worker|executable\/[\w-]+|web\/before-modules|web\/chart\/dense\/dense-worker)\.ts$|^src\/web\/main\.tsx$/
const roots = String.raw`^src/(?:[^/]+\.ts$|server/|worker/)`
const nowhere = /^$/
const bans: readonly Ban[] = [
  {
    pattern: /\bDate\.now\b|\bnew Date\(\s*\)|(?<!new )\bDate\(\s*\)/,
    instead: "a Clock that is handed in (base/clock.ts)",
    except: new RegExp(String.raw`^src/(?:base/clock|web/platform/timers)\.ts$|${roots}`),
  },
  {
    pattern: /\bMath\.random\b|\brandomBytes\(|\brandomUUID\(|\bgetRandomValues\(/,
    instead: "a Random that is handed in (base/random.ts)",
    except: /^src\/base\/random\.ts$/,
  },
  {
    pattern: /\b(?:setTimeout|setInterval)\(/,
    instead: "a call from a root, which owns the timers",
    except: new RegExp(
      `^src/(?:http|runtime|control)/|^src/command/run-on-store|^src/web/platform/timers|${roots}`,
    ),
  },
  {
    pattern: /\bprocess\.(?:env|argv)\b/,
    instead: "Config, or an argument that a root hands in",
    except: new RegExp(roots),
  },
  {
    pattern: /\bconsole\.\w+/,
    instead: "a Logger that is handed in (base/log.ts)",
    except: new RegExp(`^src/command/|${roots}`),
  },
  {
    pattern: /(?<![.\w])eval\(|\bnew Function\b|(?<![.\w])Function\(/,
    instead: "a parser of our own; nothing from outside is evaluated",
    except: nowhere,
  },
  {
    pattern:
      /\b(?:innerHTML|outerHTML|dangerouslySetInnerHTML|insertAdjacentHTML|document\.write)\b/,
    instead: "elements: no code path makes HTML of a text",
    except: nowhere,
  },
  {
    pattern: /(?<![.\w])(?:fetch|localStorage|sessionStorage|navigator|history|location)[.(]/,
    instead: "a module of src/web/platform, which tests replace",
    except: /^src\/(?!web\/)|^src\/web\/(?:platform|style)\//,
  },
  {
    pattern: /(?<!\blazyCode\(\(\) => |\btypeof )\bimport\(/,
    instead: "lazyCode (web/platform/code.ts): a module that fails once needs another document",
    except: /^src\/(?!web\/)/,
  },
  {
    pattern: /\b(?:getBinary\w*|getShared\w*|openDB|RootDatabase|Database)\b/,
    instead: "a Table, which gives every value exact bounds (store/lmdb/disk/table.ts)",
    except: /^src\/store\/lmdb\/disk\/tables?\.ts$/,
  },
  {
    pattern: /\b(?:noSync|noMetaSync|mapAsync|useWritemap|overlappingSync: true)\b/,
    instead: "synced commits (test/store/lmdb/durability.test.ts)",
    except: nowhere,
  },
]

function bannedCalls(source: Source): string[] {
  const lines = codeOf(source.text).split("\n")
  return bans
    .filter(({ except }) => !except.test(source.path))
    .flatMap(({ pattern, instead }) =>
      findLines(source, lines, (line) => pattern.test(line)).map((at) => `${at}  → ${instead}`),
    )
}

function escapesFromTypes(source: Source): string[] {
  const any = /\bas any\b|: any\b|<any>|\bany\[\]/
  return findLines(source, codeOf(source.text).split("\n"), (line) => any.test(line))
}

function promises(source: Source): string[] {
  return findLines(source, source.text.split("\n"), (line) => /\bTO[D]O\b|\bFIX[M]E\b/.test(line))
}

/** Files that no other file of the same list imports; roots and the reference need no importer. */
function deadFiles(list: readonly Source[]): string[] {
  const imported = new Set(list.flatMap(importsOf).map(({ target }) => target))
  return list.map(({ path }) => path).filter((path) => !entries.test(path) && !imported.has(path))
}

const exportedValue =
  /^export (?:abstract )?(?:async )?(?:function\*?|class|const|let) ([A-Za-z_$][\w$]*)/gm

/**
 * Exported functions, classes and constants of `list` that no other file of `all` names. Types are
 * spared, since they belong to what exports them, and so are the parts of pages, which are made
 * before the pages.
 */
function unusedExports(list: readonly Source[], all: readonly Source[]): string[] {
  const filesByWord = new Map<string, number>()
  for (const { text } of all) {
    for (const word of new Set(codeOf(text).match(/[A-Za-z_$][\w$]*/g))) {
      filesByWord.set(word, (filesByWord.get(word) ?? 0) + 1)
    }
  }
  return list
    .filter(({ path }) => !path.startsWith("src/web/"))
    .flatMap(({ path, text }) =>
      [...text.matchAll(exportedValue)]
        .filter(([, name]) => (filesByWord.get(name!) ?? 0) < 2)
        .map(([, name]) => `${path}: ${name}`),
    )
}

test(`no line is longer than ${lineColumnsMax} columns`, () => {
  assert.deepEqual(everything.flatMap(longLines), [])
})

test(`no file is longer than ${fileLinesMax} lines`, () => {
  assert.deepEqual(everything.flatMap(longFiles), [])
})

test(`no function is longer than ${functionLinesMax} lines`, () => {
  assert.deepEqual(longFunctions(["src", "bench"]), [])
})

test("time, randomness, timers, environment and output come in as arguments", () => {
  assert.deepEqual(sources.flatMap(bannedCalls), [])
})

test("no list becomes arguments of a call without a bound of its length", () => {
  assert.deepEqual(sources.flatMap(spreadCalls), [])
})

test("no value escapes from its type, and nothing is left for later", () => {
  assert.deepEqual(everything.flatMap(escapesFromTypes), [])
  assert.deepEqual(everything.flatMap(promises), [])
})

test("every file of src is imported by another one", () => {
  assert.deepEqual(deadFiles(sources), [])
})

test("every exported function, class and constant of src is used by another file", () => {
  const packaging = ["", "/deb", "/image"].map((folder) => `.ci/package${folder}`)
  const all = [...everything, ...[...packaging, ".ci/manifests"].flatMap(filesOf)]
  assert.deepEqual(unusedExports(sources, all), [])
})

test("the length checks catch a long line, file and function", () => {
  const source = (text: string) => ({ path: "src/x.ts", text })
  const wide = `const text = "${"x".repeat(90)}"`
  assert.equal(longLines(source(wide)).length, 1)
  assert.equal(longLines(source(`// https://example.com/${"x".repeat(90)}`)).length, 0)
  assert.equal(longLines(source(`const pattern = /${"x".repeat(90)}/i`)).length, 0)
  assert.equal(longFiles(source("x\n".repeat(500))).length, 0)
  assert.equal(longFiles(source("x\n".repeat(501))).length, 1)

  const folder = mkdtempSync(join(tmpdir(), "tidegauge-tidy-"))
  const path = join(folder, "long.ts")
  const body = (lines: number) => `export function f() {\n${"  // \n".repeat(lines - 2)}}\n`
  writeFileSync(path, body(functionLinesMax))
  assert.equal(longFunctions([path]).length, 0)
  writeFileSync(path, body(functionLinesMax + 1))
  assert.equal(longFunctions([path]).length, 1)
  rmSync(folder, { recursive: true })
})

test("the ban catches each call, names the replacement, and spares texts and exceptions", () => {
  const f = (text: string, path: string, want: RegExp | null) => {
    const found = bannedCalls({ path, text })
    if (want === null) assert.deepEqual(found, [], text)
    else assert.match(found.join("\n"), want, text)
  }

  f("const t = Date.now()", "src/query/query.ts", /src\/query\/query\.ts:1: .*→ a Clock/)
  f("\nconst t = new Date()", "src/query/query.ts", /:2: .*→ a Clock/)
  f("const t = new Date(ms)", "src/query/query.ts", null)
  f("const t = Date.now()", "src/base/clock.ts", null)
  f("const t = Date.now()", "src/main.ts", null)
  f("Math.random()", "src/main.ts", /a Random/)
  f("setTimeout(f, 1)", "src/engine/engine.ts", /owns the timers/)
  f("setTimeout(f, 1)", "src/http/http.ts", null)
  f("process.env.PORT", "src/http/http.ts", /Config/)
  f("console.log(1)", "src/http/http.ts", /a Logger/)
  f('const load = () => import("./x.ts")', "src/web/shell.tsx", /lazyCode/)
  f('const load = lazyCode(() => import("./x.ts"))', "src/web/shell.tsx", null)
  f("console.log(1)", "src/command/help.ts", null)
  f("eval(text)", "src/main.ts", /a parser/)
  f("new Function(text)", "src/main.ts", /a parser/)
  f("retrieval(text)", "src/main.ts", null)
  f("table.getBinaryFast(key)", "src/store/lmdb/compaction/flush.ts", /a Table/)
  f("root.openDB(name)", "src/store/lmdb/integrity/repair.ts", /a Table/)
  f("table.view(key)", "src/store/lmdb/compaction/flush.ts", null)
  f('// Date.now()\nconst s = "Date.now()"', "src/query/query.ts", null)
  f("const s = `${Date.now()}`", "src/query/query.ts", /a Clock/)
})

test("the other checks catch an escape, a promise and a dead file", () => {
  const source = (path: string, text: string) => ({ path, text })
  assert.equal(escapesFromTypes(source("src/x.ts", "f(x as any)")).length, 1)
  assert.equal(escapesFromTypes(source("src/x.ts", "// as any")).length, 0)
  assert.equal(promises(source("src/x.ts", `// ${"TO"}${"DO"}: later`)).length, 1)
  const alive = source("src/base/a.ts", "export const a = 1")
  const dead = source("src/base/b.ts", 'import { a } from "./a.ts"')
  assert.deepEqual(deadFiles([alive, dead]), ["src/base/b.ts"])
  assert.deepEqual(deadFiles([source("src/main.ts", 'import "./base/a.ts"'), alive]), [])
  assert.deepEqual(unusedExports([alive], [alive, source("test/b.ts", "// a")]), [
    "src/base/a.ts: a",
  ])
  assert.deepEqual(unusedExports([alive], [alive, dead]), [])
})

test("the ban on spreads catches calls, and spares literals and what is bounded", () => {
  const f = (text: string, want: 0 | 1) => {
    assert.equal(spreadCalls({ path: "src/x.ts", text }).length, want, text)
  }

  f("Math.max(...list)", 1)
  f("Math.max(0, ...list.map(({ id }) => id))", 1)
  f("list.push(\n  first,\n  ...(await more()),\n)", 1)
  f("String.fromCharCode(...bytes)", 1)
  f("new Thing(...list)", 1)
  f("const call = list?.(...rest)", 1)
  f("String.fromCharCode.apply(null, bytes)", 1)
  f("Reflect.apply(f, null, list)", 1)
  f("const one = isLong ? f(...list) : g", 1)
  f("if (isLong) f(...list)\n{ g() }", 1)
  f("f([...list], { ...other })", 0)
  f("const f = (...list: string[]) => list", 0)
  f("function f(...list: string[]): void {}", 0)
  f("class X {\n  f(a: number, ...list: string[]): void {}\n}", 0)
  f("steps.apply()", 0)
  f('"f(...list)" // f(...list)', 0)
  f("// spread of at most 64: groups of one pattern\nMath.max(...groups)", 0)
  f("Math.max(...groups) // spread of at most groupsMax: checked above", 0)
  f("// at most a few\nMath.max(...groups)", 1)
})
