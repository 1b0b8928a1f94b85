import { must } from '../../assert.js';
import type { Day } from '../../calendar/index.js';
import type { Since } from './terms.js';

/** A ledger whose settings change from day to day. */
export interface ConfiguredLedger<Settings> {
  readonly terms: { readonly settings: readonly Since<Settings>[] };
  readonly day: Day;
  settingsIndex: number;
}

/** What the loan type's configuration says on the state's day. */
export function settingsOf<Settings>(state: ConfiguredLedger<Settings>): Settings {
  return must(state.terms.settings[state.settingsIndex], 'settings cover every day from activation').value;
}

/** Adopts the configuration of the state's day. */
export function adoptSettings(state: ConfiguredLedger<unknown>): void {
  const { settings } = state.terms;
  for (let next = settings[state.settingsIndex + 1]; next !== undefined && next.from <= state.day; ) {
    state.settingsIndex += 1;
    next = settings[state.settingsIndex + 1];
  }
}
