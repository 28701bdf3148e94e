/** Migrates users stored by earlier versions to the current format. */

import { largestOf } from "../base/iterables.ts"
import type { DocumentChange, DocumentStore } from "../model/document.ts"
import { counterDocumentKind, documentVersion, userKind } from "./documents.ts"
import type { CounterDocument, UserDocument } from "./documents.ts"

/** Version 1 had no id, and no settings besides e-mail, role and password. */
type LegacyUser = Pick<
  UserDocument,
  "version" | "tenant" | "role" | "passwordHash" | "createdMs"
> & { readonly id?: number }

/** Fields of a user without settings. */
export const userDefaults = {
  active: true,
  properties: {},
  customElementTypeIcons: {},
  featuresUsed: [],
} as const

/** Assigns ids to users without one, oldest first, in one transaction. */
export async function migrateUsers(documents: DocumentStore): Promise<void> {
  const stored = (await documents.list(userKind)).map(({ id, document }) => ({
    email: id,
    user: document as LegacyUser,
  }))
  const former = stored.filter(({ user }) => user.id === undefined)
  if (former.length === 0) return
  former.sort((one, other) => one.user.createdMs - other.user.createdMs)
  let last = Math.max(0, largestOf(stored.map(({ user }) => user.id ?? 0)))
  const changes: DocumentChange[] = former.map(({ email, user }) => {
    const document = { ...userDefaults, ...user, version: documentVersion, id: ++last }
    return { kind: userKind, id: email, document }
  })
  const counter: CounterDocument = { version: documentVersion, last }
  await documents.putAll([
    ...changes,
    { kind: counterDocumentKind, id: userKind, document: counter },
  ])
}
