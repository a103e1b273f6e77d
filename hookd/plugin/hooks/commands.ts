import type { CommandRunResult, EngineInterface, On } from 'claude-code'

import { openPanel } from './panel'
import { askHere, note, toast } from './relay'
import { client, isCopy } from './state'
import { splitWords } from './words'

const silent: CommandRunResult = { text: 'relay did not answer', isTextDisplayOnly: true }

/** Offers /relay and /exchange; a name that another plugin holds stays its own. */
export async function registerCommands($: EngineInterface): Promise<void> {
  try {
    await $.command.register({
      name: 'relay',
      description: 'Carry work between two sessions',
      argumentHint: '[status | planner | builder | goal | …]',
      immediate: true,
    })
    await $.command.register({
      name: 'exchange',
      description: 'See who works in this tree and what is waiting',
      argumentHint: '[show | claim | handoff … | doctor]',
      immediate: true,
    })
  } catch (fault) {
    note($, `commands: ${String(fault)}`)
  }
}

export function answerCommands(on: On): void {
  on('command.run', { command: 'relay' }, async ($, e, next) => {
    if (isCopy($)) return next(e)
    const isMidTurn = client.isWorking
    const answer = await askHere($, 'command', { args: e.args, mid_turn: isMidTurn })
    if (answer === undefined) return silent
    if (answer.open === true) await openPanel($)
    // The row of a command typed in mid-turn is drawn at the turn's end only; a panel
    // says the same at once.
    toast($, answer.toast ?? (isMidTurn && answer.open !== true ? answer.text : undefined))
    return answer.text ? { text: answer.text, isTextDisplayOnly: true } : { isTextDisplayOnly: true }
  }).catch(() => silent)

  on('command.run', { command: 'exchange' }, async ($, e, next) => {
    if (isCopy($)) return next(e)
    const words = splitWords(e.args)
    const ran = await $.process.run([`${$.plugin.root}/bin/exchange`, ...(words.length === 0 ? ['show'] : words)])
    const text = (ran.stdout + ran.stderr).trimEnd()
    if (client.isWorking) toast($, text)
    return { text, isTextDisplayOnly: true }
  }).catch(() => ({ text: 'exchange could not be run', isTextDisplayOnly: true }))
}
