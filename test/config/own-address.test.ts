import assert from "node:assert/strict"
import { test } from "node:test"
import { localAddress, ownAddress } from "../../src/config/own-address.ts"

test("an address of every interface becomes this machine's, of the same family", () => {
  const at = (host: string, tlsCertPath: string | null = null) =>
    localAddress({ host, port: 8080, tlsCertPath })

  assert.equal(at("0.0.0.0"), "http://127.0.0.1:8080")
  assert.equal(at("::"), "http://[::1]:8080")
  assert.equal(at("2001:db8::7", "/cert.pem"), "https://[2001:db8::7]:8080")
  assert.equal(at("monitor.example.org"), "http://monitor.example.org:8080")
})

test("the public address wins, without its last slash", () => {
  const settings = { host: "::", port: 80, tlsCertPath: null }
  const baseUrl = "https://monitor.example.org/tide/"
  assert.equal(ownAddress({ ...settings, baseUrl }), "https://monitor.example.org/tide")
  assert.equal(ownAddress({ ...settings, baseUrl: null }), "http://[::1]:80")
})
