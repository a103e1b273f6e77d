/** The row above the prompt; no text, no row. */
export type RelayBand = { text: string; tone: string }

/** One thing in the panel that a person can work. */
export type RelayControl =
  | { type: 'select'; id: string; label: string; options: { value: string; label: string }[]; value: string }
  | { type: 'input'; id: string; label: string; value: string }
  | { type: 'button'; id: string; label: string }

/** The whole content of the panel, as `relay attach` sent it last. */
export type RelayPanel = { title: string; lines: string[]; controls: RelayControl[] }

/** What the person has chosen or typed in the panel, by the control's id. */
export type RelayValues = Record<string, string>

declare module 'claude-code' {
  interface PluginState {
    changeover: { band: RelayBand; panel: RelayPanel; values: RelayValues }
  }
}
