/**
 * Splits a typed line into words as a shell would: blanks separate, quotes
 * join, a backslash takes the next character as it is (not within single
 * quotes; within double ones only before `"` and `\`). Nothing is expanded,
 * and a quote that is not closed reaches to the end.
 */
export function splitWords(line: string): string[] {
  const words: string[] = []
  let word: string | undefined
  let quote = ''
  for (let i = 0; i < line.length; i++) {
    const c = line.charAt(i)
    const next = line.charAt(i + 1)
    if (c === '\\' && next !== '' && quote !== "'" && (quote === '' || next === '"' || next === '\\')) {
      word = (word ?? '') + next
      i++
    } else if (quote !== '') {
      if (c === quote) quote = ''
      else word = (word ?? '') + c
    } else if (c === '"' || c === "'") {
      quote = c
      word ??= ''
    } else if (/\s/.test(c)) {
      if (word !== undefined) words.push(word)
      word = undefined
    } else {
      word = (word ?? '') + c
    }
  }
  if (word !== undefined) words.push(word)
  return words
}
