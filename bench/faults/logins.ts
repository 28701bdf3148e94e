/** A flood of logins as a run of faults: `node --import tsx bench/faults/logins.ts [seconds]`. */

import "../logins.ts"
