/** The entry of the pages: makes the services and draws the shell. The only place that composes. */

import { signal } from "@preact/signals"
import { render } from "preact"
import { ApiClient } from "./api/client.ts"
import { AppContext, type App } from "./frame/app.ts"
import { loadAhead } from "./frame/code/load-ahead.ts"
import { LoadedBuild } from "./frame/code/loaded-build.ts"
import { Hotkeys } from "./frame/hotkeys.ts"
import { LiveStream } from "./frame/live/live-stream.ts"
import { ServerContact } from "./frame/live/server-contact.ts"
import { Preferences } from "./frame/preferences.ts"
import { Ranges } from "./frame/range/ranges.ts"
import { ServerClock } from "./frame/server-clock.ts"
import { Session } from "./frame/session/session.ts"
import { StartAttempts } from "./frame/start/start-attempts.ts"
import { StartProblem } from "./frame/start/start-problem.tsx"
import { Toasts } from "./parts/toasts.tsx"
import { openNavigation } from "./platform/history.ts"
import { basePath, reload, servicePath } from "./platform/location.ts"
import { entryFiles, maySpendData, onVisibility } from "./platform/page.ts"
import { send } from "./platform/send.ts"
import { after, elapsedMs } from "./platform/timers.ts"
import { Shell } from "./shell.tsx"

const askPage = () =>
  send({ method: "GET", url: basePath(), headers: {}, body: null, signal: null })

function createApp(): App {
  const api = new ApiClient(servicePath(), send)
  const preferences = new Preferences()
  const clock = new ServerClock(elapsedMs)
  const navigation = openNavigation()
  const timers = { after, elapsedMs, onVisibility }
  const live = new LiveStream({ api, clock, timers })
  return {
    api,
    preferences,
    navigation,
    ranges: new Ranges({ navigation, preferences, clock }),
    session: new Session(api, preferences, clock),
    clock,
    live,
    contact: new ServerContact({ api, live, clock, timers }),
    openAlerts: signal(null),
    silences: signal(null),
    server: signal(null),
    toasts: new Toasts(),
    build: new LoadedBuild({ askPage, files: entryFiles(), reload }),
    hotkeys: new Hotkeys(() => preferences.choices.value.singleKeys === "on"),
  }
}

async function start(): Promise<void> {
  const root = document.getElementById("app")
  if (root === null) throw new Error("Expected an element #app in index.html")
  const app = createApp()
  const attempts = new StartAttempts({ load: (abort) => app.session.load(abort), after })
  render(<StartProblem attempts={attempts} />, root)
  await attempts.run()
  app.contact.watch()
  app.hotkeys.listen()
  render(
    <AppContext.Provider value={app}>
      <Shell />
    </AppContext.Provider>,
    root,
  )
  const { live, build } = app
  const isThere = () => live.state.peek().kind === "connected" && !build.isOutdated.peek()
  loadAhead({ after, mayLoad: () => isThere() && maySpendData() })
}

void start()
