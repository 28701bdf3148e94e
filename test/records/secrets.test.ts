import assert from "node:assert/strict"
import { chmodSync, readdirSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import fc from "fast-check"
import { seededRandom } from "../../src/base/random.ts"
import { Datasources } from "../../src/records/datasources.ts"
import {
  hiddenSecret,
  isSecret,
  mergeProperties,
  noProperties,
  openProperties,
  shownProperties,
} from "../../src/records/guarded-properties.ts"
import { Notifications } from "../../src/records/notifications.ts"
import { SecretBox } from "../../src/records/secret-box.ts"
import { openSecretKey, secretKeyFile } from "../../src/secret-key.ts"
import { makeFolder, removeFolder } from "../support/folder.ts"
import { recordsWorld } from "./world.ts"

const random = seededRandom(7)
const box = new SecretBox(random.bytes(32), random)
const guard = { box, place: "datasource:0", field: "dataSource.properties" }

test("a sealed secret opens in its place, with its key, and nowhere else", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      const sealed = box.seal(text, "here")
      assert.equal(box.open(sealed, "here"), text)
      assert.throws(() => box.open(sealed, "there"), /cannot be opened/)
      assert.throws(() => new SecretBox(random.bytes(32), random).open(sealed, "here"), /cannot be/)
    }),
  )
})

test("a sealed secret that was changed or cut does not open", () => {
  const sealed = box.seal("a secret", "here")
  for (let i = 2; i < sealed.length; i++) {
    const other = sealed[i] === "A" ? "B" : "A"
    const changed = sealed.slice(0, i) + other + sealed.slice(i + 1)
    // The last digit holds bits beyond the last byte.
    if (
      Buffer.from(changed.slice(2), "base64url").equals(Buffer.from(sealed.slice(2), "base64url"))
    )
      continue
    assert.throws(() => box.open(changed, "here"), /cannot be opened/)
    assert.throws(() => box.open(sealed.slice(0, i), "here"), /cannot be opened/)
  }
})

test("the same secret is sealed differently each time", () => {
  assert.notEqual(box.seal("a", "here"), box.seal("a", "here"))
})

test("names tell secrets from the rest", () => {
  const secrets = ["secretKey", "basicPassword", "serviceKey", "apiKey", "clientSecret", "token"]
  const others = [
    "name",
    "url",
    "ec2Enabled",
    "regions",
    "keyName",
    "iamRole",
    "headers",
    "address",
  ]
  assert.deepEqual(secrets.filter(isSecret), secrets)
  assert.deepEqual(others.filter(isSecret), [])
})

test("what was sent is what opens; asterisks keep, null takes away", () => {
  const names = fc.constantFrom("name", "secretKey", "password", "url", "token")
  const values = fc.option(fc.string().filter((text) => text !== hiddenSecret))
  fc.assert(
    fc.property(fc.array(fc.dictionary(names, values), { maxLength: 4 }), (requests) => {
      let stored = noProperties
      const expected = new Map<string, string>()
      for (const sent of requests) {
        stored = mergeProperties(stored, sent, guard)
        for (const [name, value] of Object.entries(sent)) {
          if (value === null) expected.delete(name)
          else expected.set(name, value)
        }
      }
      assert.deepEqual(openProperties(stored, guard), Object.fromEntries(expected))
      const shown = shownProperties(stored)
      assert.deepEqual(mergeProperties(stored, shown, guard), stored)
      for (const [name, value] of expected) {
        assert.equal(shown[name], isSecret(name) && value !== "" ? hiddenSecret : value)
      }
    }),
  )
})

test("asterisks where no secret is kept are refused", () => {
  const sent = { secretKey: hiddenSecret }
  assert.throws(
    () => mergeProperties(noProperties, sent, guard),
    /dataSource\.properties\.secretKey: expected the secret itself/,
  )
  assert.deepEqual(mergeProperties(noProperties, { name: hiddenSecret }, guard).clear, {
    name: hiddenSecret,
  })
})

test("no secret of a datasource or notification lies in the store in clear", async () => {
  const world = recordsWorld()
  const keys = {
    integrations: async () => [],
    create: async () => ({ key: "k" }),
    setDatasourceEnabled: async () => {},
    removeDatasource: async () => {},
  }
  const datasources = new Datasources({ world, keys, box })
  const notifications = new Notifications({ world, box })
  const properties = { secretKey: "hush-one", iamRole: "plain-role" }
  await datasources.create(0, [{ type: "AWS", properties }], () => "dataSource")
  const pager = { name: "duty", serviceKey: "hush-two" }
  await notifications.create(0, { type: "pagerduty", properties: pager })
  const stored = world.documents.dump()
  assert.match(stored, /plain-role/)
  assert.doesNotMatch(stored, /hush/)
})

test("the key file is made once, for its owner only, and read from then on", async () => {
  const folder = makeFolder("tidegauge-key")
  try {
    const key = await openSecretKey(folder, random)
    assert.equal(key.length, 32)
    const path = join(folder, secretKeyFile)
    assert.equal(statSync(path).mode & 0o777, 0o600)
    assert.deepEqual(readdirSync(folder), [secretKeyFile])
    assert.deepEqual(Buffer.from(await openSecretKey(folder, random)), Buffer.from(key))
    chmodSync(path, 0o600)
    writeFileSync(path, "short")
    await assert.rejects(openSecretKey(folder, random), /Expected a key of 32 bytes/)
  } finally {
    removeFolder(folder)
  }
})
