import assert from "node:assert/strict"
import { test } from "node:test"
import { exposureWarning } from "../../src/server/startup/exposure.ts"

const plain = (baseUrl: string | null) => ({ baseUrl, tlsCertPath: null })

test("other machines without TLS are warned of, a proxy with TLS and loopback are not", () => {
  for (const address of ["0.0.0.0", "::", "192.0.2.1"]) {
    for (const baseUrl of [null, "http://monitoring.example.org"]) {
      const warning = exposureWarning(address, plain(baseUrl))
      assert.match(warning!, /without TLS.*--tls-cert.*--base-url https:.*127\.0\.0\.1/)
      assert.ok(warning!.includes(address))
    }
    assert.equal(exposureWarning(address, plain("https://monitoring.example.org")), null)
    const tls = { baseUrl: null, tlsCertPath: "/cert.pem" }
    assert.equal(exposureWarning(address, tls), null)
  }
  for (const address of ["127.0.0.1", "127.0.0.53", "::1", "::ffff:127.0.0.1"]) {
    assert.equal(exposureWarning(address, plain(null)), null)
  }
})
