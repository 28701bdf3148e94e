/** The overview of the keys that act now, opened by `?`. */

import { useState } from "preact/hooks"
import { Dialog } from "../parts/dialog.tsx"
import { useApp } from "./app.ts"
import type { Hotkey } from "./hotkeys.ts"
import style from "./key-overview.module.css"
import { text } from "./text.ts"
import { useHotkeys } from "./use-hotkeys.ts"

const groups: readonly Hotkey["group"][] = ["page", "list", "chart", "everywhere"]

export function KeyOverview() {
  const { hotkeys, preferences } = useApp()
  const [keys, setKeys] = useState<readonly Hotkey[] | null>(null)
  const run = (): void => setKeys(hotkeys.all)
  useHotkeys([{ keys: "?", text: text.showKeys, group: "everywhere", run }])
  if (keys === null) return null
  return (
    <Dialog
      title={text.keysTitle}
      closeName={text.close}
      shape="wide"
      onClose={() => setKeys(null)}
    >
      {preferences.choices.value.singleKeys === "off" && <p>{text.keysOff}</p>}
      <div class={style["groups"]}>
        {groups.map((group) => (
          <KeyGroup key={group} group={group} keys={keys.filter((key) => key.group === group)} />
        ))}
      </div>
    </Dialog>
  )
}

interface KeyGroupProps {
  readonly group: Hotkey["group"]
  readonly keys: readonly Hotkey[]
}

function KeyGroup({ group, keys }: KeyGroupProps) {
  if (keys.length === 0) return null
  return (
    <section>
      <h3>{text.keyGroups[group]}</h3>
      <dl class={style["keys"]}>
        {keys.map((hotkey) => (
          <div key={hotkey.keys}>
            <dt>
              {hotkey.keys.split(" ").map((key) => (
                <kbd key={key}>{key.replace("mod+", "Ctrl ")}</kbd>
              ))}
            </dt>
            <dd>{hotkey.text}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
