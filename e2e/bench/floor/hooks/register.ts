import type { EngineInterface, Register } from 'claude-code'

// What the end of a turn leaves to do is done by then.
const PAUSE_MS = 700

let turns = 0

// The mod does nothing but what is measured. Each prompt tells the model's side
// when the turn before it was complete and when it was submitted itself.
export const register: Register = on => {
  on('turn.complete', ($, e, next) => {
    const completed = Date.now()
    if (e.agentId === undefined) $.clock.after(PAUSE_MS, () => submit($, completed))
    return next(e)
  }).catch(($, e, next) => next(e))
}

function submit($: EngineInterface, completed: number): void {
  turns++
  const text = `[floor turn ${turns}] completed ${completed} submitted ${Date.now()}`
  void $.prompt.submit({ text, asUser: true })
}
