import { must } from '../assert.js';
import type { LedgerState } from './state.js';
import type { LedgerSettings } from './terms.js';

/** What the loan type's configuration says on the state's day. */
export function settingsOf(state: LedgerState): LedgerSettings {
  return must(state.terms.settings[state.settingsIndex], 'settings cover every day from activation').value;
}

/** Adopts the configuration of the state's day. */
export function adoptSettings(state: LedgerState): void {
  const { settings } = state.terms;
  for (let next = settings[state.settingsIndex + 1]; next !== undefined && next.from <= state.day; ) {
    state.settingsIndex += 1;
    next = settings[state.settingsIndex + 1];
  }
}
