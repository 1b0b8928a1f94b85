const EASTERN = 'America/New_York';
const CENTRAL = 'America/Chicago';
const MOUNTAIN = 'America/Denver';
const PACIFIC = 'America/Los_Angeles';

/** What lies in one zone, and what in several. */
const ZONES: readonly (readonly [states: string, zones: readonly string[]])[] = [
  ['CT DC DE GA MA MD ME NC NH NJ NY OH PA RI SC VA VT WV', [EASTERN]],
  ['AL AR IA IL LA MN MO MS OK WI', [CENTRAL]],
  ['CO MT NM UT WY', [MOUNTAIN]],
  ['CA WA', [PACIFIC]],
  ['FL IN KY MI TN', [EASTERN, CENTRAL]],
  ['KS ND NE SD TX', [CENTRAL, MOUNTAIN]],
  ['ID NV OR', [MOUNTAIN, PACIFIC]],
  ['AZ', ['America/Phoenix', MOUNTAIN]],
  ['AK', ['America/Anchorage', 'America/Adak']],
  ['HI', ['Pacific/Honolulu']],
  ['PR VI', ['America/Puerto_Rico']],
  ['GU MP', ['Pacific/Guam']],
  ['AS', ['Pacific/Pago_Pago']],
];

const BY_STATE: ReadonlyMap<string, readonly string[]> = new Map(
  ZONES.flatMap(([states, zones]) => states.split(' ').map((state) => [state, zones] as const)),
);

/** Every zone of a state or territory; none for what is none, and for posts of the armed forces, which lie anywhere. */
export const zonesOfState = (state: string | null): readonly string[] => (state === null ? [] : (BY_STATE.get(state) ?? []));

/** The two letters of a state (`NY`, `US-NY`, ` ny `); null for anything else. */
export function stateNamed(text: string | null): string | null {
  const letters = (text ?? '').trim().toUpperCase().replace(/^US-/, '');
  return /^[A-Z]{2}$/.test(letters) ? letters : null;
}

/** Where somebody may live of whom nothing is known: from one end of the country to the other. */
export const ANYWHERE: readonly string[] = [
  EASTERN,
  CENTRAL,
  MOUNTAIN,
  'America/Phoenix',
  PACIFIC,
  'America/Anchorage',
  'Pacific/Honolulu',
];
