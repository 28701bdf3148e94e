import assert from "node:assert/strict"
import { test } from "node:test"
import { isCommonPassword } from "../../src/accounts/common-passwords.ts"
import { readablePassword } from "../../src/accounts/credentials.ts"
import { seededRandom } from "../support/run/seeded-random.ts"

test("common passwords are detected, with their usual extensions to a length", () => {
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

test("uncommon passwords are accepted, including generated ones", () => {
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

test("checking a password takes time linear in its length", () => {
  assert.ok(isCommonPassword("1".repeat(1024)))
  assert.ok(!isCommonPassword(`${"1".repeat(511)}x${"2".repeat(512)}`))
})
