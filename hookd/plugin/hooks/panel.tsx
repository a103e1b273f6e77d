import type { EngineInterface, On } from 'claude-code'

import type { RelayControl } from '../types'
import { askHere, toast } from './relay'
import { isCopy, readPanel, setValue } from './state'

const PANE = 'relay'

// What a pane over the prompt may grow to; it takes no more rows than it draws.
const ROWS = 12

/** Opens the panel; only a person's command may lead here. */
export async function openPanel($: EngineInterface): Promise<void> {
  const { title, lines, controls } = (await readPanel($)).shown
  await $.ui.open({
    id: PANE,
    title: title || PANE,
    focus: true,
    closeOnEscape: true,
    rows: Math.max(ROWS, lines.length + controls.length + 2),
  })
}

export function drawPanel(on: On): void {
  on('ui.render', { component: 'Pane', requestId: PANE }, async ($, e, next) => {
    if (isCopy($)) return next(e)
    const { Box, Button, Input, Select, Text } = $.ui.resolve(e)
    const { shown, filled } = await readPanel($)
    const { lines, controls } = shown
    // `relay` counts a line of a list as one row, where rows are few.
    const isCut = (line: string) => e.props.placement === 'inline' && line.startsWith('  ')
    const draw = (control: RelayControl) => {
      const { id, label } = control
      switch (control.type) {
        case 'button':
          return <Button key={id} label={label} onPress={() => press($, id)} />
        case 'input':
          return (
            <Input
              key={id}
              label={label}
              value={filled[id]}
              onInput={value => setValue($, id, value)}
              onSubmit={value => enter($, id, value)}
            />
          )
        case 'select':
          return (
            <Select
              key={id}
              label={label}
              value={filled[id]}
              options={control.options}
              onSelect={value => choose($, id, value)}
            />
          )
      }
    }
    return (
      <Box flexDirection="column">
        {lines.map(line => (
          <Text wrap={isCut(line) ? 'truncate' : 'wrap'}>{line === '' ? ' ' : line}</Text>
        ))}
        {controls.filter(control => control.type !== 'button').map(draw)}
        <Box gap={1} flexWrap="wrap">
          {controls.filter(control => control.type === 'button').map(draw)}
        </Box>
      </Box>
    )
  }).catch(($, e, next) => next(e))
}

async function choose($: EngineInterface, id: string, value: string): Promise<void> {
  await setValue($, id, value)
  await tell($, 'choose', { id, value })
}

async function enter($: EngineInterface, id: string, value: string): Promise<void> {
  // Enter empties the field on the screen, whatever is drawn after it.
  await setValue($, id, '')
  await tell($, 'enter', { id, value })
}

async function press($: EngineInterface, id: string): Promise<void> {
  const { filled } = await readPanel($)
  await tell($, 'press', { id, values: filled })
}

async function tell($: EngineInterface, name: string, event: object): Promise<void> {
  const answer = await askHere($, name, event)
  toast($, answer === undefined ? 'relay did not answer' : answer.toast)
  if (answer?.close === true) await $.ui.close({ id: PANE })
}
