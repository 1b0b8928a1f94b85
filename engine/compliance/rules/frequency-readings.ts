import type { RuleBasis } from '../rule.js';
import { basis, CFR_12, DC_CODE, RCW_COLLECTION, secondHand, text } from './reading.js';

/** The sources of the limits of frequency; see `readings.ts`. */
export const FREQUENCY_BASES: Readonly<Record<string, RuleBasis>> = {
  'US-FREQ-7IN7': basis(
    'collectors',
    [
      text(
        '2026-11-23',
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
        '2026-11-23',
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
      text('2026-11-23', '940 CMR 7.04(1)(f)', 'regulations.justia.com/states/massachusetts/940-cmr/title-940-cmr-7-00/section-7-04', {
        quote: 'in excess of two such communications in each seven-day period',
        summary: 'to the debtor’s residence, cellular telephone, or other telephone number of the debtor, for each debt',
      }),
      text(
        '2026-11-23',
        '209 CMR 18.16(1)(d)',
        'law.cornell.edu/regulations/massachusetts/209-CMR-18-16',
        'in excess of two such communications in each seven-day period to a consumer’s residence or cellular telephone ' +
          'and two such communications in each 30-day period other than at a consumer’s residence, or cellular telephone ' +
          'for each debt',
      ),
      secondHand(
        '2026-11-27',
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
    [secondHand('2026-11-23', '6 RCNY 5-77(b)(1)(iv)', null, 'more than two contacts in seven days are presumed excessive')],
    [{ what: 'contacts', per: 'debt', limit: 2, days: 7 }],
  ),
  'NYC-SHIELD': basis(
    'creditorsAndCollectors',
    [
      text(
        '2026-11-23',
        '6 RCNY 5-77 as amended',
        'nyc.gov/site/dca/news/022-26/dcwp-the-nation-s-strongest-consumer-protection-rules-against-predatory-debt-collection',
        'three attempts within seven days',
      ),
      secondHand(
        '2026-11-23',
        '6 RCNY 5-77 as amended',
        'americollect.com/2026/04/new-york-city-dcwp-debt-collection-rules-finalized/',
        'per account; letters are not counted',
      ),
    ],
    [{ what: 'attempts', per: 'debt', limit: 3, days: 7 }],
  ),
  'NYC-ELECTRONIC': basis('creditorsAndCollectors', [
    secondHand(
      '2026-11-23',
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
        '2026-11-23',
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
      text('2026-11-23', 'RCW 19.16.250(18)', RCW_COLLECTION, {
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
    [
      text(
        '2026-11-26',
        'ORS 646.639(2)',
        'doj.state.or.us/consumer/pages/debt_collection.aspx',
        'Not call you more than one time a week at work',
      ),
    ],
    [{ what: 'callsAndTexts', per: 'person', limit: 1, days: 7 }],
  ),
  'WV-FREQ': basis(
    'creditorsAndCollectors',
    [
      text(
        '2026-11-23',
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
      text('2026-11-27', 'D.C. Code 28-3814(b)(2)', DC_CODE, {
        quote: 'more than 30 days past due and owing, unless a different period is agreed to by the consumer',
        summary: 'without loans secured on real estate or by a mortgage; a debt collector includes an original creditor (b)(5)',
      }),
      text('2026-11-27', 'D.C. Code 28-3814(d)(4)(A)(i)', DC_CODE, {
        quote:
          'Making in excess of 4 phone calls per account, inclusive of all phone numbers the debt collector has for the consumer, in any ' +
          '7-day period',
        summary: 'calls without a connection or a way to leave a message do not count',
      }),
      text('2026-11-27', 'D.C. Code 28-3814(d)(4)(B)(i)', DC_CODE, {
        quote:
          'Sending text messages, emails, and private messages through social media platforms to a consumer prior to mailing the written ' +
          'notice required pursuant to subsection (m)(2)(A) of this section',
        summary: 'the notice of the documents that a consumer may ask for, in the first letter; creditors owe none (m)(3)',
      }),
      text('2026-11-27', 'D.C. Code 28-3814(d)(4)(B)(ii)', DC_CODE, {
        quote:
          'one email, text message, or private message to a consumer in any 7-day period for purposes of obtaining consent to ' +
          'communicate via the method the debt collector is using to communicate',
        summary: 'before consent, that one alone. No subject of a message says that it asks for consent alone, so none is sent',
      }),
      text(
        '2026-11-27',
        'D.C. Code 28-3814(d)(4)(B)(iii)',
        DC_CODE,
        "After obtaining a consumer's consent, sending more than 5 text messages, emails, and private messages per account in any 7-day " +
          'period unless otherwise agreed to by the consumer',
      ),
    ],
    [
      { what: 'calls', per: 'debt', limit: 4, days: 7 },
      { what: 'messages', per: 'debt', limit: 5, days: 7 },
    ],
  ),
};
