import { stateNamed } from '../../../engine/index.js';
import { type Address, isOfUnitedStates } from '../../address.js';

/** The area of an address or of a declaration: a state, and a county if one is known. */
export interface Area {
  readonly state: string;
  readonly county: string | null;
}

/** `unknown`: only some counties of the state are declared, and the address has no county. */
export type AreaMatch = 'inside' | 'outside' | 'unknown';

/**
 * Words for a county, which some sources leave out. "City" is kept for cities that are counties: Baltimore City is not Baltimore County.
 */
const SUFFIX = /\s*\(?\b(county|co|parish|borough|census area|municipio|municipality)\b\.?\)?$/;

/** A key by which spellings of a county are compared; null if there is no county, or the whole state is meant. */
export function countyKey(text: string | null): string | null {
  const plain = (text ?? '').normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().trim();
  const key = plain
    .replace(SUFFIX, '')
    .replace(/^(saint|st\.?)\s+/, 'st')
    .replace(/^(sainte|ste\.?)\s+/, 'ste')
    .replace(/[^\p{L}\p{N}]/gu, '');
  return key === '' || key === 'statewide' ? null : key;
}

/** Areas are compared by the names of state and county, since addresses have no FIPS code. */
export function areaMatch(address: Address, areas: readonly Area[]): AreaMatch {
  const state = isOfUnitedStates(address) ? stateNamed(address.state) : null;
  const declared = areas.filter((area) => area.state === state).map(({ county }) => countyKey(county));
  if (declared.length === 0) return 'outside';
  if (declared.includes(null)) return 'inside';
  const county = countyKey(address.countyOrRegion);
  return county === null ? 'unknown' : declared.includes(county) ? 'inside' : 'outside';
}
