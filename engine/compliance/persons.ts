import type { ChoosableContact } from './steps.js';

type Affiliated = Pick<ChoosableContact, 'affiliation' | 'powerOfAttorney'>;

/**
 * Those who count as the borrower (12 CFR 1006.6(a)), and those who act by a power of attorney. On a phone of the borrower's own it may
 * have been any of them.
 */
const REPRESENTATIVES: ReadonlySet<string> = new Set([
  'self',
  'spouse',
  'parent',
  'attorney',
  'guardian',
  'legalRepresentative',
  'executor',
]);

export const speaksForBorrower = ({ affiliation, powerOfAttorney }: Affiliated): boolean =>
  powerOfAttorney || REPRESENTATIVES.has(affiliation);

/** Calls to an attorney are none of the calls that are limited (12 CFR 1006.14(b)(3)(iii)). */
export const isAttorney = ({ affiliation }: Pick<Affiliated, 'affiliation'>): boolean => affiliation === 'attorney';
