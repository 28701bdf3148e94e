import assert from "node:assert/strict"
import { test } from "node:test"
import {
  browserPackages,
  compositionRoots,
  folderOf,
  innerFolderOf,
  innerLayers,
  layers,
  packageDoors,
  virtualModules,
} from "./layers.ts"
import { codeOf, importsOf, readSources, readText, type Import } from "./sources.ts"

/** A folder with more files is not read as a table of contents. */
const folderFilesMax = 20
const rootFilesMax = 2

const sources = readSources("src")
const everyLayer = [...layers, ...compositionRoots]
const layersByFolder = new Map(everyLayer.map((layer) => [layer.folder, layer]))
const rootFolders = compositionRoots.map(({ folder }) => folder)

function layerProblems({ from, target }: Import): string[] {
  const [folder, other] = [folderOf(from), folderOf(target)]
  if (folder === undefined) return []
  const layer = layersByFolder.get(folder)
  if (layer === undefined) return [`${from}: the folder ${folder} is in no layer`]
  if (target.startsWith("node:") && layer.isPure)
    return [`${from}: ${folder} is pure, got ${target}`]
  if (!target.startsWith("src/") || folder === other) return []
  if (other === undefined) return [`${from}: no file imports the root ${target}`]
  if (!layer.mayImport.includes(other)) return [`${from}: ${folder} may not import ${target}`]
  const modules = layersByFolder.get(other)?.publicModules
  if (modules === undefined || rootFolders.includes(folder)) return []
  if (modules.some((name) => target === `src/${other}/${name}`)) return []
  return [`${from}: ${target} is no public module of ${other}`]
}

function innerProblems({ from, target }: Import): string[] {
  return Object.entries(innerLayers).flatMap(([folder, order]) => {
    const [inner, other] = [innerFolderOf(folder, from), innerFolderOf(folder, target)]
    if (inner === undefined || other === undefined || inner === other) return []
    const [height, otherHeight] = [order.indexOf(inner), order.indexOf(other)]
    if (height < 0) return [`${from}: ${folder}/${inner} is in no inner layer`]
    return otherHeight < height ? [] : [`${from}: ${target} lies higher in ${folder}`]
  })
}

function packageProblems({ from, target }: Import): string[] {
  if (/^(?:src|test|bench)\/|^node:/.test(target)) return []
  if (from.startsWith("src/web/")) {
    const isBundled = browserPackages.includes(target) || target === "heroicons"
    return isBundled || virtualModules.includes(target) ? [] : [`${from}: ${target} is not bundled`]
  }
  if (from.startsWith("src/build/") && ["assemblyscript", "esbuild", "rolldown"].includes(target))
    return []
  const doors = packageDoors[target]
  if (doors === undefined) return [`${from}: ${target} is a package without a module of its own`]
  return doors.some((door) => (door.endsWith("/") ? from.startsWith(door) : from === door))
    ? []
    : [`${from}: ${target} enters through ${doors.join(" and ")} only`]
}

/** Folders of `paths` that hold more files than a reader can survey, sub-folders aside. */
function crowdedFolders(paths: readonly string[]): string[] {
  const counts = new Map<string, number>()
  for (const path of paths) {
    const folder = path.slice(0, path.lastIndexOf("/"))
    counts.set(folder, (counts.get(folder) ?? 0) + 1)
  }
  return [...counts]
    .filter(([folder, count]) => count > (folder === "src" ? rootFilesMax : folderFilesMax))
    .map(([folder, count]) => `${folder}: ${count} files`)
}

/** Each circle of imports as the path of files around it. */
function circles(imports: readonly Import[]): string[] {
  const targetsByFile = new Map<string, string[]>()
  for (const { from, target } of imports) {
    targetsByFile.set(from, [...(targetsByFile.get(from) ?? []), target])
  }
  const done = new Set<string>()
  const found: string[] = []
  const visit = (file: string, path: readonly string[]) => {
    const at = path.indexOf(file)
    if (at >= 0) found.push([...path.slice(at), file].join(" → "))
    if (at >= 0 || done.has(file)) return
    for (const target of targetsByFile.get(file) ?? []) visit(target, [...path, file])
    done.add(file)
  }
  for (const file of targetsByFile.keys()) visit(file, [])
  return found
}

test("imports only look down, at public modules", () => {
  assert.deepEqual(sources.flatMap(importsOf).flatMap(layerProblems), [])
})

test("inside a folder, too, imports only look down", () => {
  assert.deepEqual(sources.flatMap(importsOf).flatMap(innerProblems), [])
})

test(`src holds at most ${rootFilesMax} files, each folder below it ${folderFilesMax}`, () => {
  assert.deepEqual(crowdedFolders(sources.map(({ path }) => path)), [])
})

test("outside packages enter through their doors only", () => {
  assert.deepEqual(sources.flatMap(importsOf).flatMap(packageProblems), [])
})

test("no file of src, test or bench imports in a circle", () => {
  assert.deepEqual(circles(readSources("src", "test", "bench").flatMap(importsOf)), [])
})

