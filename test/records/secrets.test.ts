import assert from "node:assert/strict"
import { chmodSync, readdirSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import fc from "fast-check"
import { seededRandom } from "../support/run/seeded-random.ts"
import { Datasources } from "../../src/records/integrations/datasources.ts"
import {
  mergeProperties,
  noProperties,
  decryptProperties,
  visibleProperties,
} from "../../src/records/secrets/secret-fields.ts"
import { Notifications } from "../../src/records/integrations/notifications.ts"
import { encryptStoredSecrets } from "../../src/records/integrations/encrypt-stored.ts"
import { SecretBox } from "../../src/records/secrets/secret-box.ts"
import {
  hiddenSecret,
  isSecret,
  originOf,
  shownValue,
} from "../../src/records/secrets/secret-values.ts"
import { openSecretKey, secretKeyFile } from "../../src/server/startup/secret-key.ts"
import { makeFolder, removeFolder } from "../support/machine/folder.ts"
import { recordsDeps } from "./test-deps.ts"

const random = seededRandom(7)
const box = new SecretBox(random.bytes(32), random)
const guard = { box, owner: "datasource:0", field: "dataSource.properties" }

test("a secret is decrypted for its owner and key only", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      const sealed = box.encrypt(text, "here")
      assert.equal(box.decrypt(sealed, "here"), text)
      assert.throws(() => box.decrypt(sealed, "there"), /cannot be opened/)
      assert.throws(
        () => new SecretBox(random.bytes(32), random).decrypt(sealed, "here"),
        /cannot be/,
      )
    }),
  )
})

test("a changed or truncated ciphertext is rejected", () => {
  const sealed = box.encrypt("a secret", "here")
  for (let i = 2; i < sealed.length; i++) {
    const other = sealed[i] === "A" ? "B" : "A"
    const changed = sealed.slice(0, i) + other + sealed.slice(i + 1)
    // The last digit holds bits beyond the last byte.
    if (
      Buffer.from(changed.slice(2), "base64url").equals(Buffer.from(sealed.slice(2), "base64url"))
    )
      continue
    assert.throws(() => box.decrypt(changed, "here"), /cannot be opened/)
    assert.throws(() => box.decrypt(sealed.slice(0, i), "here"), /cannot be opened/)
  }
})

test("encryption of the same secret differs each time", () => {
  assert.notEqual(box.encrypt("a", "here"), box.encrypt("a", "here"))
})

test("secrets are recognized by name, however its words are joined (A8)", () => {
  const secrets = ["secretKey", "basicPassword", "serviceKey", "apiKey", "clientSecret", "token"]
  const widened = ["pwd", "private-key", "PRIVATE_KEY", "private.key", "auth", "pass", "headers"]
  const more = ["Authorization", "basic-auth", "access_key", "bearerToken", "connectionString"]
  const others = ["name", "url", "ec2Enabled", "regions", "keyName", "iamRole", "address"]
  const near = ["awsAuthentication", "authType", "author", "passive", "accessKeyId", "headerCount"]
  for (const name of [...secrets, ...widened, ...more]) assert.ok(isSecret(name), name)
  for (const name of [...others, ...near]) assert.ok(!isSecret(name), name)
})

test("scheme, host and plain words of an address are shown (A8)", () => {
  const f = (value: string, want: string, name = "url") => {
    assert.equal(shownValue(name, value), want)
    assert.equal(originOf(name, want), originOf(name, value), "the shown form keeps the origin")
    assert.equal(shownValue(name, want), want, "what is shown is shown so again")
  }
  f("https://a.example/hook", "https://a.example/hook")
  f("https://u:pw@a.example/hook", "https://******@a.example/hook")
  f("https://u:p@w@a.example:8443", "https://******@a.example:8443")
  f(
    "https://hooks.slack.com/services/TAAAAAAA/B1234567/abcdefghijklmnop12345678",
    "https://hooks.slack.com/services/TAAAAAAA/******/******",
  )
  f("https://a.example/hook?token=t&x=", "https://a.example/hook?token=******&x=******")
  f("https://a.example/hook?secret", "https://a.example/hook?******")
  f("https://a.example/#secret", "https://a.example/#******")
  f("https://a.example/x?code=1", "https://a.example/x?code=******", "endpoint")
  // In values that are no addresses, only user and password are secret.
  f("postgres://u:pw@db:5432/x?a=b", "postgres://******@db:5432/x?a=b", "database")
  f("jdbc:mysql://u:pw@db/x", "jdbc:mysql://******@db/x", "database")
  f("https://docs.example/a?b=c", "https://docs.example/a?b=c", "note")
  f("not an address", "not an address")
})

