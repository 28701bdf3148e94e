import assert from "node:assert/strict"
import { test } from "node:test"
import { floors, folderOf, packageDoors } from "./floors.ts"
import { codeOf, importsOf, readSources, readText, type Import } from "./sources.ts"

const sources = readSources("src")
const floorsByFolder = new Map(floors.map((floor) => [floor.folder, floor]))

function arrowProblems({ from, target }: Import): string[] {
  const [folder, other] = [folderOf(from), folderOf(target)]
  if (folder === undefined) return []
  const floor = floorsByFolder.get(folder)
  if (floor === undefined) return [`${from}: the folder ${folder} has no floor`]
  if (target.startsWith("node:") && floor.pure) return [`${from}: ${folder} is pure, got ${target}`]
  if (!target.startsWith("src/") || folder === other) return []
  if (other === undefined) return [`${from}: only roots import the root ${target}`]
  if (!floor.mayImport.includes(other)) return [`${from}: ${folder} may not import ${target}`]
  const doors = floorsByFolder.get(other)?.doors
  if (doors === undefined || doors.some((door) => target === `src/${other}/${door}`)) return []
  return [`${from}: ${target} is no door of ${other}`]
}

function packageProblems({ from, target }: Import): string[] {
  if (/^(?:src|test|bench)\/|^node:/.test(target)) return []
  const doors = packageDoors[target]
  if (doors === undefined) return [`${from}: ${target} has no door in the house`]
  return doors.some((door) => (door.endsWith("/") ? from.startsWith(door) : from === door))
    ? []
    : [`${from}: ${target} enters through ${doors.join(" and ")} only`]
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

test("imports only look down, through doors", () => {
  assert.deepEqual(sources.flatMap(importsOf).flatMap(arrowProblems), [])
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
  for (const [height, floor] of floors.entries()) {
    const lower = floors.slice(0, height).map(({ folder }) => folder)
    for (const folder of floor.mayImport) assert.ok(lower.includes(folder), floor.folder)
  }
  const { dependencies } = JSON.parse(readText("package.json")!)
  assert.deepEqual(Object.keys(packageDoors).sort(), Object.keys(dependencies).sort())
})

test("the arrow check catches upward, sideways, back-door and impure imports", () => {
  const f = (from: string, name: string, want: RegExp | null) => {
    const [found] = importsOf({ path: from, text: `import { x } from "${name}"` })
    const problems = arrowProblems(found!)
    if (want === null) assert.deepEqual(problems, [])
    else assert.match(problems.join(), want)
  }

  f("src/base/clock.ts", "../model/span.ts", /base may not import src\/model\/span\.ts/)
  f("src/query/query.ts", "../engine/engine.ts", /query may not import/)
  f("src/query/query.ts", "../store/lmdb/lmdb.ts", /no door of store/)
  f("src/query/query.ts", "../store/store.ts", null)
  f("src/rollup/rollup.ts", "node:fs", /rollup is pure/)
  f("src/base/clock.ts", "../main.ts", /only roots/)
  f("src/cellar/cellar.ts", "../base/assert.ts", /no floor/)
  f("src/main.ts", "./store/lmdb/lmdb.ts", null)
  f("src/store/lmdb/keys.ts", "../store.ts", null)
})

test("the package check catches a package outside its door and an unknown one", () => {
  const f = (from: string, target: string, want: number) =>
    assert.equal(packageProblems({ from, target }).length, want, `${from} ${target}`)

  f("src/query/query.ts", "hono", 1)
  f("src/http/http.ts", "hono", 0)
  f("src/engine/pool.ts", "piscina", 0)
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
