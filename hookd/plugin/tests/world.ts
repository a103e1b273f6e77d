import { mock } from 'claude-code/testing'
import type { MockClock } from 'claude-code/testing'
import type { On } from 'claude-code'

/** What the mod ran and showed, and what it is answered. */
export type World = {
  clock: MockClock
  runs: { argv: readonly string[]; stdin: unknown }[]
  attached: string[]
  toasts: string[]
  opened: string[]
  /** How many rows each opened pane wants. */
  wanted: (number | undefined)[]
  closed: string[]
  answers: Record<string, string>
  session: string
}

/** Each start of a child takes the kit half a second of real time. */
export const patient = { timeoutMs: 60_000 }

type Child = { lines?: object[]; text?: string[]; code: number | null; livesMs?: number }

/** Stands for everything beneath the mod; each child is one run of `relay attach`. */
export function world(on: On, children: Child[] = []): World {
  const seen: World = {
    clock: mock.clock(on),
    runs: [],
    attached: [],
    toasts: [],
    opened: [],
    wanted: [],
    closed: [],
    answers: {},
    session: 's-1',
  }
  mock.env(on, { CLAUDE_CODE_ENTRYPOINT: 'cli' })
  on('session.id', () => ({ value: seen.session }))
  on('session.start', (_, e) => ({ cwd: e.cwd }))
  on('command.register', (_, e) => ({ value: { command: e.name } }))
  on('ui.log', () => ({ value: undefined }))
  on('ui.toast', (_, e) => {
    seen.toasts.push(e.text)
    return { value: undefined }
  })
  on('ui.open', (_, e) => {
    seen.opened.push(e.id)
    seen.wanted.push(e.rows)
    return { value: { isPlaced: true } }
  })
  on('ui.close', (_, e) => {
    seen.closed.push(e.id)
    return { value: undefined }
  })
  on('process.run', (_, e) => {
    seen.runs.push({ argv: e.argv.slice(1), stdin: e.init?.stdin === undefined ? undefined : JSON.parse(e.init.stdin) })
    const stdout = seen.answers[e.argv[2] ?? ''] ?? ''
    if (stdout === 'fault') throw new Error('no such program')
    return { value: { exitCode: 0, stdout, stderr: '', isStdoutTruncated: false, isStderrTruncated: false } }
  })
  on('process.spawn', async function* (_, e) {
    seen.attached.push(e.argv.slice(1).join(' '))
    const child = children[seen.attached.length - 1]
    for (const text of child?.text ?? []) yield { stream: 'stdout', text }
    for (const line of child?.lines ?? []) yield { stream: 'stdout', text: JSON.stringify(line) + '\n' }
    await seen.clock.sleep(child === undefined ? 1e9 : (child.livesMs ?? 0))
    return { value: { code: child?.code ?? null, signal: null } }
  })
  return seen
}

/** The client as a person has started it. */
export const interactive = { cwd: '/', surface: 'terminal', isInteractive: true } as const