test("decryption returns the sent value; asterisks keep it, null removes it", () => {
  const names = fc.constantFrom("name", "secretKey", "pwd", "database", "token")
  const text = fc.string().filter((one) => !one.includes("*"))
  const address = fc.tuple(text, fc.webUrl()).map(([user, url]) => url.replace("//", `//${user}@`))
  const values = fc.option(fc.oneof(text, address))
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
      assert.deepEqual(decryptProperties(stored, guard), Object.fromEntries(expected))
      const shown = visibleProperties(stored)
      assert.deepEqual(mergeProperties(stored, shown, guard), stored)
      for (const [name, value] of expected) {
        assert.equal(shown[name], shownValue(name, value))
        if (isSecret(name) && value !== "") assert.equal(shown[name], hiddenSecret)
      }
    }),
  )
})

const sealedIn = ({ clear, sealed }: { clear: object; sealed: object }) => [
  Object.keys(clear).toSorted(),
  Object.keys(sealed).toSorted(),
]

test("secrets of an old record are masked, and its next change encrypts them (A8)", () => {
  const [url, headers] = ["https://a.example/x?token=t", "Authorization: Bearer b"]
  const before = { clear: { name: "n", url, headers, pwd: "p" }, sealed: {} }
  const hidden = { name: "n", url: "https://a.example/x?token=******" }
  const want = { ...hidden, headers: hiddenSecret, pwd: hiddenSecret }
  assert.deepEqual(visibleProperties(before), want)
  const none = { name: "n", url: hiddenSecret, headers: hiddenSecret, pwd: hiddenSecret }
  assert.deepEqual(visibleProperties(before, "reader"), none)
  const now = mergeProperties(before, want, guard)
  assert.deepEqual(sealedIn(now), [["name"], ["headers", "pwd", "url"]])
  assert.deepEqual(decryptProperties(now, guard), before.clear)
  assert.deepEqual([visibleProperties(now), visibleProperties(now, "reader")], [want, none])
})

test("users with read access only see no address (A8)", () => {
  const sent = { name: "n", url: "https://a.example/hook", database: "pg://u:p@db/x", note: "x" }
  const stored = mergeProperties(noProperties, sent, guard)
  const shown = { name: "n", url: hiddenSecret, database: hiddenSecret, note: "x" }
  assert.deepEqual(visibleProperties(stored, "reader"), shown)
})

test("secrets are not sent to a target that moved to another origin (A7)", () => {
  const url = "https://a.example/hook"
  const sent = { url, basicPassword: "hush", headers: "X: y" }
  const stored = mergeProperties(noProperties, sent, guard)
  const passes = (more: Record<string, string | null>) =>
    decryptProperties(mergeProperties(stored, more, guard), guard)
  const refused = (more: Record<string, string | null>, names: string) =>
    assert.throws(
      () => mergeProperties(stored, more, guard),
      (error: Error & { problems: string[] }) => {
        const found = error.problems.map(
          (one) => /^dataSource\.properties\.(\w+): exp/.exec(one)?.[1],
        )
        assert.equal(found.join(), names)
        return /url leads to .* and no longer to "https:\/\/a\.example"/.test(error.message)
      },
    )

  assert.equal(passes({ url: "https://a.example/other" })["basicPassword"], "hush")
  assert.equal(passes({ url: "https://A.example:443/hook" })["basicPassword"], "hush")
  assert.equal(passes({ note: "x", url })["url"], url)
  for (const other of ["https://b.example/hook", "http://a.example/", "https://a.example:444/"]) {
    refused({ url: other }, "basicPassword,headers")
    refused(
      { url: other, basicPassword: hiddenSecret, headers: hiddenSecret },
      "basicPassword,headers",
    )
    refused({ url: other, basicPassword: "new" }, "headers")
    const anew = { url: other, basicPassword: "new", headers: null }
    assert.deepEqual(passes(anew), { url: other, basicPassword: "new" })
  }
  refused({ url: null }, "basicPassword,headers")
  refused({ url: "" }, "basicPassword,headers")
})

