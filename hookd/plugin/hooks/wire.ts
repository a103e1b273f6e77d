import type { RelayControl, RelayPanel } from '../types'

/** One line of `relay attach`. */
export type Order =
  | { kind: 'band'; text: string; tone: string }
  | ({ kind: 'panel' } & RelayPanel)
  | { kind: 'toast'; text: string }
  | { kind: 'submit'; id: string; text: string }

/** The answer of `relay event`; which members count depends on the event. */
export type Answer = { text?: string; toast?: string; open?: boolean; close?: boolean; drop?: number[] }

type Fields = Record<string, unknown>

/** Reads one line of `relay attach`; undefined for what is no order. */
export function readOrder(line: string): Order | undefined {
  const fields = readObject(line)
  switch (fields?.kind) {
    case 'band':
      return { kind: 'band', text: text(fields.text), tone: text(fields.tone) }
    case 'toast':
      return { kind: 'toast', text: text(fields.text) }
    case 'submit':
      return { kind: 'submit', id: text(fields.id), text: text(fields.text) }
    case 'panel':
      return {
        kind: 'panel',
        title: text(fields.title),
        lines: list(fields.lines).map(text),
        controls: list(fields.controls).flatMap(readControl),
      }
  }
  return undefined
}

/** Reads the answer of `relay event`; undefined for what is no answer. */
export function readAnswer(output: string): Answer | undefined {
  if (output.trim() === '') return {}
  const fields = readObject(output)
  if (fields === undefined) return undefined
  return {
    text: typeof fields.text === 'string' ? fields.text : undefined,
    toast: typeof fields.toast === 'string' ? fields.toast : undefined,
    open: fields.open === true,
    close: fields.close === true,
    drop: list(fields.drop).filter(index => typeof index === 'number'),
  }
}

function readControl(value: unknown): RelayControl[] {
  if (!isFields(value)) return []
  const named = { id: text(value.id), label: text(value.label) }
  switch (value.type) {
    case 'button':
      return [{ type: 'button', ...named }]
    case 'input':
      return [{ type: 'input', ...named, value: text(value.value) }]
    case 'select': {
      const options = list(value.options)
        .filter(isFields)
        .map(option => ({ value: text(option.value), label: text(option.label) }))
      // The client draws no panel at all around a list without a choice.
      return options.length === 0 ? [] : [{ type: 'select', ...named, options, value: text(value.value) }]
    }
  }
  return []
}

function readObject(json: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(json)
    return isFields(value) ? value : undefined
  } catch {
    return undefined
  }
}

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const text = (value: unknown): string => (typeof value === 'string' ? value : '')
const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])
