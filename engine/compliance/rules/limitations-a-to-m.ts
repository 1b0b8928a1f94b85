import { DC_CODE, type Period, quoted, read } from './reading.js';

/** Readings of the states from Alaska to Montana; see `limitations.ts`. */
export const PERIODS_A_TO_M: Readonly<Record<string, readonly Period[]>> = {
  AK: [
    read(
      3,
      '2026-11-27',
      'Alaska Stat. 09.10.053',
      'www.akleg.gov/basis/statutes.asp?media=print&secEnd=09.10.060&secStart=09.10.050',
      'Unless the action is commenced within three years, a person may not bring an action upon a contract or liability, express ' +
        'or implied',
    ),
  ],
  AL: [
    quoted(6, '2026-11-27', 'Ala. Code 6-2-34(5)', 'docketmath.com/blog/statute-of-limitations-written-contract-alabama', {
      quote: 'Actions for the recovery of money upon a loan, upon a stated or liquidated account',
      summary: 'within six years',
    }),
  ],
  AR: [
    quoted(5, '2026-11-27', 'Ark. Code 16-56-111(a)', 'docketmath.com/blog/statute-of-limitations-debt-on-a-promissory-note-arkansas', {
      quote: 'shall be commenced within five (5) years after the cause of action shall accrue',
      summary: 'actions to enforce written obligations',
    }),
  ],
  AZ: [
    read(6, '2026-11-27', 'Ariz. Rev. Stat. 12-548(A)', 'self-law.org/code/az/title-12/12-548', {
      quote: 'An action for debt shall be commenced and prosecuted within six years after the cause of action accrues, and not afterward',
      summary: 'of a contract in writing that is executed in the state, and of a credit card',
    }),
    read(
      4,
      '2026-11-27',
      'Ariz. Rev. Stat. 12-544(3)',
      'codes.findlaw.com/az/title-12-courts-and-civil-proceedings/az-rev-st-sect-12-544.html',
      { quote: 'upon an instrument in writing executed without the state', summary: 'within four years' },
    ),
  ],
  CA: [
    read(4, '2026-11-27', 'Cal. Code Civ. Proc. 337(a), (b)', 'self-law.org/code/ca/code-of-civil-procedure/337', {
      quote: 'An action upon any contract, obligation or liability founded upon an instrument in writing',
      summary: 'within four years; an account too',
    }),
  ],
  CO: [
    read(
      6,
      '2026-11-27',
      'Colo. Rev. Stat. 13-80-103.5(1)(a)',
      'law.justia.com/codes/colorado/2021/title-13/article-80/section-13-80-103-5/',
      {
        quote:
          'All actions to recover a liquidated debt or an unliquidated, determinable amount of money due to the person bringing the action',
        summary: 'within six years',
      },
    ),
  ],
  CT: [
    read(
      6,
      '2026-11-27',
      'Conn. Gen. Stat. 52-576(a)',
      'law.justia.com/codes/connecticut/2022/title-52/chapter-926/section-52-576',
      'No action for an account, or on any simple or implied contract, or on any contract in writing, shall be brought but within six ' +
        'years after the right of action accrues',
    ),
  ],
  DC: [
    read(
      3,
      '2026-11-27',
      'D.C. Code 28-3814(o)',
      DC_CODE,
      'shall only be commenced within 3 years of accrual. This period shall apply whether the legal basis of the claim sounds in ' +
        'contract, account stated, open account, or other cause',
    ),
  ],
  DE: [
    quoted(3, '2026-11-27', '10 Del. C. 8106(a)', 'docketmath.com/blog/statute-of-limitations-written-contract-delaware', {
      quote: 'shall be brought after the expiration of 3 years from the accruing of the cause of such action',
      summary: 'no action based on a promise',
    }),
  ],
  FL: [
    read(5, '2026-11-27', 'Fla. Stat. 95.11(2)(b)', 'syfert.com/florida/statutes/0095.11.html', {
      quote: 'A legal or equitable action on a contract, obligation, or liability founded on a written instrument',
      summary: 'within five years',
    }),
  ],
  GA: [
    read(
      6,
      '2026-11-27',
      'Ga. Code 9-3-24',
      'law.justia.com/codes/georgia/2021/title-9/chapter-3/article-2/section-9-3-24/',
      'All actions upon simple contracts in writing shall be brought within six years after the same become due and payable',
    ),
  ],
  HI: [
    read(6, '2026-11-27', 'Haw. Rev. Stat. 657-1(1)', 'data.capitol.hawaii.gov/hrscurrent/Vol13_Ch0601-0676/HRS0657/HRS_0657-0001.htm', {
      quote: 'Actions for the recovery of any debt founded upon any contract, obligation, or liability',
      summary: 'within six years',
    }),
    read(4, '2026-11-27', 'Haw. Rev. Stat. 657-6', 'www.lawserver.com/law/state/hawaii/hi-statutes/hawaii_statutes_657-6', {
      quote: 'shall be commenced within four years after the cause of action accrued, and not after',
      summary: 'of a debt whose cause of action has arisen in a foreign jurisdiction',
    }),
  ],
  IA: [
    quoted(5, '2026-11-27', 'Iowa Code 614.1(4)', 'docketmath.com/blog/statute-of-limitations-oral-contract-iowa', {
      quote: 'Those founded on unwritten contracts',
      summary: 'within five years',
    }),
  ],
  IL: [
    read(10, '2026-11-27', '735 ILCS 5/13-206', 'ilga.gov/legislation/ilcs/documents/073500050K13-206.htm', {
      quote: 'be commenced within 10 years next after the cause of action accrued',
      summary: 'on notes and written contracts',
    }),
    quoted(5, '2026-11-27', '735 ILCS 5/13-205', 'docketmath.com/blog/statute-of-limitations-oral-contract-illinois', {
      quote: 'shall be commenced within 5 years next after the cause of action accrued',
      summary: 'on unwritten contracts',
    }),
  ],
  IN: [
    quoted(
      6,
      '2026-11-27',
      'Ind. Code 34-11-2-9',
      'commercialforeclosureblog.typepad.com/indiana_commercial_forecl/2009/03/' +
        'indianas-statute-of-limitations-for-the-enforcement-of-promissory-notes-6-years.html',
      'written contracts for the payment of money executed after August 31, 1982, must be commenced within six (6) years after the cause ' +
        'of action accrues',
    ),
  ],
  KS: [
    quoted(
      5,
      '2026-11-27',
      'Kan. Stat. 60-511(1)',
      'docketmath.com/blog/sol-collections-kansas',
      'The following actions shall be brought within five (5) years: (1) An action upon any agreement, contract or promise in writing',
    ),
  ],
  KY: [
    read(10, '2026-11-27', 'Ky. Rev. Stat. 413.160', 'self-law.org/code/ky/413-160', {
      quote: 'An action upon a written contract executed after July 15, 2014, unless otherwise provided by statute',
      summary: 'within ten years',
    }),
    read(5, '2026-11-27', 'Ky. Rev. Stat. 413.120(1)', 'self-law.org/code/ky/chapter-413/413-120', {
      quote: 'An action upon a contract not in writing, express or implied',
      summary: 'within five years',
    }),
  ],
  LA: [
    read(3, '2026-11-27', 'La. Civ. Code art. 3494(3), (4)', 'legis.la.gov/Legis/Law.aspx?d=110518', {
      quote: 'The following actions are subject to a liberative prescription of three years',
      summary: 'on money lent, and on an open account',
    }),
  ],
  MD: [
    read(
      3,
      '2026-11-27',
      'Md. Code, Cts. & Jud. Proc. 5-101',
      'casetext.com/statute/code-of-maryland/' +
        'article-courts-and-judicial-proceedings/title-5-limitations-prohibited-actions-and-immunities/subtitle-1-limitations/' +
        'section-5-101-three-year-limitation-in-general',
      'A civil action at law shall be filed within three years from the date it accrues',
    ),
  ],
  ME: [
    read(
      6,
      '2026-11-27',
      '14 Me. Rev. Stat. 752',
      'docslib.org/doc/2130286/maine-statute-of-limitations',
      'All civil actions shall be commenced within 6 years after the cause of action accrues and not afterwards',
    ),
  ],
  MI: [
    quoted(
      6,
      '2026-11-27',
      'Mich. Comp. Laws 600.5807(9)',
      'docketmath.com/blog/statute-of-limitations-oral-contract-michigan',
      'The period of limitations is 6 years for an action to recover damages or money due for breach of contract',
    ),
  ],
  MN: [
    read(6, '2026-11-27', 'Minn. Stat. 541.05 subd. 1(1)', 'statutes.laws-info.com/minnesota/540-552/541/541_05', {
      quote: 'upon a contract or other obligation, express or implied, as to which no other limitation is expressly prescribed',
      summary: 'within six years',
    }),
  ],
  MO: [
    quoted(10, '2026-11-27', 'Mo. Rev. Stat. 516.110(1)', 'docketmath.com/blog/statute-of-limitations-written-contract-missouri', {
      quote: 'An action upon any writing, whether sealed or unsealed, for the payment of money or property',
      summary: 'within ten years',
    }),
    quoted(
      5,
      '2026-11-27',
      'Mo. Rev. Stat. 516.120(1)',
      'docketmath.com/blog/statute-of-limitations-wrongful-termination-common-law-missouri',
      {
        quote: 'All actions upon contracts, obligations or liabilities, express or implied, except those mentioned in section 516.110',
        summary: 'within five years; a bill of 2026 (HB 1610) would make it three, and what became of it was not found',
      },
    ),
  ],
  MT: [
    read(
      5,
      '2026-11-27',
      'Mont. Code 27-2-202(2)',
      'leg.mt.gov/bills/2001/mca/27/2/27-2-202.htm',
      'a contract, account, or promise not founded on an instrument in writing is within 5 years',
    ),
  ],
};