test("a secret address is not either, and no address is made of a masked one (A7)", () => {
  const url = "https://a.example/hook?token=t"
  const stored = mergeProperties(noProperties, { url, token: "hush" }, guard)
  const shown = visibleProperties(stored)["url"]!
  assert.deepEqual(mergeProperties(stored, { url: shown }, guard), stored)
  const f = (sent: Record<string, string>, want: RegExp) =>
    assert.throws(() => mergeProperties(stored, sent, guard), want)

  f({ url: shown.replace("a.example", "b.example") }, /url: expected the secret itself, got/)
  f({ url: "https://b.example/" }, /token: expected the secret itself .*url leads to/)
  f({ endpoint: "https://b.example/" }, /token: .*endpoint leads to .* no longer to "the default"/)
  const moved = () => mergeProperties(stored, { note: "x" }, guard, "the type changes")
  assert.throws(moved, /token: .*: the type changes/)
})

test("asterisks without a stored secret are rejected", () => {
  const sent = { secretKey: hiddenSecret }
  assert.throws(
    () => mergeProperties(noProperties, sent, guard),
    /dataSource\.properties\.secretKey: expected the secret itself/,
  )
  assert.deepEqual(mergeProperties(noProperties, { name: hiddenSecret }, guard).clear, {
    name: hiddenSecret,
  })
  const url = { database: `pg://${hiddenSecret}@db` }
  assert.throws(() => mergeProperties(noProperties, url, guard), /database: expected the secret/)
})

test("no secret of a datasource or notification is stored in plaintext", async () => {
  const deps = recordsDeps()
  const keys = {
    integrations: async () => [],
    create: async () => ({ key: "k" }),
    setDatasourceEnabled: async () => {},
    removeDatasource: async () => {},
  }
  const datasources = new Datasources({ deps, keys, box })
  const notifications = new Notifications({ deps, box })
  const properties = { secretKey: "hush-one", iamRole: "plain-role", endpoint: "pg://x:hush@db" }
  await datasources.create(0, [{ type: "AWS", properties }], () => "dataSource")
  const pager = { name: "duty", serviceKey: "hush-two" }
  await notifications.create(0, { type: "pagerduty", properties: pager })
  const url = "https://u:hush-three@a.example/hush-hush-hush-four?t=hush-five"
  const hook = { name: "hook", url, headers: "Authorization: Bearer hush-six" }
  await notifications.create(0, { type: "webhook", properties: hook })
  const stored = deps.documents.dump()
  assert.match(stored, /plain-role/)
  assert.doesNotMatch(stored, /hush/)
})

test("the start encrypts the secrets of an old store, once (A8)", async () => {
  const deps = recordsDeps()
  const { documents } = deps
  const keys = { integrations: async () => [] } as never
  const datasources = new Datasources({ deps, keys, box })
  const notifications = new Notifications({ deps, box })
  const times = { version: 1, createdMs: 0, updatedMs: 0 }
  const old = (clear: object, more: object) => {
    return { ...times, body: { ...more, properties: { clear, sealed: {} } } }
  }
  const hook = { name: "n", url: "https://a.example/?t=hush", headers: "X: hush" }
  const large = { ...hook, note: "x".repeat(65_000), pwd: "hush".repeat(100) }
  await documents.put("notification:1", "7", old(hook, { type: "webhook", enabled: true }))
  await documents.put("notification:1", "8", old(large, { type: "webhook", enabled: true }))
  await documents.put("datasource:0", "5", old({ pwd: "hush" }, { name: "d", type: "AWS" }))
  const options = { documents, tenants: () => [0, 1], datasources, notifications }
  await encryptStoredSecrets(options)
  for (const [kind, id] of [
    ["notification:1", "7"],
    ["datasource:0", "5"],
  ] as const) {
    assert.doesNotMatch(JSON.stringify(await documents.get(kind, id)), /hush/)
  }
  assert.deepEqual((await notifications.getDecrypted(1, "7")).properties, hook)
  // A record that exceeds the limit when encrypted stays, and the start continues.
  assert.deepEqual((await notifications.getDecrypted(1, "8")).properties, large)
  const again = { ...options, tenants: () => assert.fail("looked again") }
  await encryptStoredSecrets(again)
})

test("the key file is created once, for its owner only, and read from then on", async () => {
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

test("a given key is used and not written; a folder with another key is refused", async () => {
  const folder = makeFolder("tidegauge-key")
  try {
    const given = "0f".repeat(32)
    const open = (text: string | null) => openSecretKey(folder, random, text)
    assert.deepEqual(Buffer.from(await open(given)), Buffer.from(given, "hex"))
    assert.deepEqual(readdirSync(folder), [])
    const kept = Buffer.from(await open(null)).toString("hex")
    await assert.rejects(open(given), /--secret-key differs from the key in .*secrets\.key/)
    assert.equal(Buffer.from(await open(kept)).toString("hex"), kept)
  } finally {
    removeFolder(folder)
  }
})
