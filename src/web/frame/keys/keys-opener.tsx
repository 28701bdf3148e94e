/** Opens the overview of keys by `?`. */

import { useState } from "preact/hooks"
import { lazyCode } from "../../platform/code.ts"
import { useApp } from "../app.ts"
import type { Hotkey } from "../hotkeys.ts"
import { text } from "../text.ts"
import { useHotkeys } from "../use-hotkeys.ts"
import { useLoaded } from "../use-loaded.ts"

const loadOverview = lazyCode(() => import("./key-overview.tsx"))

export function KeysOpener() {
  const { hotkeys } = useApp()
  const [keys, setKeys] = useState<readonly Hotkey[] | null>(null)
  const run = (): void => setKeys(hotkeys.all)
  useHotkeys([{ keys: "?", text: text.showKeys, group: "everywhere", run }])
  const { value: module } = useLoaded(keys === null ? null : "code", loadOverview)
  if (keys === null || module === null) return null
  return <module.default keys={keys} onClose={() => setKeys(null)} />
}
