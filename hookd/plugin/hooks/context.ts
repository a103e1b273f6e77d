import type { EngineInterface, On } from 'claude-code'

import { askHere, isScripted, toast } from './relay'

type WithContext = { additionalContext?: string[] }

// What a header can begin with, in any disguise: a bracket that is neither a
// parenthesis nor a brace, or one spelled as in HTML.
const OPENING = /[^\P{Ps}({（｛]|&(?:#|l)/iu

/** Takes out of the context that other hooks add what `relay` says no to. */
export function filterContext(on: On): void {
  on('classic.UserPromptSubmit', async ($, e, next) => {
    const result = await next(e)
    return filtered($, 'UserPromptSubmit', result)
  }).catch(($, e, next) => next(e))

  on('classic.SessionStart', async ($, e, next) => {
    const result = await next(e)
    return filtered($, 'SessionStart', result)
  }).catch(($, e, next) => next(e))
}

async function filtered<R extends WithContext>($: EngineInterface, event: string, result: R): Promise<R> {
  const entries = result.additionalContext ?? []
  if (!entries.some(entry => OPENING.test(entry)) || (await isScripted($))) return result
  const answer = await askHere($, 'context', { event, entries })
  toast($, answer?.toast)
  const drop = answer?.drop ?? []
  if (drop.length === 0) return result
  return { ...result, additionalContext: entries.filter((_, index) => !drop.includes(index)) }
}
