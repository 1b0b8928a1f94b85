import type { Bound, Counting, Reading, RuleBasis } from '../rule.js';

/** A text quotes the source. What we say ourselves is a summary. */
export type Said = string | { readonly quote?: string; readonly summary: string };

interface Source {
  readonly readOn: Reading['readOn'];
  readonly citation: string;
  readonly address: string | null;
}

const reading = (source: Source, readFrom: Reading['readFrom'], said: Said): Reading => ({
  ...source,
  ...(typeof said === 'string' ? { quote: said, summary: null } : { quote: said.quote ?? null, summary: said.summary }),
  readFrom,
});

/** The words of a law. Each reading has its own day, so that who reads one source again does not date the others. */
export const text = (readOn: string, citation: string, address: string, said: Quoted): Reading =>
  reading({ readOn, citation, address }, 'text', said);

export type Quoted = string | { readonly quote: string; readonly summary: string };

export const inPart = (readOn: string, citation: string, address: string | null, said: Said): Reading =>
  reading({ readOn, citation, address }, 'part', said);

export const secondHand = (readOn: string, citation: string, address: string | null, summary: string): Reading =>
  reading({ readOn, citation, address }, 'secondHand', { summary });

/** A reading of a statute of limitations, with the years that it gives to suits on a loan. */
export interface Period {
  readonly years: number;
  readonly reading: Reading;
}

/** The words of a statute of limitations, as a copy of it has them. */
export const read = (years: number, readOn: string, citation: string, address: string, said: Quoted): Period => ({
  years,
  reading: text(readOn, citation, address, said),
});

/** The same, as a page about the statute quotes them. */
export const quoted = (years: number, readOn: string, citation: string, address: string, said: Quoted): Period => ({
  years,
  reading: inPart(readOn, citation, address, said),
});

export const basis = (binds: Bound, readings: readonly Reading[], counts: readonly Counting[] = []): RuleBasis => ({
  binds,
  counts,
  readings,
});

export const REGULATION_F = 'www.consumerfinance.gov/rules-policy/regulations/1006';
export const CFR_12 = 'law.lawstack.com/cfr/12/1006.14/';
export const CFR_12_CONTACTS = 'lawserver.com/law/country/us/cfr/12_cfr_1006-6';
/** The code as the District publishes it in files; the page of this section is code.dccouncil.gov. */
export const DC_CODE =
  'github.com/DCCouncil/law-xml-codified/blob/4cc4f7bf05b97ab25f02c664bd93a072ce0e98f7/us/dc/council/code/titles/28/sections/28-3814.xml';
/** 15 USC 1692c. */
export const USC_CONTACTS = 'checkoutapi.com/uscode/title15_chapter41_subchapterV_section1692c';
/** A file of a public repository that quotes 15 USC 7704 from govinfo.gov. */
export const CAN_SPAM =
  'github.com/cloud-itonami/cloud-itonami-isic-6201/blob/2480fb2cd63a9474c31271edab5d8a306f0f81f3/src/marketing/facts.cljc';
export const RCW_COLLECTION = 'app.leg.wa.gov/RCW/default.aspx?cite=19.16.250';

/** For readings without an address. */
export const READ_IN_A_FILE = 'Read in a public file that quotes Regulation F paragraph by paragraph and has no page of its own.';
