/** The overview of the keys that act now. */

import { Dialog } from "../../parts/dialog.tsx"
import { useApp } from "../app.ts"
import type { Hotkey } from "../hotkeys.ts"
import { keyGroups, type KeyAction, type KeyGroup } from "./key-groups.ts"
import style from "./key-overview.module.css"
import { text } from "./text.ts"

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
        {keyGroups(keys).map((group) => (
          <Group key={group.name} group={group} />
        ))}
      </div>
    </Dialog>
  )
}

function Group({ group: { name, actions } }: { readonly group: KeyGroup }) {
  return (
    <section class={style["group"]}>
      <h3>{text.groups[name]}</h3>
      <dl>
        {actions.map((action) => (
          <div key={action.text} class={style["action"]}>
            <Keys action={action} />
            <dd>{action.text}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

function Keys({ action: { keys, isSequence } }: { readonly action: KeyAction }) {
  return (
    <dt>
      {keys.map((key, i) => (
        <>
          {i > 0 && (isSequence ? " " : ` ${text.or} `)}
          <kbd>{key}</kbd>
        </>
      ))}
    </dt>
  )
}
