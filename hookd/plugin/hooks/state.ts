import { atom, read, update } from 'claude-code'
import type { EngineInterface } from 'claude-code'

import type { RelayBand, RelayControl, RelayPanel, RelayValues } from '../types'

export const NOT_RUNNING = 'relay is not running'

const noBand: RelayBand = { text: '', tone: '' }
const noPanel: RelayPanel = { title: 'relay', lines: [NOT_RUNNING], controls: [] }
const noValues: RelayValues = {}

const band = atom({ plugin: 'changeover', key: 'band' } as const, noBand)
const panel = atom({ plugin: 'changeover', key: 'panel' } as const, noPanel)
const values = atom({ plugin: 'changeover', key: 'values' } as const, noValues)

/** Whose turn it is. */
export type Speaker = { session: string; isScripted: boolean }

type Client = { isWorking: boolean; turn?: { id: string; speaker: Promise<Speaker | undefined> } }

// It is of the process and not of the conversation, whose values /clear empties.
export const client: Client = { isWorking: false }

// Whoever is loaded under another name may not write these values.
const owner = 'changeover'

/** Whether this is a copy under another name: it leaves all to the one that owns the values. */
export function isCopy($: EngineInterface): boolean {
  return $.plugin.name !== owner
}

export async function readBand($: EngineInterface): Promise<RelayBand> {
  return read($, band)
}

export async function setBand($: EngineInterface, text: string, tone: string): Promise<void> {
  await update($, band, () => ({ text, tone }))
}

/** The panel, and what stands in each of its controls but the buttons. */
export async function readPanel($: EngineInterface): Promise<{ shown: RelayPanel; filled: RelayValues }> {
  const shown = await read($, panel)
  return { shown, filled: allValues(shown.controls, await read($, values)) }
}

export async function setPanel($: EngineInterface, shown: RelayPanel): Promise<void> {
  let before: RelayControl[] = []
  await update($, panel, held => {
    before = held.controls
    return shown
  })
  await update($, values, held => keptValues(held, before, shown.controls))
}

export async function setValue($: EngineInterface, id: string, value: string): Promise<void> {
  await update($, values, held => ({ ...held, [id]: value }))
}

/** What a person put in stays for as long as the control says the same itself. */
function keptValues(held: RelayValues, before: RelayControl[], now: RelayControl[]): RelayValues {
  const kept: RelayValues = {}
  for (const control of now) {
    const value = held[control.id]
    if (value === undefined || control.type === 'button') continue
    const old = before.find(other => other.id === control.id)
    if (old?.type !== control.type || old.value !== control.value) continue
    if (control.type === 'select' && !control.options.some(option => option.value === value)) continue
    kept[control.id] = value
  }
  return kept
}

function allValues(controls: RelayControl[], held: RelayValues): RelayValues {
  const all: RelayValues = {}
  for (const control of controls) {
    if (control.type !== 'button') all[control.id] = held[control.id] ?? control.value
  }
  return all
}
