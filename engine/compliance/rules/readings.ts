import type { RuleBasis } from '../rule.js';
import { CONTENT_BASES, NOTHING_OF_DEBT } from './content-readings.js';
import { FREQUENCY_BASES } from './frequency-readings.js';
import { LIMITATION_READINGS, readingsOf } from './limitations.js';
import {
  basis,
  CAN_SPAM,
  CFR_12,
  CFR_12_CONTACTS,
  inPart,
  RCW_COLLECTION,
  READ_IN_A_FILE,
  REGULATION_F,
  secondHand,
  text,
  USC_CONTACTS,
} from './reading.js';

/*
 * The sources of each rule: here, in content-readings.ts, frequency-readings.ts and limitations.ts. Each has the day on which it was read:
 * a release must not have a source that was read more than six months before it (test/engine/compliance/readings.test.ts).
 */

const HOURS = text(
  '2026-11-27',
  '12 CFR 1006.6(b)(1)(i)',
  CFR_12_CONTACTS,
  'a time before 8:00 a.m. and after 9:00 p.m. local time at the consumer’s location is inconvenient',
);

export const BASES: Readonly<Record<string, RuleBasis>> = {
  ...CONTENT_BASES,
  ...FREQUENCY_BASES,
  'US-DECEASED': basis('collectors', [
    text('2026-11-27', '12 CFR 1006.6(a)(4)', CFR_12_CONTACTS, {
      quote: 'The executor or administrator of the consumer’s estate, if the consumer is deceased',
      summary: 'consumer includes also the spouse, the parent of a minor, a guardian and a confirmed successor',
    }),
  ]),
  'US-CEASE': basis('collectors', [
    text('2026-11-27', '15 USC 1692c(c)', USC_CONTACTS, {
      quote:
        'the consumer wishes the debt collector to cease further communication with the consumer, the debt collector shall not ' +
        'communicate further with the consumer with respect to such debt',
      summary:
        'after a written notice; except that efforts end, that specified remedies may be invoked, and that a specified remedy is intended',
    }),
  ]),
  'US-ATTORNEY': basis('collectors', [
    text(
      '2026-11-27',
      '15 USC 1692c(a)(2)',
      USC_CONTACTS,
      'unless the attorney fails to respond within a reasonable period of time to a communication from the debt collector or unless ' +
        'the attorney consents to direct communication with the consumer',
    ),
  ]),
  'US-LOCATE': basis(
    'collectors',
    [
      NOTHING_OF_DEBT,
      text(
        '2026-11-26',
        '15 USC 1692b(3)',
        'lawserver.com/law/country/us/code/15_usc_1692b',
        'not communicate with any such person more than once unless requested to do so by such person or unless the debt collector ' +
          'reasonably believes that the earlier response of such person is erroneous or incomplete',
      ),
      inPart('2026-11-26', '12 CFR 1006.10(c)', `${REGULATION_F}/10/`, {
        summary: 'must not communicate more than once with such person unless requested',
      }),
    ],
    [{ what: 'contacts', per: 'person', limit: 1, days: null }],
  ),
  'US-BANKRUPTCY': basis('everybody', [
    text(
      '2026-11-23',
      'D. Colo. L.B.R. 4001-6; 11 USC 362(a)(6)',
      'cob.uscourts.gov/content/lbr-4001-6-communication-not-violation-automatic-stay',
      'indicate it is provided for information purposes and does not constitute a demand for payment',
    ),
    text('2026-11-27', '11 USC 1301(a)', 'www.doney.net/bkcode/11usc1301.htm', {
      quote:
        'a creditor may not act, or commence or continue any civil action, to collect all or any part of a consumer debt of the debtor ' +
        'from any individual that is liable on such debt with the debtor',
      summary: 'while the case is open; 11 USC 1201 is the like for chapter 12',
    }),
  ]),
  'US-IDTHEFT': basis('everybody', [
    text(
      '2026-11-27',
      '15 USC 1681c-2(b)',
      'customsmobile.com/uscode/title15_chapter41_subchapterIII_section1681c-2',
      'A consumer reporting agency shall promptly notify the furnisher of information identified by the consumer',
    ),
    secondHand(
      '2026-11-27',
      '15 USC 1681m(f)',
      'www.urbansiasociatii.ro/manualul_colectorului/HTML/20.html',
      'who is notified that a debt has resulted from identity theft may not sell, transfer or place it for collection',
    ),
  ]),
  'US-DISPUTE': basis('collectors', [
    inPart('2026-11-27', '12 CFR 1006.38(c), (d)(2)', 'self-law.org/code/us/cfr/t12/s%C2%A7%201006.38', {
      quote: 'must cease collection of the debt until the debt collector',
      summary: 'so of a request in writing for the original creditor; of a written dispute within the period, until verification is sent',
    }),
  ]),
  'US-SCRA': basis('everybody', [
    text(
      '2026-11-23',
      '50 USC 3953(a), (c)',
      'library.nclc.org/ca/aa22-0',
      'during, or within one year after, the period of the servicemember’s military service',
    ),
    secondHand(
      '2026-11-23',
      '50 USC 3952',
      'wiki.contract4deed.com/edge-cases/scra-servicemember-buyer',
      'installment contracts are not rescinded or enforced without an order of a court',
    ),
  ]),
  'US-DISASTER': basis('company', []),
  'US-TIMEBARRED': basis('collectors', [
    text(
      '2026-11-27',
      '12 CFR 1006.26(b)',
      `${REGULATION_F}/26/`,
      'A debt collector must not bring or threaten to bring a legal action against a consumer to collect a time-barred debt',
    ),
    ...LIMITATION_READINGS,
  ]),
  'WI-TIMEBARRED': basis('everybody', [
    text(
      '2026-11-23',
      'Wis. Stat. 893.05',
      'docs.legis.wisconsin.gov/document/statutes/2011/893.12',
      'When the period has expired, the right is extinguished as well as the remedy',
    ),
    ...readingsOf('WI'),
  ]),
  'MA-VALIDATION': basis('creditorsAndCollectors', [
    text(
      '2026-11-23',
      '940 CMR 7.08',
      'regulations.justia.com/states/massachusetts/940-cmr/title-940-cmr-7-00/section-7-08',
      'within five business days after the initial communication with a debtor in connection with the collection of a debt',
    ),
    secondHand(
      '2026-11-23',
      '940 CMR 7.03',
      'insidearm.com/opinion/massachusetts-first-state-to-require-creditors-to-validate-consumer-debts/',
      'debts more than 30 days past due',
    ),
  ]),
  'US-VALIDATION': basis('collectors', [
    inPart('2026-11-23', '12 CFR 1006.34(b)(5)', null, {
      quote: '30 days after the consumer receives or is assumed to receive the validation information',
      summary: READ_IN_A_FILE,
    }),
    inPart(
      '2026-11-23',
      '209 CMR 18.20',
      'law.cornell.edu/regulations/massachusetts/209-CMR-18-20',
      'within five days after the initial communication',
    ),
  ]),
  'US-INCONVENIENT': basis('collectors', [
    text(
      '2026-11-27',
      '12 CFR 1006.6(b)(1)(ii)',
      CFR_12_CONTACTS,
      'At any unusual place, or at a place that the debt collector knows or should know is inconvenient to the consumer',
    ),
    inPart('2026-11-23', '12 CFR 1006.14(h)', CFR_12, {
      summary:
        'must not communicate through a medium that the person has requested not to be used; may respond once through the same medium',
    }),
  ]),
  'US-AUTODIAL': basis('everybody', [
    inPart('2026-11-23', '47 CFR 64.1200(a)(1), (2)', 'hallikainen.org/org/FCC/FccRules/2015/64/1200', {
      summary: 'prior express consent; of advertisement or telemarketing prior express written consent',
    }),
  ]),
  'US-TEXT-CONSENT': basis('everybody', [
    inPart('2026-11-23', '47 CFR 64.1200(a)(10) to (12)', 'govinfo.gov/content/pkg/FR-2024-03-05/html/2024-04587.htm', {
      summary: 'by any reasonable means; within ten business days; one text that confirms',
    }),
  ]),
  'US-TEXT-MARKETING': basis('everybody', [
    inPart('2026-11-23', '47 CFR 64.1200(a)(2)', 'hallikainen.org/org/FCC/FccRules/2015/64/1200', {
      summary:
        'prior express written consent of the called party, of calls that include an advertisement or are telemarketing; a text is a call',
    }),
    text(
      '2026-11-23',
      'RCW 19.190.060, .070',
      'app.leg.wa.gov/RCW/default.aspx?cite=19.190.070',
      'clearly and affirmatively consented in advance to receive these text messages',
    ),
  ]),
  'US-EMAIL-OPTOUT': basis('everybody', [
    text(
      '2026-11-27',
      '15 USC 7704(a)(3)(A)(ii)',
      'en.m.wikisource.org/wiki/Page:United_States_Statutes_at_Large_Volume_117.djvu/2726',
      'remains capable of receiving such messages or communications for no less than 30 days after the transmission of the original ' +
        'message',
    ),
    inPart('2026-11-27', '15 USC 7704(a)(4)(A)(i)', CAN_SPAM, {
      quote:
        'for the sender to initiate the transmission to the recipient, more than 10 business days after the receipt of such request, of ' +
        'a commercial electronic mail message that falls within the scope of the request',
      summary: 'as a file quotes the code of 2023',
    }),
  ]),
  'US-ECONSENT': basis('everybody', [
    text(
      '2026-11-27',
      '15 USC 7001(c)(1)(A)',
      'www.dataqwestinc.com/legal/electronicsignatures.html',
      'the consumer has affirmatively consented to such use and has not withdrawn such consent',
    ),
    text(
      '2026-11-26',
      'OCC Advisory Letter 2004-11',
      'webarchive.library.unt.edu/eot2008/20080917064435/http://www.occ.treas.gov/ftp/advisory/2004-11.txt',
      'permits disclosures to be made or delivered electronically, notwithstanding any other law that might require a written ' +
        'disclosure, provided that the consumer consents',
    ),
    text(
      '2026-11-23',
      '12 CFR 1006.42(b)',
      'lexbuild.dev/ecfr/title-12/chapter-X/part-1006/section-1006.42',
      'in accordance with section 101(c) of the E-SIGN Act',
    ),
  ]),
  'US-TIME-COLL': basis('collectors', [
    HOURS,
    inPart('2026-11-26', 'RCW 19.16.250(13)(c)', RCW_COLLECTION, {
      summary: 'with the debtor or spouse at his or her place of residence between 9:00 p.m. and 7:30 a.m.',
    }),
  ]),
  'US-TIME-TCPA': basis('solicitors', [
    inPart('2026-11-23', '47 CFR 64.1200(c)(1)', 'code.dccouncil.gov/us/dc/council/code/sections/22-3226.08', {
      summary: '8:00 to 21:00 at the called party’s place, in the words of a state that copies it',
    }),
  ]),
  'US-HOLIDAY': basis('company', []),
  'TX-SOLICIT': basis('solicitors', [
    inPart('2026-11-23', 'Tex. Bus. & Com. Code 37.02 (2005), 301.051 today', 'law.justia.com/codes/texas/2005/bc/004.00.000037.00.html', {
      summary: 'permissible hours: a telephone solicitor may not make a consumer telephone call to a consumer unless in them',
    }),
  ]),
  'FL-SOLICIT': basis(
    'solicitors',
    [
      text(
        '2026-11-27',
        'Fla. Stat. 501.616(6)(a)',
        'lawserver.com/law/state/florida/statutes/florida_statutes_501-616',
        'before 8 a.m. or after 8 p.m. local time in the called person’s time zone',
      ),
      text(
        '2026-11-27',
        'Fla. Stat. 501.616(6)(b)',
        'flsenate.gov/Session/Bill/2021/1120/BillText/Filed/HTML',
        'More than three commercial telephone solicitation phone calls from any number to a person over a 24-hour period',
      ),
    ],
    [{ what: 'solicitations', per: 'person', limit: 3, days: 1 }],
  ),
  'US-DNC': basis('solicitors', [
    inPart('2026-11-27', '47 CFR 64.1200(c)(2)', 'planupdate.blogspot.com/2008/07/consumer-ftc-do-not-call-registry.html', {
      quote:
        'A residential telephone subscriber who has registered his or her telephone number on the national do-not-call registry of ' +
        'persons who do not wish to receive telephone solicitations',
      summary: 'as a page quotes the rule of 2008, which forbids solicitations to them',
    }),
    secondHand(
      '2026-11-26',
      '47 CFR 64.1200(c)(2)',
      'en.wikipedia.org/wiki/National_Do_Not_Call_Registry',
      'telemarketers have up to 31 days from the date a number is registered to cease calling that number',
    ),
    secondHand(
      '2026-11-26',
      '47 CFR 64.1200(f)(5)',
      'cornbelttelephone.com/do-not-call-registry/',
      'an established business relationship: a transaction within eighteen months, an inquiry or application within three',
    ),
    secondHand(
      '2026-11-26',
      '47 CFR 64.1200(d)(1) to (3)',
      'leadcompliancehub.com/blog/internal-dnc-policy-requirements',
      'a list of its own with a written policy, trained staff, requests recorded',
    ),
  ]),
};
