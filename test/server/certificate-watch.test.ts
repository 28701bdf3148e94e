import assert from "node:assert/strict"
import { chmodSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { test, type TestContext } from "node:test"
import type { TlsMaterial } from "../../src/http/http.ts"
import { CertificateWatch } from "../../src/server/reload/certificate-watch.ts"
import { loadCertificate } from "../../src/server/startup/certificate.ts"
import { makeCertificate, type TestCertificate } from "../support/network/certificate.ts"
import { makeFolder, removeFolder } from "../support/machine/folder.ts"
import { TestClock } from "../support/time/test-clock.ts"

const dayMs = 86_400_000
const nowMs = Date.UTC(2026, 0, 5)
const fromMs = nowMs - dayMs
const toMs = nowMs + 90 * dayMs

function files(t: TestContext) {
  const folder = makeFolder("tidegauge-certificate")
  t.after(() => removeFolder(folder))
  const paths = { certPath: join(folder, "cert"), keyPath: join(folder, "key") }
  const write = ({ cert, key }: TestCertificate) => {
    writeFileSync(paths.certPath, cert)
    writeFileSync(paths.keyPath, key, { mode: 0o600 })
  }
  return { paths, write }
}

function watched(t: TestContext) {
  const { paths, write } = files(t)
  const clock = new TestClock(nowMs)
  const used: TlsMaterial[] = []
  const logged: string[] = []
  let look = (): void => {}
  const line = (fields: object, message: string) =>
    void logged.push(`${message} ${JSON.stringify(fields)}`)
  const deps = {
    load: loadCertificate,
    use: (material: TlsMaterial) => void used.push(material),
    clock,
    log: { info: line, warn: line },
    repeat: (callback: () => void) => {
      look = callback
      return () => {}
    },
  }
  const first = makeCertificate({ fromMs, toMs })
  write(first)
  const watch = new CertificateWatch(paths, loadCertificate(paths), deps)
  watch.start()
  return { paths, write, clock, used, logged, watch, look: () => look() }
}

test("changed files are used at the next look, unchanged ones are not", (t) => {
  const { write, used, logged, look } = watched(t)
  look()
  assert.deepEqual([used, logged], [[], []])
  const next = makeCertificate({ fromMs, toMs, serial: 2 })
  write(next)
  look()
  look()
  assert.deepEqual(
    used.map(({ cert }) => cert),
    [next.cert],
  )
  assert.match(logged.join("\n"), /^a new certificate is in use \{"validTo":"2026-04-05T/)
})

test("a pair that does not fit keeps the old one, and is logged once if it lasts", (t) => {
  const { paths, write, used, logged, look } = watched(t)
  const next = makeCertificate({ fromMs, toMs, serial: 2 })
  writeFileSync(paths.certPath, next.cert)
  look()
  assert.deepEqual([used, logged], [[], []])
  look()
  look()
  assert.equal(logged.length, 1)
  assert.match(logged[0]!, /was not replaced.*--tls-key: .*is not the private key of/)
  write(next)
  look()
  assert.equal(used.length, 1)
})

test("a reload looks immediately, takes other paths, and logs a problem immediately", (t) => {
  const { paths, used, logged, watch } = watched(t)
  const other = files(t)
  watch.reload(other.paths)
  assert.match(logged[0]!, /was not replaced.*--tls-cert: .* does not exist/)
  other.write(makeCertificate({ fromMs, toMs: nowMs - 1 }))
  watch.reload(other.paths)
  assert.match(logged[1]!, /was not replaced.*has expired/)
  other.write(makeCertificate({ fromMs, toMs, serial: 3 }))
  watch.reload(other.paths)
  assert.equal(used.length, 1)
  watch.reload(paths)
  assert.equal(used.length, 2)
})

test("a certificate that expires within two weeks is logged once a day", (t) => {
  const { watch, clock, logged, look } = watched(t)
  assert.equal(watch.validToMs, toMs)
  clock.advance(75 * dayMs)
  look()
  assert.deepEqual(logged, [])
  clock.advance(2 * dayMs)
  look()
  look()
  assert.equal(logged.length, 1)
  assert.match(logged[0]!, /^the certificate expires soon or has expired \{"validTo":"2026-04-05/)
  for (let hour = 0; hour < 48; hour++) {
    clock.advance(dayMs / 24)
    look()
  }
  assert.equal(logged.length, 3)
})

test("files that are no certificate or key are refused with flag and file", (t) => {
  const { paths, write } = files(t)
  const good = makeCertificate()
  const f = (certificate: TestCertificate, want: RegExp) => {
    write(certificate)
    assert.throws(() => loadCertificate(paths), want)
  }
  assert.throws(() => loadCertificate(paths), /^ServiceError: --tls-cert: ".*cert" does not exist/)
  f({ ...good, cert: "x" }, /--tls-cert: ".*cert" is no certificate as PEM/)
  f({ ...good, key: "x" }, /--tls-key: ".*key" is not the private key of ".*cert"/)
  f({ ...good, key: makeCertificate().key }, /--tls-key: .* is not the private key/)
  write(good)
  chmodSync(paths.keyPath, 0o644)
  assert.throws(() => loadCertificate(paths), /--tls-key: ".*key" can be read by every user/)
})
