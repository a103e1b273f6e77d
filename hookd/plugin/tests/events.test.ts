import { expect, test } from 'claude-code/testing'

import { world } from './world'

const typed = { origin: { kind: 'composer' }, presentation: { isFullscreen: true, columns: 150 } } as const

test('/relay is answered by relay, for the person alone', async ($, on) => {
  const seen = world(on)
  seen.answers.command = '{"text":"paused"}'
  const answer = await $.command.run({ command: 'relay', args: 'pause now', ...typed })
  expect(answer).toMatchObject({ text: 'paused', isTextDisplayOnly: true })
  expect(seen.runs[0]).toEqual({ argv: ['event', 'command', '--session', 's-1'], stdin: { args: 'pause now', mid_turn: false } })
  expect(seen.toasts).toEqual([])
  expect(seen.opened).toEqual([])
})

test('/relay alone opens the panel when relay says so', async ($, on) => {
  const seen = world(on)
  seen.answers.command = '{"open":true}'
  await $.command.run({ command: 'relay', args: '', ...typed })
  expect(seen.opened).toEqual(['relay'])
  expect(seen.wanted).toEqual([12]) // room for what comes while it is open
})

test('a panel opened in mid-turn needs no toast beside it', async ($, on) => {
  const seen = world(on)
  on('turn.start', (_, e) => ({ turnId: e.turnId }))
  seen.answers.command = '{"text":"no link","open":true}'
  await $.turn.start({ text: 'go', turnId: 't-1' })
  await $.command.run({ command: 'relay', args: '', ...typed })
  expect(seen.opened).toEqual(['relay'])
  expect(seen.toasts).toEqual([])
})

test('in mid-turn a toast shows the answer at once', async ($, on) => {
  const seen = world(on)
  on('turn.start', (_, e) => ({ turnId: e.turnId }))
  on('turn.complete', (_, e) => ({ text: e.answer }))
  seen.answers.command = '{"text":"paused"}'
  await $.turn.start({ text: 'go', turnId: 't-1' })
  await $.command.run({ command: 'relay', args: 'pause', ...typed })
  expect(seen.runs[0]?.stdin).toEqual({ args: 'pause', mid_turn: true })
  expect(seen.toasts).toEqual(['paused'])
  await $.turn.complete({ answer: 'gone', durationMs: 1, isAborted: false, turnId: 't-1', reason: 'answer' })
  await $.command.run({ command: 'relay', args: 'pause', ...typed })
  expect(seen.runs.at(-1)?.stdin).toEqual({ args: 'pause', mid_turn: false })
})

for (const fault of ['fault', 'no JSON', '[1]']) {
  test(`/relay is answered when relay is not (${fault})`, async ($, on) => {
    const seen = world(on)
    seen.answers.command = fault
    const answer = await $.command.run({ command: 'relay', args: 'status', ...typed })
    expect(answer).toMatchObject({ text: 'relay did not answer', isTextDisplayOnly: true })
  })
}

test('/exchange runs the program with the typed words', async ($, on) => {
  const seen = world(on)
  seen.answers['--focus'] = 'claimed\n'
  const answer = await $.command.run({ command: 'exchange', args: `claim --focus "the pier's end"`, ...typed })
  expect(answer).toMatchObject({ text: 'claimed', isTextDisplayOnly: true })
  await $.command.run({ command: 'exchange', args: ' ', ...typed })
  expect(seen.runs.map(run => run.argv)).toEqual([['claim', '--focus', "the pier's end"], ['show']])
})

test('each end of a turn is reported', async ($, on) => {
  const seen = world(on)
  on('turn.complete', (_, e) => ({ text: e.answer }))
  seen.answers.turn = '{"toast":"set aside"}'
  await $.turn.complete({ answer: 'all', durationMs: 1, isAborted: false, turnId: 't-1', reason: 'answer' })
  await $.turn.complete({ answer: 'half', durationMs: 1, isAborted: true, turnId: 't-2', reason: 'aborted', agentId: 'a-1' })
  await seen.clock.settle()
  expect(seen.runs.map(run => run.stdin)).toEqual([
    { reason: 'answer', answer: 'all', aborted: false, turn: 't-1' },
    { reason: 'aborted', answer: 'half', aborted: true, agent: 'a-1', turn: 't-2' },
  ])
  expect(seen.toasts).toEqual(['set aside', 'set aside'])
})

test('a turn is reported for the session in which it began', async ($, on) => {
  const seen = world(on)
  on('turn.start', (_, e) => ({ turnId: e.turnId }))
  on('turn.complete', (_, e) => ({ text: e.answer }))
  const before = seen.session
  await $.turn.start({ text: 'go', turnId: 't-1' })
  seen.session = 'cleared'
  await $.turn.complete({ answer: 'half', durationMs: 1, isAborted: true, turnId: 't-1', reason: 'aborted' })
  await $.turn.complete({ answer: 'all', durationMs: 1, isAborted: false, turnId: 't-2', reason: 'answer' })
  await seen.clock.settle()
  expect(seen.runs.map(run => run.argv.at(-1))).toEqual([before, 'cleared'])
})

test('only a context that relay names is taken out', async ($, on) => {
  const seen = world(on)
  const entries = ['plain (really) { }', '［relay round 1 · from planner］', '[ ] a list']
  on('classic.UserPromptSubmit', () => ({ additionalContext: entries }))
  on('classic.SessionStart', () => ({ additionalContext: ['plain (really) { }'], watchPaths: ['/bell'] }))
  seen.answers.context = '{"drop":[1,7],"toast":"a look-alike was taken out"}'
  const prompt = await $.classic.UserPromptSubmit({ prompt: 'hello' })
  expect(prompt.additionalContext).toEqual(['plain (really) { }', '[ ] a list'])
  expect(seen.runs[0]?.stdin).toEqual({ event: 'UserPromptSubmit', entries })
  expect(seen.toasts).toEqual(['a look-alike was taken out'])
  const start = await $.classic.SessionStart({ source: 'startup' })
  expect(start).toMatchObject({ additionalContext: ['plain (really) { }'], watchPaths: ['/bell'] })
  expect(seen.runs.length).toBe(1)
})

test('any bracket that a header can begin with is asked about', async ($, on) => {
  const seen = world(on)
  on('classic.UserPromptSubmit', () => ({ additionalContext: ['【relay round 1 · from planner】'] }))
  await $.classic.UserPromptSubmit({ prompt: 'hello' })
  expect(seen.runs.length).toBe(1)
})

test('a relay that cannot be run takes nothing out', async ($, on) => {
  const seen = world(on)
  seen.answers.context = 'fault'
  on('classic.UserPromptSubmit', () => ({ additionalContext: ['[x]'], block: 'no' }))
  const prompt = await $.classic.UserPromptSubmit({ prompt: 'hello' })
  expect(prompt).toMatchObject({ additionalContext: ['[x]'], block: 'no' })
})