test("every import of our own names a file that exists, with its ending", () => {
  const missing = readSources("src", "test", "bench")
    .flatMap(importsOf)
    .filter(({ target }) => /^(?:src|test|bench)\//.test(target))
    .filter(({ target }) => readText(target) === undefined)
  assert.deepEqual(missing, [])
})

test("the table itself only looks down, and every runtime dependency has a door", () => {
  for (const [height, layer] of everyLayer.entries()) {
    const lower = everyLayer.slice(0, height).map(({ folder }) => folder)
    for (const folder of layer.mayImport) assert.ok(lower.includes(folder), layer.folder)
  }
  const { dependencies } = JSON.parse(readText("package.json")!)
  assert.deepEqual(Object.keys(packageDoors).sort(), Object.keys(dependencies).sort())
})

test("the layer check catches upward, sideways, hidden and impure imports", () => {
  const f = (from: string, name: string, want: RegExp | null) => {
    const [found] = importsOf({ path: from, text: `import { x } from "${name}"` })
    const problems = layerProblems(found!)
    if (want === null) assert.deepEqual(problems, [])
    else assert.match(problems.join(), want)
  }

  f("src/base/clock.ts", "../model/span.ts", /base may not import src\/model\/span\.ts/)
  f("src/query/query.ts", "../engine/engine.ts", /query may not import/)
  f("src/query/query.ts", "../store/lmdb/lmdb.ts", /no public module of store/)
  f("src/query/query.ts", "../store/store.ts", null)
  f("src/rollup/rollup.ts", "node:fs", /rollup is pure/)
  f("src/base/clock.ts", "../main.ts", /no file imports the root/)
  f("src/attic/attic.ts", "../base/assert.ts", /in no layer/)
  f("src/main.ts", "./store/lmdb/lmdb.ts", null)
  f("src/store/lmdb/keys.ts", "../store.ts", null)
})

test("the inner check catches upward imports and unknown sub-folders", () => {
  const f = (from: string, target: string, want: number) =>
    assert.equal(innerProblems({ from, target }).length, want, `${from} ${target}`)

  f("src/store/lmdb/wal/wal.ts", "src/store/lmdb/read/read-store.ts", 1)
  f("src/store/lmdb/wal/wal.ts", "src/store/lmdb/disk/tables.ts", 0)
  f("src/store/lmdb/wal/wal.ts", "src/store/lmdb/write-store.ts", 1)
  f("src/store/lmdb/attic/attic.ts", "src/store/lmdb/disk/tables.ts", 1)
  f("src/store/lmdb/wal/wal.ts", "src/base/limits.ts", 0)
  assert.equal(crowdedFolders(Array.from({ length: 21 }, (_, i) => `src/x/${i}.ts`)).length, 1)
  assert.equal(crowdedFolders(Array.from({ length: 20 }, (_, i) => `src/x/${i}.ts`)).length, 0)
  assert.equal(crowdedFolders(["src/a.ts", "src/b.ts", "src/c.ts", "src/d.ts"]).length, 1)
})

test("the package check catches a package outside its door and an unknown one", () => {
  const f = (from: string, target: string, want: number) =>
    assert.equal(packageProblems({ from, target }).length, want, `${from} ${target}`)

  f("src/query/query.ts", "hono", 1)
  f("src/http/http.ts", "hono", 0)
  f("src/engine/worker-pool.ts", "piscina", 0)
  f("src/engine/engine.ts", "piscina", 1)
  f("src/http/http.ts", "left-pad", 1)
  f("src/http/http.ts", "node:http", 0)
})

test("the circle check catches circles of one, two and three files", () => {
  const f = (arrows: string[], want: number) => {
    const imports = arrows.map((arrow) => ({ from: arrow[0]!, target: arrow[1]! }))
    assert.equal(circles(imports).length, want, arrows.join())
  }

  f(["aa"], 1)
  f(["ab", "ba"], 1)
  f(["ab", "bc", "ca"], 1)
  f(["ab", "bc", "ac"], 0)
})

test("importsOf() sees every form of import and no comment", () => {
  const text = [
    'import { a } from "./a.ts"',
    'import type { B } from "./b.ts"',
    'import {\n  c,\n  d,\n} from "../c.ts"',
    'export { e } from "./e.ts"',
    'import "./f.ts"',
    'const g = await import("./g.ts")',
    'const w = new URL("./w.ts", import.meta.url)',
    'import { h } from "hono/cors"',
    'import { s } from "@hono/node-server/x"',
    '// import { no } from "./no.ts"',
    '/* import "./no.ts" */',
  ].join("\n")
  assert.deepEqual(
    importsOf({ path: "src/x/y.ts", text }).map(({ target }) => target),
    [
      ..."a b".split(" ").map((name) => `src/x/${name}.ts`),
      "src/c.ts",
      "src/x/e.ts",
      "hono",
      "@hono/node-server",
      "src/x/f.ts",
      "src/x/g.ts",
      "src/x/w.ts",
    ],
  )
})

test("codeOf() drops comments and the insides of strings, and keeps the lines", () => {
  const f = (text: string, want: string) => assert.equal(codeOf(text), want)

  f('a("x // y") // z', 'a("") ')
  f("a /* b\nc */ d", "a \n d")
  f("`a ${b(`c ${d}`)} e`", "`${b(`${d}`)}`")
  f("x = /[/'\"]+/g; y", "x = //g; y")
  f("x = a / b / c", "x = a / b / c")
  f("f('it\\'s', d)", "f('', d)")
})

test("codeOf() loses no line of any file", () => {
  const lines = (text: string) => text.split("\n").length
  for (const { path, text } of readSources("src", "test", "bench")) {
    assert.equal(lines(codeOf(text)), lines(text), path)
  }
})
