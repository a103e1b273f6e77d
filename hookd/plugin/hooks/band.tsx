import type { On } from 'claude-code'

import { isCopy, readBand } from './state'

const COLOURS: Record<string, string> = {
  asking: 'yellow',
  running: 'cyan',
  waiting: 'magenta',
  paused: 'red',
  done: 'green',
}

export function drawBand(on: On): void {
  on('ui.render', { component: 'AbovePrompt' }, async ($, e, next) => {
    if (isCopy($)) return next(e)
    const { text, tone } = await readBand($)
    if (text === '' || e.props.hasSurvey) return next(e)
    const { Box, Text } = $.ui.resolve(e)
    return (
      <Box>
        <Text color={COLOURS[tone]} wrap="truncate">
          {text}
        </Text>
      </Box>
    )
  }).catch(($, e, next) => next(e))
}
