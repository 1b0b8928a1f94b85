import { stateNamed } from '../../../../engine/index.js';
import type { Address } from '../../../borrower/index.js';
import { isOfUnitedStates } from '../../../borrower/index.js';

/** Where an address lies, or what a declaration names: a state, and a county in it where one is known. */
export interface Place {
  readonly state: string;
  readonly county: string | null;
}

/** `unknown`: the state is declared in part, and the address does not say in which county it lies. */
export type Standing = 'inside' | 'outside' | 'unknown';

/**
 * Words for a county that one source writes and another leaves out. A city that is a county of its own keeps its word: Baltimore has both.
 */
const SUFFIX = /\s*\(?\b(county|co|parish|borough|census area|municipio|municipality)\b\.?\)?$/;

/** The county as both sides write it; null where none is said, or all of the state is meant. */
export function countyKey(text: string | null): string | null {
  const plain = (text ?? '').normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().trim();
  const key = plain
    .replace(SUFFIX, '')
    .replace(/^(saint|st\.?)\s+/, 'st')
    .replace(/^(sainte|ste\.?)\s+/, 'ste')
    .replace(/[^\p{L}\p{N}]/gu, '');
  return key === '' || key === 'statewide' ? null : key;
}

/** Places are compared by the names of state and county: no source tells the FIPS code of an address (people 14, rule 3). */
export function standingOf(address: Address, areas: readonly Place[]): Standing {
  const state = isOfUnitedStates(address) ? stateNamed(address.state) : null;
  const declared = areas.filter((area) => area.state === state).map(({ county }) => countyKey(county));
  if (declared.length === 0) return 'outside';
  if (declared.includes(null)) return 'inside';
  const county = countyKey(address.countyOrRegion);
  return county === null ? 'unknown' : declared.includes(county) ? 'inside' : 'outside';
}
