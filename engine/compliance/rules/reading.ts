import type { Bound, Counting, Reading, RuleBasis } from '../rule.js';

/** All sources were read in November 2026; the first day of the month counts. */
const READ_ON = '2026-11-01';

export const text = (citation: string, address: string, quote: string): Reading => ({
  citation,
  quote,
  address,
  readOn: READ_ON,
  readFrom: 'text',
});
export const inPart = (citation: string, address: string, quote: string): Reading => ({
  ...text(citation, address, quote),
  readFrom: 'part',
});
export const secondHand = (citation: string, address: string, quote: string): Reading => ({
  ...text(citation, address, quote),
  readFrom: 'secondHand',
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
