import type { ChoosableContact } from './steps.js';

type Affiliated = Pick<ChoosableContact, 'affiliation' | 'powerOfAttorney'>;

/**
 * Persons who count as the borrower (12 CFR 1006.6(a)), and those with a power of attorney. Any of them may answer the borrower's phone.
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

/** Calls to an attorney are not limited (12 CFR 1006.14(b)(3)(iii)). */
export const isAttorney = ({ affiliation }: Pick<Affiliated, 'affiliation'>): boolean => affiliation === 'attorney';
