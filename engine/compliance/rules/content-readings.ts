import type { RuleBasis } from '../rule.js';
import { basis, CAN_SPAM, DC_CODE, inPart, READ_IN_A_FILE, secondHand, text } from './reading.js';

const DISCLOSURE = inPart('2026-11-27', '12 CFR 1006.18(e)(1), (2), (4)', null, {
  quote: 'attempting to collect a debt and that any information obtained will be used for that purpose',
  summary:
    'in the first communication; each later one: from a debt collector; in the language of the rest of the communication. ' +
    READ_IN_A_FILE,
});

export const NOTHING_OF_DEBT = text(
  '2026-11-26',
  '15 USC 1692b(2)',
  'lawserver.com/law/country/us/code/15_usc_1692b',
  'not state that such consumer owes any debt',
);
const NYC_ADOPTED = 'rules.cityofnewyork.us/content/notice-adoption-debt-collectors';

/** The sources of the rules about wording; see `readings.ts`. */
export const CONTENT_BASES: Readonly<Record<string, RuleBasis>> = {
  'US-DISCLOSURE-FIRST': basis('collectors', [DISCLOSURE]),
  'US-DISCLOSURE-LATER': basis('collectors', [DISCLOSURE]),
  'US-OPTOUT-NOTICE': basis('creditorsAndCollectors', [
    inPart(
      '2026-11-26',
      '12 CFR 1006.42(a)(2)',
      'lexbuild.dev/ecfr/title-12/chapter-X/part-1006/section-1006.42',
      'the disclosure required by § 1006.6(e)',
    ),
    text(
      '2026-11-27',
      'D.C. Code 28-3814(d)(4)(B)(iii)(III)',
      DC_CODE,
      'Debt collectors must include opt-out language in all emails, text messages, and private messages',
    ),
  ]),
  'US-VALIDATION-CONTENT': basis('collectors', [
    inPart(
      '2026-11-26',
      '12 CFR 1006.34(a)(1)',
      'casetext.com/regulation/code-of-federal-regulations/title-12-banks-and-banking/chapter-x-consumer-financial-protection-bureau',
      'must provide a consumer with the validation information required by paragraph (c) of this section',
    ),
  ]),
  'US-SENDER': basis('everybody', [
    text(
      '2026-11-26',
      '47 CFR 64.1200(d)(4)',
      'www.nwdebtresolution.com/post/get-your-47-cfr-64-1200-d-4-on-did-your-unwanted-texts-identify-the-sender',
      'must provide the called party with the name of the individual caller, the name of the person or entity on whose behalf the ' +
        'call is being made, and a telephone number or address at which the person or entity may be contacted',
    ),
    text('2026-11-27', 'D.C. Code 28-3814(f)(4)', DC_CODE, {
      quote: 'the failure to clearly disclose the name, phone number, email address',
      summary: 'and full business address of the one who owns the debt or to which it is assigned, at the time of any demand for money',
    }),
  ]),
  'US-EMAIL-MARKETING': basis('solicitors', [
    inPart('2026-11-27', '15 USC 7704(a)(5)(A)', CAN_SPAM, {
      quote:
        'clear and conspicuous notice of the opportunity under paragraph (3) to decline to receive further commercial electronic mail ' +
        'messages from the sender',
      summary: 'and a valid physical postal address of the sender; as a file quotes the code of 2023',
    }),
    secondHand(
      '2026-11-26',
      '15 USC 7704(a)(5)(B)',
      'www.dunhills.com/dmi/2004-1-can_spam_2003.html',
      'no identification as an advertisement where the recipient has given affirmative consent',
    ),
  ]),
  'US-TEXT-STOP': basis('solicitors', [
    inPart('2026-11-23', '47 CFR 64.1200(a)(10)', 'govinfo.gov/content/pkg/FR-2024-03-05/html/2024-04587.htm', {
      summary:
        'stop, quit, end, revoke, opt out, cancel, or unsubscribe, in a reply to a text message, is a reasonable means to revoke consent',
    }),
  ]),
  'BIZ-TEXT-STOP': basis('company', []),
  'CA-LICENSE': basis('collectors', [
    text('2026-11-26', 'Cal. Civ. Code 1788.11(f)', 'codes.findlaw.com/ca/civil-code/civ-sect-1788-11/', {
      quote: 'in at least 12-point type',
      summary: 'each written or digital communication shows the license number of the collector',
    }),
  ]),
  'DC-DISCLOSURE': basis('creditorsAndCollectors', [
    text(
      '2026-11-27',
      'D.C. Code 28-3814(f)(2)',
      DC_CODE,
      'the debt collector is attempting to collect consumer debt and that any information obtained will be used for that purpose',
    ),
  ]),
  'MA-RIGHTS': basis('collectors', [
    inPart(
      '2026-11-27',
      '209 CMR 18.16(1)',
      'regulations.justia.com/states/massachusetts/209-cmr/title-209-cmr-18-00/section-18-16',
      'NOTICE OF IMPORTANT RIGHTS',
    ),
  ]),
  'NYC-LANGUAGE': basis('creditorsAndCollectors', [
    inPart(
      '2026-11-27',
      '6 RCNY 5-77; 6 RCNY 2-193(b)(5)',
      NYC_ADOPTED,
      'Request, record, and retain, to the extent reasonably possible, a record of the language preference of each consumer',
    ),
    secondHand(
      '2026-11-27',
      '6 RCNY 5-77',
      'www.jdsupra.com/legalnews/new-york-city-amends-debt-collection-12268/',
      'not to request and record it after the institution of debt collection procedures is an unfair means; debt collectors are ' +
        'creditors as well as agencies',
    ),
  ]),
  'NYC-LANGUAGE-SERVICES': basis('collectors', [
    inPart('2026-11-23', '6 RCNY 5-77', NYC_ADOPTED, {
      summary:
        'Inform consumers in any initial collection notice of the availability of any language access services, and of a translation and ' +
        'description of commonly-used debt collection terms on the Department’s website',
    }),
    secondHand(
      '2026-11-27',
      '6 RCNY 5-77',
      'consumerfsblog.com/2020/06/seven-things-to-know-about-new-york-citys-new-debt-collection-rules/',
      'including whether the consumer may obtain from the debt collector a translation of any communication; www.nyc.gov/dca; of debt ' +
        'collectors who are not a creditor',
    ),
  ]),
  'US-THIRD-PARTY-TEXTS': basis('collectors', [NOTHING_OF_DEBT]),
  'US-LOCATE-TEXTS': basis('collectors', [NOTHING_OF_DEBT]),
  'US-LIMITED-CONTENT': basis('collectors', [
    text('2026-11-27', '12 CFR 1006.2(j)', 'www.consumerfinance.gov/ask-cfpb/what-is-a-limited-content-message-en-2113/', {
      quote: 'A business name that does not indicate that the caller is a debt collector',
      summary: 'the regulator’s own page; also a telephone number, a request to reply, the names of people to ask for, and nothing else',
    }),
    secondHand(
      '2026-11-26',
      '12 CFR 1006.2(j)',
      'www.geranioslaw.com/2021/11/01/debt-collection-rule-facts-part-1/',
      'a business name that does not indicate collecting debts, a request to reply, the name of a natural person, a telephone number',
    ),
  ]),
};
