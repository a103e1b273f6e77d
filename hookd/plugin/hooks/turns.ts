import type { EngineInterface, On, TurnCompleteInput } from 'claude-code'

import { ask, isScripted, toast } from './relay'
import { client } from './state'
import type { Speaker } from './state'

/** Reports each turn's end and remembers whether the main turn runs. */
export function reportTurns(on: On): void {
  on('turn.start', ($, e, next) => {
    if (e.agentId === undefined) {
      client.isWorking = true
      // Asked now, it delays nothing: after the turn a delivery waits for it.
      client.turn = { id: e.turnId, speaker: speaker($).catch(() => undefined) }
    }
    return next(e)
  }).catch(($, e, next) => next(e))

  on('turn.complete', ($, e, next) => {
    if (e.agentId === undefined) client.isWorking = false
    // The client does not wait for it: a turn's end must not hang.
    void report($, e)
    return next(e)
  }).catch(($, e, next) => next(e))
}

async function speaker($: EngineInterface): Promise<Speaker> {
  return { session: await $.session.id(), isScripted: await isScripted($) }
}

async function report($: EngineInterface, e: TurnCompleteInput): Promise<void> {
  const known = client.turn?.id === e.turnId ? client.turn.speaker : undefined
  const { session, isScripted } = (await known) ?? (await speaker($))
  if (isScripted) return
  const { reason, answer, isAborted, agentId, turnId } = e
  const said = await ask($, session, 'turn', { reason, answer, aborted: isAborted, agent: agentId, turn: turnId })
  toast($, said?.toast)
}
