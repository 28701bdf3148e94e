/** The overview of the keys that act now. */

import { Dialog } from "../../parts/dialog.tsx"
import { useApp } from "../app.ts"
import type { Hotkey } from "../hotkeys.ts"
import style from "./key-overview.module.css"
import { text } from "./text.ts"

const groups: readonly Hotkey["group"][] = ["page", "list", "chart", "everywhere"]

interface KeyOverviewProps {
  readonly keys: readonly Hotkey[]
  readonly onClose: () => void
}

export default function KeyOverview({ keys, onClose }: KeyOverviewProps) {
  const { preferences } = useApp()
  return (
    <Dialog title={text.title} closeName={text.close} shape="wide" onClose={onClose}>
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
      <h3>{text.groups[group]}</h3>
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
