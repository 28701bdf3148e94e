/** The frame around a page: navigation, top bar, the page, the status line. */

import type { ComponentChildren, TargetedEvent } from "preact"
import { useEffect, useRef } from "preact/hooks"
import { isDark } from "../platform/page.ts"
import { lazyCode } from "../platform/code.ts"
import { fullUrl } from "../platform/location.ts"
import { copyAndTell } from "./copy.ts"
import { useApp } from "./app.ts"
import style from "./frame.module.css"
import { useRested } from "./live/use-rested.ts"
import { NavigationRail } from "./navigation-rail.tsx"
import { pageLinks } from "./page-links.ts"
import { StatusLine } from "./status-line.tsx"
import { text } from "./text.ts"
import { TopBar } from "./top-bar.tsx"
import { useHotkeys } from "./use-hotkeys.ts"
import { useLoaded } from "./use-loaded.ts"

export interface FrameProps {
  /** Name of the page in the page table; empty for an unknown address. */
  readonly page: string
  /** The page shows a range of time, so the top bar has the time picker. */
  readonly hasRange: boolean
  readonly children: ComponentChildren
}

export function Frame({ page, hasRange, children }: FrameProps) {
  useFrameKeys()
  const { live, contact } = useApp()
  useEffect(() => live.run(), [live])
  const { value: late } = useLoaded(useRested() ? "code" : null, loadLateParts)
  const main = useRef<HTMLElement>(null)
  // The link is relative to the base of all pages, and would lead to the first one.
  const skip = (event: TargetedEvent): void => {
    event.preventDefault()
    main.current?.focus()
  }
  return (
    <div class={style["frame"]}>
      <a class={style["skip"]} href="#page" onClick={skip}>
        {text.skip}
      </a>
      <NavigationRail page={page} />
      <TopBar hasRange={hasRange} />
      {late !== null && <late.SilenceBar />}
      <main
        ref={main}
        id="page"
        class={style["page"]}
        tabIndex={-1}
        data-silent={contact.silentSince.value !== null || undefined}
      >
        {children}
      </main>
      <StatusLine>{late !== null && <late.CycleAndData />}</StatusLine>
    </div>
  )
}

/** Loaded after the first data of the page, so that a first load is no longer for them. */
const loadLateParts = lazyCode(() => import("./live/late-parts.ts"))

function useFrameKeys(): void {
  const { navigation, preferences, api, toasts } = useApp()
  const go = pageLinks.map(({ key, address, text: name }) => ({
    keys: `g ${key}`,
    text: text.go(name),
    group: "everywhere" as const,
    run: () => navigation.push(address),
  }))
  const theme = (): void => {
    const next = isDark() ? "light" : "dark"
    preferences.change(api, { theme: next }).catch((error: Error) => {
      toasts.show(error.message, "error")
    })
  }
  useHotkeys([
    ...go,
    { keys: "m", text: text.switchTheme, group: "everywhere", run: theme },
    {
      keys: "y",
      text: text.copyLink,
      group: "everywhere",
      run: () => void copyAndTell(toasts, fullUrl(), text.linkCopy),
    },
  ])
}
