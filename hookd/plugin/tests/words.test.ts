import { expect, test } from 'claude-code/testing'

import { splitWords } from '../hooks/words'

const lines: [string, string[]][] = [
  ['', []],
  ['  \t ', []],
  ['claim --path src/tide', ['claim', '--path', 'src/tide']],
  [`--focus "redraw 'it'" x`, ['--focus', "redraw 'it'", 'x']],
  [`'a "b" \\' "" ''`, ['a "b" \\', '', '']],
  ['a\\ b "c\\"d" "e\\n"', ['a b', 'c"d', 'e\\n']],
  ['pre"fix mid"post', ['prefix midpost']],
  ['"never closed  ', ['never closed  ']],
  ['trailing\\', ['trailing\\']],
  ['$HOME `id` $(id) *', ['$HOME', '`id`', '$(id)', '*']],
]

for (const [line, words] of lines) {
  test(`the words of ${JSON.stringify(line)}`, () => {
    expect(splitWords(line)).toEqual(words)
  })
}
