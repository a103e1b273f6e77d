import type { EngineInterface } from 'claude-code'

import { readAnswer } from './wire'
import type { Answer } from './wire'

const PATIENCE_MS = 10_000

/** The program that decides everything; it lies in the plugin. */
export function program($: EngineInterface): string {
  return `${$.plugin.root}/bin/relay`
}

/**
 * Tells `relay` of an event of that session and returns what it says to do;
 * undefined when it could not be asked. It never throws.
 */
export async function ask(
  $: EngineInterface,
  session: string,
  name: string,
  event: object,
): Promise<Answer | undefined> {
  try {
    const ran = await $.process.run([program($), 'event', name, '--session', session], {
      stdin: JSON.stringify(event),
      timeoutMs: PATIENCE_MS,
    })
    if (ran.exitCode === 0) return readAnswer(ran.stdout)
    note($, `relay event ${name}: exit ${ran.exitCode} ${ran.stderr}`)
  } catch (fault) {
    note($, `relay event ${name}: ${String(fault)}`)
  }
  return undefined
}

/** The same for the session that this client holds now. */
export async function askHere($: EngineInterface, name: string, event: object): Promise<Answer | undefined> {
  return ask($, await $.session.id(), name, event)
}

/** Whether this is a run without a person, which `relay` is told nothing of. */
export async function isScripted($: EngineInterface): Promise<boolean> {
  return (await $.env.get('CLAUDE_CODE_ENTRYPOINT')) === 'sdk-cli'
}

export function toast($: EngineInterface, text: string | undefined): void {
  if (text !== undefined && text !== '') $.ui.toast(text, { timeoutMs: 8000 })
}

/** Leaves a line in the client's debug log, where no one is disturbed. */
export function note($: EngineInterface, text: string): void {
  $.ui.log(text, { to: 'debug' })
}
