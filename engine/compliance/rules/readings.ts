import type { RuleBasis } from '../rule.js';
import { CONTENT_BASES, NOTHING_OF_DEBT } from './content-readings.js';
import { text, inPart, secondHand, basis, REGULATION_F, CFR_12, DC_CODE, RCW_COLLECTION } from './reading.js';

/*
 * The sources of each rule. They are in one file because they are read again together: a release must not have sources that were read more
 * than six months ago (test/engine/compliance/readings.test.ts).
 */

const HOURS = text(
  '12 CFR 1006.6(b)(1)(i)',
  'lawserver.com/law/country/us/cfr/12_cfr_1006-6',
  'before 8:00 a.m. and after 9:00 p.m. local time at the consumer’s location',
);

export const BASES: Readonly<Record<string, RuleBasis>> = {
  ...CONTENT_BASES,
  'US-DECEASED': basis('collectors', [
    text('12 CFR 1006.6(a)(4)', `${REGULATION_F}/6/`, {
      summary:
        'consumer includes the spouse, the parent of a minor, a guardian, the executor or administrator, the personal ' +
        'representative and a confirmed successor',
    }),
  ]),
  'US-CEASE': basis('collectors', [
    text('12 CFR 1006.6(c)', `${REGULATION_F}/6/`, {
      summary: 'after a written notice only: that efforts end, that specified remedies may be invoked, that a specified remedy is intended',
    }),
  ]),
  'US-ATTORNEY': basis('collectors', [text('12 CFR 1006.6(b)(2)', `${REGULATION_F}/6/`, 'fails to respond within a reasonable period')]),
  'US-LOCATE': basis(
    'collectors',
    [
      NOTHING_OF_DEBT,
      text(
        '15 USC 1692b(3)',
        'lawserver.com/law/country/us/code/15_usc_1692b',
        'not communicate with any such person more than once unless requested to do so by such person or unless the debt collector ' +
          'reasonably believes that the earlier response of such person is erroneous or incomplete',
      ),
      inPart('12 CFR 1006.10(c)', `${REGULATION_F}/10/`, {
        summary: 'must not communicate more than once with such person unless requested',
      }),
    ],
    [{ what: 'contacts', per: 'person', limit: 1, days: null }],
  ),
  'US-BANKRUPTCY': basis('everybody', [
    text(
      'D. Colo. L.B.R. 4001-6; 11 USC 362(a)(6)',
      'cob.uscourts.gov/content/lbr-4001-6-communication-not-violation-automatic-stay',
      'indicate it is provided for information purposes and does not constitute a demand for payment',
    ),
    text('11 USC 1301(a)', 'www.doney.net/bkcode/11usc1301.htm', {
      quote:
        'a creditor may not act, or commence or continue any civil action, to collect all or any part of a consumer debt of the debtor ' +
        'from any individual that is liable on such debt with the debtor',
      summary: 'while the case is open; 11 USC 1201 is the like for chapter 12',
    }),
  ]),
  'US-IDTHEFT': basis('everybody', [
    inPart('15 USC 1681c-2(b)', 'customsmobile.com/uscode/title15_chapter41_subchapterIII_section1681c-2', {
      quote: 'A consumer reporting agency shall promptly notify the furnisher of information identified by the consumer',
      summary: 'the furnisher then keeps blocked information out of its reports (15 USC 1681s-2(a)(6))',
    }),
  ]),
  'US-DISPUTE': basis('collectors', [
    text('12 CFR 1006.38(d)(2)', `${REGULATION_F}/38/`, {
      summary: 'a written dispute within the period stops collection until verification is sent',
    }),
  ]),
  'US-SCRA': basis('everybody', [
    text(
      '50 USC 3953(a), (c)',
      'library.nclc.org/ca/aa22-0',
      'during, or within one year after, the period of the servicemember’s military service',
    ),
    secondHand(
      '50 USC 3952',
      'wiki.contract4deed.com/edge-cases/scra-servicemember-buyer',
      'installment contracts are not rescinded or enforced without an order of a court',
    ),
  ]),
  'US-DISASTER': basis('company', []),
  'US-TIMEBARRED': basis('collectors', [
    text('12 CFR 1006.26(b)', `${REGULATION_F}/26/`, 'must not bring or threaten to bring a legal action'),
    text('D.C. Code 28-3814(o)', DC_CODE, { summary: 'three years' }),
  ]),
  'WI-TIMEBARRED': basis('everybody', [
    text(
      'Wis. Stat. 893.05',
      'docs.legis.wisconsin.gov/document/statutes/2011/893.12',
      'When the period has expired, the right is extinguished as well as the remedy',
    ),
  ]),
  'MA-VALIDATION': basis('creditorsAndCollectors', [
    text(
      '940 CMR 7.08',
      'regulations.justia.com/states/massachusetts/940-cmr/title-940-cmr-7-00/section-7-08',
      'within five business days after the initial communication with a debtor in connection with the collection of a debt',
    ),
    secondHand(
      '940 CMR 7.03',
      'insidearm.com/opinion/massachusetts-first-state-to-require-creditors-to-validate-consumer-debts/',
      'debts more than 30 days past due',
    ),
  ]),
  'US-VALIDATION': basis('collectors', [
    text(
      '12 CFR 1006.34(b)(5)',
      `${REGULATION_F}/34/`,
      '30 days after the consumer receives or is assumed to receive the validation information',
    ),
    inPart('209 CMR 18.20', 'law.cornell.edu/regulations/massachusetts/209-CMR-18-20', 'within five days after the initial communication'),
  ]),
  'US-INCONVENIENT': basis('collectors', [
    text('12 CFR 1006.6(b)(1)(ii)', 'lawserver.com/law/country/us/cfr/12_cfr_1006-6', {
      summary: 'any unusual place, or one known as inconvenient',
    }),
    text('12 CFR 1006.14(h)', CFR_12, {
      summary:
        'must not communicate through a medium that the person has requested not to be used; may respond once through the same medium',
    }),
  ]),
  'US-AUTODIAL': basis('everybody', [
    text('47 CFR 64.1200(a)(1), (2)', 'hallikainen.org/org/FCC/FccRules/2015/64/1200', {
      summary: 'prior express consent; of advertisement or telemarketing prior express written consent',
    }),
  ]),
  'US-TEXT-CONSENT': basis('everybody', [
    text('47 CFR 64.1200(a)(10) to (12)', 'govinfo.gov/content/pkg/FR-2024-03-05/html/2024-04587.htm', {
      summary: 'by any reasonable means; within ten business days; one text that confirms',
    }),
  ]),
  'US-TEXT-MARKETING': basis('everybody', [
    text('47 CFR 64.1200(a)(2)', 'hallikainen.org/org/FCC/FccRules/2015/64/1200', {
      summary:
        'prior express written consent of the called party, of calls that include an advertisement or are telemarketing; a text is a call',
    }),
    text(
      'RCW 19.190.060, .070',
      'app.leg.wa.gov/RCW/default.aspx?cite=19.190.070',
      'clearly and affirmatively consented in advance to receive these text messages',
    ),
  ]),
  'US-EMAIL-OPTOUT': basis('everybody', [
    text(
      '15 USC 7704(a)(3)(A)(ii)',
      'en.m.wikisource.org/wiki/Page:United_States_Statutes_at_Large_Volume_117.djvu/2726',
      'remains capable of receiving such messages or communications for no less than 30 days after the transmission of the original ' +
        'message',
    ),
    secondHand(
      '15 USC 7704(a)(4)(A)(i)',
      'cyberspaceblawg.blogspot.com/2008/01/spam-part-8.html',
      'nothing more than ten business days after the request',
    ),
  ]),
  'US-ECONSENT': basis('everybody', [
    text(
      '15 USC 7001(c)(1)(A)',
      'www.dataqwestinc.com/legal/electronicsignatures.html',
      'the consumer has affirmatively consented to such use and has not withdrawn such consent',
    ),
    text(
      'OCC Advisory Letter 2004-11',
      'webarchive.library.unt.edu/eot2008/20080917064435/http://www.occ.treas.gov/ftp/advisory/2004-11.txt',
      'permits disclosures to be made or delivered electronically, notwithstanding any other law that might require a written ' +
        'disclosure, provided that the consumer consents',
    ),
    text(
      '12 CFR 1006.42(b)',
      'lexbuild.dev/ecfr/title-12/chapter-X/part-1006/section-1006.42',
      'in accordance with section 101(c) of the E-SIGN Act',
    ),
  ]),
  'US-TIME-COLL': basis('collectors', [
    HOURS,
    text('RCW 19.16.250(13)(c)', RCW_COLLECTION, {
      summary: 'with the debtor or spouse at his or her place of residence between 9:00 p.m. and 7:30 a.m.',
    }),
  ]),
  'US-TIME-TCPA': basis('solicitors', [
    inPart('47 CFR 64.1200(c)(1)', 'code.dccouncil.gov/us/dc/council/code/sections/22-3226.08', {
      summary: '8:00 to 21:00 at the called party’s place, in the words of a state that copies it',
    }),
  ]),
  'US-HOLIDAY': basis('company', []),
  'TX-SOLICIT': basis('solicitors', [
    inPart('Tex. Bus. & Com. Code 37.02 (2005), 301.051 today', 'law.justia.com/codes/texas/2005/bc/004.00.000037.00.html', {
      summary: 'permissible hours: a telephone solicitor may not make a consumer telephone call to a consumer unless in them',
    }),
  ]),
  'FL-SOLICIT': basis(
    'solicitors',
    [
      text(
        'Fla. Stat. 501.616(6)(a)',
        'lawserver.com/law/state/florida/statutes/florida_statutes_501-616',
        'before 8 a.m. or after 8 p.m. local time in the called person’s time zone',
      ),
      text(
        'Fla. Stat. 501.616(6)(b)',
        'flsenate.gov/Session/Bill/2021/1120/BillText/Filed/HTML',
        'More than three commercial telephone solicitation phone calls from any number to a person over a 24-hour period',
      ),
    ],
    [{ what: 'solicitations', per: 'person', limit: 3, days: 1 }],
  ),
  'US-FREQ-7IN7': basis(
    'collectors',
    [
      text(
        '12 CFR 1006.14(b)(2)(i)(A)',
        CFR_12,
        'places a telephone call to a particular person in connection with the collection of a particular debt neither: more than seven ' +
          'times within seven consecutive days',
      ),
    ],
    [{ what: 'calls', per: 'debt', limit: 7, days: 7 }],
  ),
  'US-FREQ-AFTERCALL': basis(
    'collectors',
    [
      text(
        '12 CFR 1006.14(b)(2)(i)(B)',
        CFR_12,
        'within a period of seven consecutive days after having had a telephone conversation with the person in connection with the ' +
          'collection of such debt',
      ),
    ],
    [{ what: 'conversations', per: 'debt', limit: 1, days: 7 }],
  ),
  'MA-FREQ': basis(
    'creditorsAndCollectors',
    [
      text('940 CMR 7.04(1)(f)', 'regulations.justia.com/states/massachusetts/940-cmr/title-940-cmr-7-00/section-7-04', {
        quote: 'in excess of two such communications in each seven-day period',
        summary: 'to the debtor’s residence, cellular telephone, or other telephone number of the debtor, for each debt',
      }),
      text(
        '209 CMR 18.16(1)(d)',
        'law.cornell.edu/regulations/massachusetts/209-CMR-18-16',
        'in excess of two such communications in each seven-day period to a consumer’s residence or cellular telephone ' +
          'and two such communications in each 30-day period other than at a consumer’s residence, or cellular telephone ' +
          'for each debt',
      ),
      secondHand(
        '940 CMR 7.04(1)(f)',
        'lemberglaw.com/massachusetts-debt-collection-regulations-calls-per-week-limit',
        'the Attorney General: the limit does not apply to a creditor who is truly unable to reach the debtor or leave a message',
      ),
    ],
    [
      { what: 'callsAndTexts', per: 'debt', limit: 2, days: 7 },
      { what: 'callsAndTexts', per: 'debt', limit: 2, days: 30 },
    ],
  ),
  'NYC-FREQ': basis(
    'creditorsAndCollectors',
    [secondHand('6 RCNY 5-77(b)(1)(iv)', null, 'more than two contacts in seven days are presumed excessive')],
    [{ what: 'contacts', per: 'debt', limit: 2, days: 7 }],
  ),
  'NYC-SHIELD': basis(
    'creditorsAndCollectors',
    [
      text(
        '6 RCNY 5-77 as amended',
        'nyc.gov/site/dca/news/022-26/dcwp-the-nation-s-strongest-consumer-protection-rules-against-predatory-debt-collection',
        'three attempts within seven days',
      ),
      secondHand(
        '6 RCNY 5-77 as amended',
        'americollect.com/2026/04/new-york-city-dcwp-debt-collection-rules-finalized/',
        'per account; letters are not counted',
      ),
    ],
    [{ what: 'attempts', per: 'debt', limit: 3, days: 7 }],
  ),
  'NYC-ELECTRONIC': basis('creditorsAndCollectors', [
    secondHand(
      '6 RCNY 5-77 as amended',
      'americollect.com/2026/04/new-york-city-dcwp-debt-collection-rules-finalized/',
      'e-mail or text only with consent, or where the consumer used that address or number with the collector about a debt in the past ' +
        '60 days',
    ),
  ]),
  'WA-FREQ': basis(
    'collectors',
    [
      text(
        'RCW 19.16.250(13)(a), (b)',
        RCW_COLLECTION,
        'with a debtor or spouse in any form, manner, or place, more than three times in a single week, unless the ' +
          'licensee is responding to a communication from the debtor or spouse',
      ),
    ],
    [
      { what: 'contacts', per: 'person', limit: 3, days: 7 },
      { what: 'contacts', per: 'person', limit: 1, days: 7 },
    ],
  ),
  'WA-CELL-DAY': basis(
    'collectors',
    [
      text('RCW 19.16.250(18)', RCW_COLLECTION, {
        quote:
          'Call, or send a text message or other electronic communication to, a cellular telephone or other wireless device more than ' +
          'twice in any day',
        summary: 'unless the licensee is responding to a communication from the debtor',
      }),
    ],
    [{ what: 'callsAndTexts', per: 'person', limit: 2, days: 1 }],
  ),
  'OR-WORK': basis(
    'creditorsAndCollectors',
    [text('ORS 646.639(2)', 'doj.state.or.us/consumer/pages/debt_collection.aspx', 'Not call you more than one time a week at work')],
    [{ what: 'callsAndTexts', per: 'person', limit: 1, days: 7 }],
  ),
  'WV-FREQ': basis(
    'creditorsAndCollectors',
    [
      text(
        'W. Va. Code 46A-2-125(d)',
        'instalawyer.io/laws/west-virginia-code/46a-2-125-oppression-and-abuse',
        'Calling any person more than thirty times per week or engaging any person in telephone conversation more than ten times per week',
      ),
    ],
    [
      { what: 'calls', per: 'person', limit: 30, days: 7 },
      { what: 'conversations', per: 'person', limit: 10, days: 7 },
    ],
  ),
  'DC-FREQ': basis(
    'creditorsAndCollectors',
    [
      text('D.C. Code 28-3814(a), (b)(2)', DC_CODE, {
        summary: 'more than 30 days past due and owing; does not include an extension of credit secured by a mortgage',
      }),
      text('D.C. Code 28-3814(d)(4)(A)(i)', DC_CODE, {
        quote: 'in excess of 4 phone calls per account, inclusive of all phone numbers the debt collector has for the consumer',
        summary: 'in any period of seven days; calls without a connection or a way to leave a message do not count',
      }),
      text('D.C. Code 28-3814(d)(4)(B)(ii), (iii)', DC_CODE, {
        quote: 'for purposes of obtaining consent to communicate via the method',
        summary: 'one electronic message in seven days before consent, for that alone; five for an account after it',
      }),
    ],
    [
      { what: 'calls', per: 'debt', limit: 4, days: 7 },
      { what: 'messages', per: 'debt', limit: 5, days: 7 },
    ],
  ),
  'US-DNC': basis('solicitors', [
    secondHand(
      '47 CFR 64.1200(c)(2)',
      'en.wikipedia.org/wiki/National_Do_Not_Call_Registry',
      'telemarketers have up to 31 days from the date a number is registered to cease calling that number',
    ),
    secondHand(
      '47 CFR 64.1200(f)(5)',
      'cornbelttelephone.com/do-not-call-registry/',
      'an established business relationship: a transaction within eighteen months, an inquiry or application within three',
    ),
    secondHand(
      '47 CFR 64.1200(d)(1) to (3)',
      'leadcompliancehub.com/blog/internal-dnc-policy-requirements',
      'a list of its own with a written policy, trained staff, requests recorded',
    ),
  ]),
};
