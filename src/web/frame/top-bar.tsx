/** The top bar: what is shown, what is searched, which time, who is signed in. */

import user from "heroicons/20/solid/user-circle.svg"
import { Menu } from "../parts/menu.tsx"
import { openTab, servicePath } from "../platform/location.ts"
import { useApp } from "./app.ts"
import { PaletteOpener } from "./palette/palette-opener.tsx"
import { pageLinks } from "./page-links.ts"
import { text } from "./text.ts"
import { TimePicker } from "./range/time-picker.tsx"
import style from "./top-bar.module.css"

/** The bar of a phone has no room for them. */
const pagesOfMenu = pageLinks.filter(({ isInBottomBar }) => !isInBottomBar)

export interface TopBarProps {
  readonly hasRange: boolean
}

export function TopBar({ hasRange }: TopBarProps) {
  const { session, navigation, toasts } = useApp()
  const signOut = (): void => {
    session.signOut().catch((error: Error) => toasts.show(error.message, "error"))
  }
  return (
    <header class={style["bar"]}>
      <PaletteOpener hasRange={hasRange} />
      <span class={style["space"]} />
      {hasRange && <TimePicker />}
      <Menu
        kind="quiet"
        icon={user}
        iconName={text.you}
        align="end"
        items={[
          ...pagesOfMenu.map((link) => ({
            text: link.text,
            run: () => navigation.push(link.address),
          })),
          { text: text.pages.handbook, run: () => openTab(`${servicePath()}/docs`) },
          { text: text.pages.apiDocs, run: () => openTab(`${servicePath()}/docs/reference`) },
          { text: text.signOut, run: signOut },
        ]}
      />
    </header>
  )
}
