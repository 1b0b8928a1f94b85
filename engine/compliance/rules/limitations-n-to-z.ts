import { type Period, quoted, read } from './reading.js';

/** Readings of the states from North Carolina to Wyoming; see `limitations.ts`. */
export const PERIODS_N_TO_Z: Readonly<Record<string, readonly Period[]>> = {
  NC: [
    read(3, '2026-11-27', 'N.C. Gen. Stat. 1-52(1)', 'statutes.laws.com/north-carolina/Chapter_1/GS_1-52/', {
      quote: 'obligation or liability arising out of a contract, express or implied',
      summary: 'within three years',
    }),
  ],
  ND: [
    read(
      6,
      '2026-11-27',
      'N.D. Cent. Code 28-01-16(1)',
      'self-law.org/code/nd/title-28/chapter-28-01-time-for-commencing-actions/28-01-16',
      { quote: 'An action upon a contract, obligation, or liability, express or implied', summary: 'within six years' },
    ),
  ],
  NE: [
    read(
      5,
      '2026-11-27',
      'Neb. Rev. Stat. 25-205(1)',
      'nebraskalegislature.gov/laws/statutes.php?statute=25-205&print=true',
      'any agreement, contract, or promise in writing, or foreign judgment, can only be brought within five years',
    ),
  ],
  NH: [
    quoted(
      3,
      '2026-11-27',
      'N.H. Rev. Stat. 508:4',
      'docketmath.com/blog/statute-of-limitations-oral-contract-new-hampshire',
      'all personal actions, except actions for slander or libel, may be brought only within 3 years of the act or omission complained of',
    ),
  ],
  NJ: [
    quoted(6, '2026-11-27', 'N.J. Stat. 2A:14-1', 'docketmath.com/blog/sol-collections-new-jersey', {
      quote: 'for recovery upon a contractual claim or liability, express or implied, not under seal, or upon an account',
      summary: 'within six years',
    }),
  ],
  NM: [
    read(
      6,
      '2026-11-27',
      'N.M. Stat. 37-1-3(A)',
      'law.justia.com/codes/new-mexico/2020/chapter-37/article-1/section-37-1-3/index.html',
      'Actions founded upon any bond, promissory note, bill of exchange or other contract in writing shall be brought within six years',
    ),
    read(4, '2026-11-27', 'N.M. Stat. 37-1-4', 'law.justia.com/codes/new-mexico/2020/chapter-37/article-1/section-37-1-4/', {
      quote: 'Those founded upon accounts and unwritten contracts',
      summary: 'within four years',
    }),
  ],
  NV: [
    quoted(6, '2026-11-27', 'Nev. Rev. Stat. 11.190(1)(b)', 'whychat.me/States/state-nev.html', {
      quote: 'An action upon a contract, obligation or liability founded upon an instrument in writing',
      summary: 'within six years',
    }),
  ],
  NY: [
    quoted(
      3,
      '2026-11-27',
      'N.Y. C.P.L.R. 214-i',
      'www.acainternational.org/news/new-york-shortens-statute-of-limitations-on-consumer-credit-transactions/',
      'An action arising out of a consumer credit transaction where a purchaser, borrower or debtor is a defendant must be commenced ' +
        'within three years',
    ),
  ],
  OH: [
    read(6, '2026-11-27', 'Ohio Rev. Code 2305.07(C)', 'codes.findlaw.com/oh/title-xxiii-courts-common-pleas/oh-rev-code-sect-2305-07/', {
      quote: 'shall be commenced within six years after the cause of action accrued',
      summary: 'of a consumer transaction, whether or not in writing, with accounts stated',
    }),
  ],
  OK: [
    quoted(
      5,
      '2026-11-27',
      '12 Okla. Stat. 95(A)(1)',
      'docketmath.com/blog/statute-of-limitations-written-contract-oklahoma',
      'Within five (5) years: An action upon any contract, agreement, or promise in writing',
    ),
  ],
  OR: [
    read(6, '2026-11-27', 'Or. Rev. Stat. 12.080(1)', 'oregon.public.law/statutes/ors_12.080', {
      quote: 'An action upon a contract or liability, express or implied',
      summary: 'within six years',
    }),
  ],
  PA: [
    read(4, '2026-11-27', '42 Pa. C.S. 5525(a)(7), (8)', 'www.legis.state.pa.us/WU01/LI/LI/CT/HTM/42/00.055.025.000..HTM', {
      quote: 'the following actions and proceedings must be commenced within four years',
      summary: 'on notes, and on contracts founded upon a writing',
    }),
  ],
  RI: [
    quoted(
      10,
      '2026-11-27',
      'R.I. Gen. Laws 9-1-13(a)',
      'docketmath.com/blog/statute-of-limitations-unjust-enrichment-restitution-rhode-island',
      'all civil actions shall be commenced within ten (10) years next after the cause of action shall accrue, and not after',
    ),
  ],
  SC: [
    read(3, '2026-11-27', 'S.C. Code 15-3-530(1)', 'law.justia.com/codes/south-carolina/2018/title-15/chapter-3/section-15-3-530/', {
      quote: 'an action upon a contract, obligation, or liability, express or implied',
      summary: 'within three years',
    }),
  ],
  SD: [
    quoted(6, '2026-11-27', 'S.D. Codified Laws 15-2-13(1)', 'whychat.me/States/state-sd.html', {
      quote: 'An action upon a contract, obligation, or liability, express or implied',
      summary: 'within six years',
    }),
  ],
  TN: [
    quoted(6, '2026-11-27', 'Tenn. Code 28-3-109(a)(3)', 'whychat.me/States/state-te.html', {
      quote: 'Actions on contracts not otherwise expressly provided for',
      summary: 'within six years',
    }),
  ],
  TX: [
    read(
      4,
      '2026-11-27',
      'Tex. Civ. Prac. & Rem. Code 16.004(a)(3), (c)',
      'law.justia.com/codes/texas/2019/civil-practice-and-remedies-code/title-2/subtitle-b/chapter-16/subchapter-a/section-16-004',
      {
        quote: 'A person must bring suit on the following actions not later than four years after the day the cause of action accrues',
        summary: 'on a debt; an open or stated account has the same',
      },
    ),
  ],
  UT: [
    read(6, '2026-11-27', 'Utah Code 78B-2-309(1)(b)', 'legalfix.com/statutes/state-codes/utah/title-78b/chapter-2/part-3/section-309', {
      quote: 'upon any contract, obligation, or liability founded upon an instrument in writing',
      summary: 'within six years',
    }),
  ],
  VA: [
    read(
      5,
      '2026-11-27',
      'Va. Code 8.01-246(2)',
      'www.richmondsunlight.com/bill/2019/hb2242/fulltext/',
      'in writing and signed by the party to be charged thereby, or by his agent, within five years whether such writing be under seal ' +
        'or not',
    ),
  ],
  VT: [
    quoted(
      6,
      '2026-11-27',
      '12 Vt. Stat. 511',
      'docketmath.com/blog/statute-of-limitations-oral-contract-vermont',
      'shall be commenced within six years after the cause of action accrues and not thereafter',
    ),
  ],
  WA: [
    read(6, '2026-11-27', 'RCW 4.16.040(1), (2)', 'app.leg.wa.gov/rcw/default.aspx?cite=4.16.040', {
      quote: 'An action upon a contract in writing, or liability express or implied arising out of a written agreement',
      summary: 'within six years; an account receivable too',
    }),
  ],
  WI: [
    read(
      6,
      '2026-11-27',
      'Wis. Stat. 893.43(1)',
      'instalawyer.io/laws/wisconsin-statutes-annotations/chapter-893-limitations-of-89343-action-on-contract',
      'shall be commenced within 6 years after the cause of action accrues or be barred',
    ),
  ],
  WV: [
    quoted(5, '2026-11-27', 'W. Va. Code 55-2-6', 'whychat.me/States/state-wva.html', {
      quote: 'if it be upon any other contract, express or implied, within five years',
      summary: 'a contract in writing and signed has ten',
    }),
  ],
  WY: [
    read(8, '2026-11-27', 'Wyo. Stat. 1-3-105(a)(ii)(A)', 'law.justia.com/codes/wyoming/2010/Title1/chapter3.html', {
      quote: 'Upon a contract not in writing, either express or implied',
      summary: 'within eight years; one in writing has ten',
    }),
    read(5, '2026-11-27', 'Wyo. Stat. 1-3-105(a)(iii)', 'law.justia.com/codes/wyoming/2010/Title1/chapter3.html', {
      quote: 'Within five (5) years after the debtor establishes residence in Wyoming, an action on a foreign claim, judgment or contract',
      summary: 'that accrued before the debtor began to live there',
    }),
  ],
};
