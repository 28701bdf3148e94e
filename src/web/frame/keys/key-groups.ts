/** Keys as the overview lists them: groups of actions in the order of use, each with its keys. */

const groupNames = ["everywhere", "page", "chart", "list", "go"] as const
export type KeyGroupName = (typeof groupNames)[number]

/** A key that acts now, as far as the overview shows it (frame/hotkeys.ts). */
export interface ListedKey {
  readonly keys: string
  readonly text: string
  readonly group: Exclude<KeyGroupName, "go">
}

export interface KeyAction {
  readonly text: string
  /** As they are pressed: one of them, or one after the other. */
  readonly keys: readonly string[]
  readonly isSequence: boolean
}

export interface KeyGroup {
  readonly name: KeyGroupName
  readonly actions: readonly KeyAction[]
}

/**
 * The groups that have keys; keys that do the same are one action. `newestFirst`: a part of a page
 * registers its keys in the order of use.
 */
export function keyGroups(newestFirst: readonly ListedKey[]): readonly KeyGroup[] {
  const keys = newestFirst.toReversed()
  const groups = groupNames.map((name) => {
    const own = keys.filter((key) => groupOf(key) === name)
    return { name, actions: actionsOf(own) }
  })
  return groups.filter(({ actions }) => actions.length > 0)
}

/** Pages are gone to by two keys. */
function groupOf({ keys, group }: ListedKey): KeyGroupName {
  return isSequence(keys) ? "go" : group
}

function actionsOf(keys: readonly ListedKey[]): readonly KeyAction[] {
  const actions = new Map<string, KeyAction>()
  for (const { text, keys: pressed } of keys) {
    const parts = pressed.split(" ").map((key) => key.replace("mod+", "Ctrl "))
    const known = actions.get(text)?.keys ?? []
    actions.set(text, { text, keys: [...known, ...parts], isSequence: isSequence(pressed) })
  }
  return [...actions.values()]
}

function isSequence(keys: string): boolean {
  return keys.includes(" ")
}
