/** Pages of the navigation, in its order. */

import bell from "heroicons/20/solid/bell.svg"
import chart from "heroicons/20/solid/chart-bar.svg"
import calendar from "heroicons/20/solid/calendar.svg"
import home from "heroicons/20/solid/home.svg"
import plus from "heroicons/20/solid/plus-circle.svg"
import servers from "heroicons/20/solid/server-stack.svg"
import user from "heroicons/20/solid/user-circle.svg"
import { text } from "./text.ts"

export interface PageLink {
  /** Names of the pages in the page table for which the link is marked as the current one. */
  readonly pages: readonly string[]
  /** Below /app/. */
  readonly address: string
  /** After `g`. */
  readonly key: string
  readonly text: string
  readonly icon: readonly string[]
  /** Has a place in the bar of five at the bottom of a phone; the others are in the menu above. */
  readonly isInBottomBar: boolean
}

export const pageLinks: readonly PageLink[] = [
  {
    pages: ["home"],
    address: "",
    key: "h",
    text: text.pages.home,
    icon: home,
    isInBottomBar: true,
  },
  {
    pages: ["alerts", "incident"],
    address: "alerts",
    key: "a",
    text: text.pages.alerts,
    icon: bell,
    isInBottomBar: true,
  },
  {
    pages: ["inventory", "element"],
    address: "inventory",
    key: "i",
    text: text.pages.inventory,
    icon: servers,
    isInBottomBar: true,
  },
  {
    pages: ["explore"],
    address: "explore",
    key: "e",
    text: text.pages.explore,
    icon: chart,
    isInBottomBar: true,
  },
  {
    pages: ["events"],
    address: "events",
    key: "v",
    text: text.pages.events,
    icon: calendar,
    isInBottomBar: true,
  },
  {
    pages: ["welcome"],
    address: "welcome",
    key: "w",
    text: text.pages.welcome,
    icon: plus,
    isInBottomBar: false,
  },
  {
    pages: ["profile"],
    address: "settings/profile",
    key: "s",
    text: text.pages.profile,
    icon: user,
    isInBottomBar: false,
  },
]
