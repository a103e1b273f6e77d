import { expect, test } from 'claude-code/testing'

import { interactive, patient, world } from './world'

const PANE = {
  plugin: 'changeover',
  component: 'Pane',
  requestId: 'relay',
  props: {
    title: 'relay',
    isFocused: true,
    bodyColumns: 60,
    placement: 'dock',
    scroll: { offset: 0, bodyRows: 20 },
    view: {},
  },
} as const

const controls = [
  {
    type: 'select',
    id: 'role',
    label: 'Role',
    value: 'planner',
    options: [
      { value: 'planner', label: 'planner' },
      { value: 'builder', label: 'builder' },
    ],
  },
  { type: 'select', id: 'none', label: 'Nothing to choose', value: '', options: [] },
  { type: 'input', id: 'goal', label: 'Goal', value: 'as sent' },
  { type: 'button', id: 'connect', label: 'Connect' },
  { type: 'dial', id: 'unknown', label: 'Unknown' },
]

const shown = (lines: string[], more: object = {}) => ({ kind: 'panel', title: 'relay', lines, controls, ...more })

test('the panel draws what attach sends and reports what is done in it', patient, async ($, on) => {
  const seen = world(on, [{ lines: [shown(['No link yet.', ''])], code: 3 }])
  await $.session.start(interactive)
  await seen.clock.advance(10)
  for (const surface of ['terminal', 'desktop'] as const) {
    seen.runs.length = 0
    const ui = await $.ui.mount({ ...PANE, surface })
    expect(await ui.find({ text: /No link yet/ })).toBeDefined()
    expect((await ui.find({ key: 'role' }))?.props.label).toBe('Role')
    expect(await ui.find({ key: 'none' })).toBeUndefined()

    await ui.select({ key: 'role', value: 'builder' })
    await ui.input({ key: 'goal', text: 'draw the map', kind: 'change' })
    expect((await ui.find({ key: 'goal' }))?.props.value).toBe('draw the map')
    seen.answers.press = '{"toast":"asked quay","close":true}'
    await ui.press({ key: 'connect' })
    await ui.input({ key: 'goal', text: 'draw the map' })
    expect((await ui.find({ key: 'goal' }))?.props.value).toBe('')

    expect(seen.runs.map(run => [run.argv.join(' '), run.stdin])).toEqual([
      ['event choose --session s-1', { id: 'role', value: 'builder' }],
      ['event press --session s-1', { id: 'connect', values: { role: 'builder', goal: 'draw the map' } }],
      ['event enter --session s-1', { id: 'goal', value: 'draw the map' }],
    ])
    expect(seen.toasts.pop()).toBe('asked quay')
    expect(seen.closed.pop()).toBe('relay')
    await ui.unmount()
  }
})

test('what was put in outlives a new panel, unless that says otherwise', patient, async ($, on) => {
  const renamed = controls.map(control => (control.id === 'role' ? { ...control, value: 'builder' } : control))
  const seen = world(on, [
    { lines: [shown(['one'])], code: 3 },
    { lines: [shown(['two'])], code: 3 },
    { lines: [shown(['three'], { controls: renamed })], code: 3 },
    { lines: [shown(['four'], { controls: [] })], code: 3 },
  ])
  await $.session.start(interactive)
  await seen.clock.advance(10)
  const ui = await $.ui.mount({ ...PANE, surface: 'terminal' })
  const value = async (key: string) => (await ui.find({ key }))?.props.value
  await ui.select({ key: 'role', value: 'builder' })
  await ui.input({ key: 'goal', text: 'typed', kind: 'change' })
  await seen.clock.advance(1000)
  expect(await ui.find({ text: /two/ })).toBeDefined()
  expect([await value('role'), await value('goal')]).toEqual(['builder', 'typed'])
  await ui.select({ key: 'role', value: 'planner' })
  await seen.clock.advance(2000)
  expect([await value('role'), await value('goal')]).toEqual(['builder', 'typed'])
  await seen.clock.advance(4000)
  expect(await value('goal')).toBeUndefined()
  await ui.unmount()
})

test('a line of a list takes one row where rows are few', patient, async ($, on) => {
  const seen = world(on, [{ lines: [shown(['paused: why', '  round 1  planner → builder  shown  step 1'])], code: 3 }])
  await $.session.start(interactive)
  await seen.clock.advance(10)
  for (const [placement, wrap] of [['inline', 'truncate'], ['dock', 'wrap']] as const) {
    const ui = await $.ui.mount({ ...PANE, props: { ...PANE.props, placement }, surface: 'terminal' })
    expect((await ui.find({ type: 'Text', text: /paused/ }))?.props.wrap).toBe('wrap')
    expect((await ui.find({ type: 'Text', text: /round 1/ }))?.props.wrap).toBe(wrap)
    await ui.unmount()
  }
})

test('a panel without attach says that relay is not running', patient, async ($, on) => {
  world(on)
  const ui = await $.ui.mount({ ...PANE, surface: 'terminal' })
  expect(await ui.find({ text: /relay is not running/ })).toBeDefined()
  await ui.unmount()
})
