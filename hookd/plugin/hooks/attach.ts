import type { EngineInterface } from 'claude-code'

import { ask, note, program, toast } from './relay'
import { NOT_RUNNING, setBand, setPanel } from './state'
import { readOrder } from './wire'

const FIRST_PAUSE_MS = 1_000
const LONGEST_PAUSE_MS = 30_000
// One that lived this long did its work: the next fault starts a new count.
const STEADY_MS = 30_000

/** Starts what keeps one `relay attach` for the session that the client holds. */
export function startAttached($: EngineInterface): void {
  // It ends by a fault when the client takes the mod away, and only then.
  $.clock.after(10, () => void keepAttached($).catch(() => undefined))
}

async function keepAttached($: EngineInterface): Promise<void> {
  let pause = FIRST_PAUSE_MS
  for (;;) {
    const session = await $.session.id()
    const from = await $.clock.now()
    const code = await follow($, session)
    const lived = (await $.clock.now()) - from
    if (lived >= STEADY_MS) pause = FIRST_PAUSE_MS
    // A program that ends at once for one and the same session would be
    // started without end.
    if (code === 0 && (lived >= FIRST_PAUSE_MS || (await $.session.id()) !== session)) continue
    await setBand($, `${NOT_RUNNING} · next start in ${pause / 1000} s`, 'paused')
    await $.clock.sleep(pause)
    pause = Math.min(pause * 2, LONGEST_PAUSE_MS)
  }
}

/** Runs one `relay attach`, carries out what it says, and returns its exit code. */
async function follow($: EngineInterface, session: string): Promise<number | null> {
  const child = $.process.spawn({ argv: [program($), 'attach', '--session', session] })
  try {
    let rest = ''
    for (;;) {
      const piece = await child.next()
      if (piece.done === true) return piece.value.code
      if (piece.value.stream === 'stderr') {
        note($, `relay attach: ${piece.value.text}`)
        continue
      }
      const lines = (rest + piece.value.text).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) await obey($, session, line)
    }
  } catch (fault) {
    note($, `relay attach: ${String(fault)}`)
    // The one that runs must be gone before the next one starts.
    await child.return({ code: null, signal: null })
    return null
  }
}

async function obey($: EngineInterface, session: string, line: string): Promise<void> {
  const order = readOrder(line)
  if (order === undefined) return note($, `relay attach: no order: ${line.slice(0, 200)}`)
  switch (order.kind) {
    case 'band':
      return setBand($, order.text, order.tone)
    case 'panel':
      return setPanel($, { title: order.title, lines: order.lines, controls: order.controls })
    case 'toast':
      return toast($, order.text)
    case 'submit':
      // It settles when its turn starts; the orders behind it do not wait.
      void submit($, session, order.id, order.text)
  }
}

/**
 * Submits a delivery and tells why it did not become a turn, where it did not. Of one
 * that did, the prompt's hook has told already; a program started now would take the
 * processor from the turn that begins.
 */
async function submit($: EngineInterface, session: string, id: string, text: string): Promise<void> {
  let why: string
  try {
    const { drop } = await $.prompt.submit({ text, asUser: true })
    if (drop === undefined) return
    why = drop || 'dropped'
  } catch (fault) {
    why = String(fault)
  }
  await ask($, session, 'dropped', { id, why })
}
