/** The toolbar of Explore: shape, bands, percentiles, export. */

import download from "heroicons/20/solid/arrow-down-tray.svg"
import { useApp } from "../../frame/app.ts"
import { text as frameText } from "../../frame/text.ts"
import { Menu } from "../../parts/menu.tsx"
import { InlineSelect } from "../../parts/inline-select.tsx"
import { Segments } from "../../parts/segments.tsx"
import { Toggle } from "../../parts/toggle.tsx"
import { copyAndTell } from "../../frame/copy.ts"
import { fullUrl } from "../../platform/location.ts"
import type { ExploreView } from "./explore-state.ts"
import style from "./explore.module.css"
import type { Exports } from "./exports.ts"
import type { Split } from "./split.ts"
import { text } from "./text.ts"

export interface ToolbarProps {
  readonly state: ExploreView
  readonly split: Split
  /** Null if there is nothing to take along. */
  readonly saves: Exports | null
}

const shapes = ["lines", "area", "stacked", "heat", "table", "bar"] as const
const percentileShapes = ["none", "lines", "fan"] as const

export function Toolbar({ state, split, saves }: ToolbarProps) {
  const { values, look, setLook } = state
  const isTable = values.view === "table" || values.view === "bar"
  return (
    <div class={style["toolbar"]}>
      <Segments
        label={text.shape}
        value={values.view}
        options={shapes.map((value) => ({ value, text: text.shapes[value] }))}
        onValue={(view) => state.set({ view })}
      />
      {!isTable && (
        <>
          {split.isOffered && (
            <Toggle isOn={split.isEach} onValue={() => state.set({ each: split.other })}>
              {text.split}
            </Toggle>
          )}
          <Toggle isOn={look.hasBands} onValue={(hasBands) => setLook({ hasBands })}>
            {text.bands}
          </Toggle>
          <Toggle isOn={look.isFromZero} onValue={(isFromZero) => setLook({ isFromZero })}>
            {text.zero}
          </Toggle>
          <InlineSelect
            label={text.percentiles}
            value={look.percentiles}
            options={percentileShapes.map((value) => ({
              value,
              text: text.percentileShapes[value],
            }))}
            onValue={(percentiles) => setLook({ percentiles })}
          />
        </>
      )}
      <span class={style["space"]} />
      {saves !== null && <ExportMenu saves={saves} />}
    </div>
  )
}

function ExportMenu({ saves }: { readonly saves: Exports }) {
  const { toasts } = useApp()
  const copy = (copied: string, done: string): void =>
    void copyAndTell(toasts, copied, { done, failed: text.notCopied })
  return (
    <Menu
      icon={download}
      align="end"
      items={[
        { text: text.png, run: saves.png },
        { text: text.csv, run: saves.csv },
        { text: text.table, run: () => copy(saves.table(), text.copied) },
        { text: text.link, run: () => copy(fullUrl(), frameText.linkCopy.done) },
      ]}
    >
      <span class={style["exportWord"]}>{text.download}</span>
    </Menu>
  )
}
