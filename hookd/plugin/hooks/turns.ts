import type { EngineInterface, On, TurnCompleteInput } from 'claude-code'

import { askHere, isScripted, toast } from './relay'
import { client } from './state'

/** Reports each turn's end and remembers whether the main turn runs. */
export function reportTurns(on: On): void {
  on('turn.start', ($, e, next) => {
    if (e.agentId === undefined) client.isWorking = true
    return next(e)
  }).catch(($, e, next) => next(e))

  on('turn.complete', ($, e, next) => {
    if (e.agentId === undefined) client.isWorking = false
    // The client does not wait for it: a turn's end must not hang.
    void report($, e)
    return next(e)
  }).catch(($, e, next) => next(e))
}

async function report($: EngineInterface, e: TurnCompleteInput): Promise<void> {
  if (await isScripted($)) return
  const { reason, answer, isAborted, agentId, turnId } = e
  const said = await askHere($, 'turn', { reason, answer, aborted: isAborted, agent: agentId, turn: turnId })
  toast($, said?.toast)
}
