import { test } from 'tap';
import { speaksForBorrower } from '../../../engine/index.js';

/** Who counts as the borrower in a conversation (12 CFR 1006.6(a)). */
const ROWS = [
  ['self', true],
  ['spouse', true],
  ['parent', true],
  ['guardian', true],
  ['attorney', true],
  ['legalRepresentative', true],
  ['executor', true],
  ['neighbor', false],
  ['employer', false],
] as const;

for (const [affiliation, expected] of ROWS)
  test(`${affiliation} ${expected ? 'speaks' : 'does not speak'} for the borrower`, async (t) => {
    t.equal(speaksForBorrower({ affiliation, powerOfAttorney: false }), expected);
    t.ok(speaksForBorrower({ affiliation, powerOfAttorney: true }), 'with a power of attorney');
  });
