import assert from "node:assert/strict"
import { test } from "node:test"
import { isCommonPassword } from "../../src/accounts/common-passwords.ts"
import { readablePassword } from "../../src/accounts/credentials.ts"
import { seededRandom } from "../../src/base/random.ts"

test("the commonest passwords are known, in the forms that reach a length", () => {
  for (const text of [
    "password",
    "Password12345!",
    "P@ssw0rd2026",
    "123456789012",
    "!!!Sunshine2026!!!",
    "passwordpassword",
    "aaaaaaaaaaaa",
    "abcabcabcabc",
    "qwertyuiopas",
    "QWERTYUIOP123",
    "1qaz2wsx3edc",
    "mnbvcxzlkjhg",
    "correct horse battery staple",
    "correcthorsebatterystaple",
    "Administrator1",
    "123123123123",
    "12345-12345-12345",
    "111111111111",
  ]) {
    assert.ok(isCommonPassword(text), text)
  }
})

test("others are not, the server's own among them", () => {
  const random = seededRandom(1)
  const own = Array.from({ length: 500 }, () => readablePassword(random))
  const others = [
    "correct horse battery",
    "längst:zwölf",
    "7391 8842 5531 0293",
    "tulip-Rover-9-gaze",
  ]
  for (const text of [...own, ...others]) assert.ok(!isCommonPassword(text), text)
})

test("a long text takes no time that grows faster than it", () => {
  assert.ok(isCommonPassword("1".repeat(1024)))
  assert.ok(!isCommonPassword(`${"1".repeat(511)}x${"2".repeat(512)}`))
})
