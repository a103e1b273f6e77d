import type { Register } from 'claude-code'

import { startAttached } from './attach'
import { drawBand } from './band'
import { answerCommands, registerCommands } from './commands'
import { filterContext } from './context'
import { drawPanel } from './panel'
import { isCopy } from './state'
import { reportTurns } from './turns'

// The mod draws, passes events on and carries out what `relay` says. What is
// decided is decided in that program.
export const register: Register = on => {
  on('session.start', async ($, e, next) => {
    if (e.isInteractive && !isCopy($)) {
      await registerCommands($)
      startAttached($)
    }
    return next(e)
  }).catch(($, e, next) => next(e))

  drawBand(on)
  drawPanel(on)
  answerCommands(on)
  filterContext(on)
  reportTurns(on)
}
