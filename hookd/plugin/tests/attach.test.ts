import { expect, test } from 'claude-code/testing'

import { interactive, patient, world } from './world'

const BAND = {
  plugin: 'changeover',
  surface: 'terminal',
  component: 'AbovePrompt',
  props: { hasSurvey: false, isCollapsed: false, isWorking: false, maxRows: 10, bodyColumns: 80, scroll: { offset: 0, bodyRows: 10 }, view: {} },
} as const

test('an interactive session gets one attach', patient, async ($, on) => {
  const seen = world(on)
  await $.session.start(interactive)
  await seen.clock.advance(60_000)
  expect(seen.attached).toEqual(['attach --session s-1'])
})

test('a scripted run gets none', patient, async ($, on) => {
  const seen = world(on)
  await $.session.start({ cwd: '/', surface: null, isInteractive: false })
  await seen.clock.advance(60_000)
  expect(seen.attached).toEqual([])
  expect(seen.runs).toEqual([])
})

test('the band shows what attach says, however it is cut', patient, async ($, on) => {
  const seen = world(on, [
    { text: ['{"kind":"band","text":"planner ⇄ quay', '","tone":"running"}\n{"ki', 'nd":"toast","text":"hello"}\nno JSON\n[]\n\n'], code: 0, livesMs: 1e9 },
  ])
  await $.session.start(interactive)
  await seen.clock.advance(10)
  const band = await $.ui.mount(BAND)
  expect((await band.find({ type: 'Text' }))?.text).toBe('planner ⇄ quay')
  expect(seen.toasts).toEqual(['hello'])
  await band.unmount()
})

test('after a fault the pauses grow and the band says so', patient, async ($, on) => {
  const faults = [3, 3, null, 1, 1, 1, 1].map(code => ({ code }))
  const seen = world(on, faults)
  await $.session.start(interactive)
  await seen.clock.advance(10)
  const band = await $.ui.mount(BAND)
  expect((await band.find({ type: 'Text' }))?.text).toBe('relay is not running · next start in 1 s')
  for (const pause of [1, 2, 4, 8, 16, 30, 30]) {
    const before = seen.attached.length
    await seen.clock.advance(pause * 1000 - 1)
    expect(seen.attached.length).toBe(before)
    await seen.clock.advance(1)
    expect(seen.attached.length).toBe(before + 1)
  }
  await band.unmount()
})

test('one that lived long starts the count anew', patient, async ($, on) => {
  const seen = world(on, [{ code: 3 }, { code: 3 }, { code: 3, livesMs: 30_000 }])
  await $.session.start(interactive)
  await seen.clock.advance(10 + 1000 + 2000 + 30_000)
  expect(seen.attached.length).toBe(3)
  await seen.clock.advance(1000)
  expect(seen.attached.length).toBe(4)
})

test('after exit 0 the next one starts at once, with the session held now', patient, async ($, on) => {
  const seen = world(on, [{ code: 0, livesMs: 50 }, { code: 0, livesMs: 1000 }])
  await $.session.start(interactive)
  await seen.clock.advance(20)
  seen.session = 's-2'
  await seen.clock.advance(40)
  expect(seen.attached).toEqual(['attach --session s-1', 'attach --session s-2'])
  await seen.clock.advance(1000)
  expect(seen.attached.length).toBe(3)
})

test('exit 0 at once for the same session does not spin', patient, async ($, on) => {
  const seen = world(on, [{ code: 0 }])
  await $.session.start(interactive)
  await seen.clock.advance(500)
  expect(seen.attached.length).toBe(1)
  await seen.clock.advance(1000)
  expect(seen.attached.length).toBe(2)
})

test('a delivery is submitted as the person, and one that was dropped is reported', patient, async ($, on) => {
  const seen = world(on, [
    {
      lines: [
        { kind: 'submit', id: 'd-1', text: 'one' },
        { kind: 'submit', id: 'd-2', text: 'two' },
        { kind: 'submit', id: 'd-3', text: 'three' },
      ],
      code: 0,
      livesMs: 1e9,
    },
  ])
  const asUser: unknown[] = []
  on('prompt.submit', (_, e) => {
    asUser.push(e.origin)
    if (e.text === 'two') return { drop: 'a hook said no' }
    if (e.text === 'three') throw new Error('refused')
    return { text: e.text, origin: e.origin }
  })
  await $.session.start(interactive)
  await seen.clock.advance(10)
  expect(asUser[0]).toEqual({ kind: 'plugin', name: 'changeover', asUser: true })
  const told = seen.runs.filter(run => run.argv[1] === 'dropped')
  expect(told[0]?.argv).toEqual(['event', 'dropped', '--session', 's-1'])
  expect(told[0]?.stdin).toEqual({ id: 'd-2', why: 'a hook said no' })
  const [, third] = told.map(run => run.stdin as { id: string; why: string })
  expect(third?.id).toBe('d-3')
  expect(third?.why).not.toBe('')
  expect(told.length).toBe(2)
})
