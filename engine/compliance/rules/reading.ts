import type { Bound, Counting, Reading, RuleBasis } from '../rule.js';

/** All sources were read in November 2026; the first day of the month counts. */
const READ_ON = '2026-11-01';

/** A text quotes the source. What we say ourselves is a summary. */
type Said = string | { readonly quote?: string; readonly summary: string };

const reading = (readFrom: Reading['readFrom'], said: Said): Pick<Reading, 'quote' | 'summary' | 'readOn' | 'readFrom'> => ({
  ...(typeof said === 'string' ? { quote: said, summary: null } : { quote: said.quote ?? null, summary: said.summary }),
  readOn: READ_ON,
  readFrom,
});

export const text = (citation: string, address: string, said: Said): Reading => ({ citation, address, ...reading('text', said) });
export const inPart = (citation: string, address: string, said: Said): Reading => ({ citation, address, ...reading('part', said) });
export const secondHand = (citation: string, address: string | null, summary: string): Reading => ({
  citation,
  address,
  ...reading('secondHand', { summary }),
});

export const basis = (binds: Bound, readings: readonly Reading[], counts: readonly Counting[] = []): RuleBasis => ({
  binds,
  counts,
  readings,
});

export const REGULATION_F = 'www.consumerfinance.gov/rules-policy/regulations/1006';
export const CFR_12 = 'law.lawstack.com/cfr/12/1006.14/';
export const DC_CODE = 'code.dccouncil.gov/us/dc/council/code/sections/28-3814';
export const RCW_COLLECTION = 'app.leg.wa.gov/RCW/default.aspx?cite=19.16.250';
