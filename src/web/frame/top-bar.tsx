/** The top bar: what is shown, what is searched, which time, who is signed in. */

import user from "heroicons/20/solid/user-circle.svg"
import { Menu } from "../parts/menu.tsx"
import { servicePath } from "../platform/location.ts"
import { useApp } from "./app.ts"
import style from "./top-bar.module.css"
import { text } from "./text.ts"

export function TopBar() {
  const { session, navigation, toasts } = useApp()
  const signOut = (): void => {
    session.signOut().catch((error: Error) => toasts.show(error.message, "error"))
  }
  return (
    <header class={style["bar"]}>
      <a class={style["product"]} href="./">
        {text.product}
      </a>
      <span class={style["space"]} />
      <a href={`${servicePath()}/docs`} target="_blank" rel="noreferrer">
        {text.pages.handbook}
      </a>
      <a href={`${servicePath()}/docs/reference`} target="_blank" rel="noreferrer">
        {text.pages.apiDocs}
      </a>
      <Menu
        kind="quiet"
        icon={user}
        iconName={text.you}
        align="end"
        items={[
          { text: text.pages.profile, run: () => navigation.push("settings/profile") },
          { text: text.signOut, run: signOut },
        ]}
      />
    </header>
  )
}
