import type { EngineInterface, Register } from 'claude-code'

import { IN, OUT } from './ends'

// The mod does nothing but what is measured: the end of a turn is told to the other
// client's mod, and what that one tells becomes a prompt.
export const register: Register = on => {
  on('session.start', ($, e, next) => {
    $.clock.after(10, () => void follow($).catch(() => undefined))
    return next(e)
  }).catch(($, e, next) => next(e))
  on('turn.complete', ($, e, next) => {
    const completed = Date.now()
    if (e.agentId === undefined) void tell($, `${completed}`)
    return next(e)
  }).catch(($, e, next) => next(e))
}

// The shell opens the pipe: its name is an argument, not part of the command.
async function tell($: EngineInterface, text: string): Promise<void> {
  await $.process.run(['sh', '-c', 'echo "$1" > "$2"', 'sh', text, OUT])
}

async function follow($: EngineInterface): Promise<void> {
  let turns = 0
  for await (const piece of $.process.spawn({ argv: ['cat', IN] })) {
    for (const line of piece.text.split('\n')) {
      if (line === '') continue
      turns++
      void $.prompt.submit({ text: `[floor turn ${turns}] completed ${line} submitted ${Date.now()}`, asUser: true })
    }
  }
}
