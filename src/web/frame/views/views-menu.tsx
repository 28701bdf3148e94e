/** Saved views of a page: one opens, the present one is saved, all are renamed and deleted. */

import { useState } from "preact/hooks"
import { readViews } from "../../api/views.ts"
import { visibleText } from "../../format/visible-text.ts"
import { Menu } from "../../parts/menu.tsx"
import { useApp } from "../app.ts"
import { useLoaded } from "../use-loaded.ts"
import { ManageDialog } from "./manage-dialog.tsx"
import { SaveDialog } from "./save-dialog.tsx"
import { text } from "./text.ts"

export interface ViewsMenuProps {
  /** Name of the page, as in its address. */
  readonly page: string
}

/** More are found in the dialog, and by the palette. */
const listedMax = 12

export function ViewsMenu({ page }: ViewsMenuProps) {
  const { api, navigation } = useApp()
  const [dialog, setDialog] = useState<"save" | "manage" | null>(null)
  const views = useLoaded(page, (signal) => readViews(api, page, signal))
  const close = (): void => setDialog(null)
  const listed = (views.value ?? []).slice(0, listedMax)
  return (
    <>
      <Menu
        align="end"
        items={[
          { text: text.save, run: () => setDialog("save") },
          ...listed.map(({ name, query }) => ({
            text: visibleText(name),
            run: () => navigation.push(query === "" ? page : `${page}?${query}`),
          })),
          { text: text.manage, run: () => setDialog("manage") },
        ]}
      >
        {text.views}
      </Menu>
      {dialog === "save" && <SaveDialog page={page} onClose={close} onSaved={views.reload} />}
      {dialog === "manage" && <ManageDialog page={page} views={views} onClose={close} />}
    </>
  )
}
