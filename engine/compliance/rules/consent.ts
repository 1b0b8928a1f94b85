import { dayAt } from '../../calendar/index.js';
import { collectionRule, bars, type TestedRule, seedRule } from '../rule.js';
import type { Considered } from '../considered.js';
import type { Situation } from '../situation.js';
import { INQUIRY_MONTHS, isInBusiness, TRANSACTION_MONTHS } from './relationship.js';
import { isAnswerToHelp, isChannelRefused, isConfirmationOfStop } from './said.js';

/** Themes that a law requires in writing. They go by e-mail or text only to borrowers who have agreed to that. */
const WRITTEN_THEMES: ReadonlySet<string> = new Set([
  'opsServicingStatement',
  'opsServicingDebtValidation',
  'opsServicingTimeBarredNotice',
]);
const WRITTEN_SUBJECTS: ReadonlySet<string | null> = new Set<string | null>([
  'annualPrivacyPolicyNotice',
  'creditNegativeInfoReported',
  'loanDeclined', // adverse action: 12 CFR 1002.9(a)
  'loanRightToCurePersonalUnsecured',
  'loanTermsChanged', // 12 CFR 1026.9(c)
]);

type Disclosure = Pick<Considered['plan'], 'theme' | 'subject' | 'isLegallyRequired'>;

/** Whether a law asks for it in writing, so that e-mail and texts need the borrower's consent (15 USC 7001(c)(1)). */
export const isWrittenDisclosure = ({ theme, subject, isLegallyRequired }: Disclosure): boolean =>
  isLegallyRequired || WRITTEN_THEMES.has(theme) || WRITTEN_SUBJECTS.has(subject);

/** Prior express written consent; a consent given to an agent by voice is not enough (47 CFR 64.1200(a)(2), (f)(9)). */
const hasAgreedToMarketing = ({ autodialedMarketing: { isGiven, isInWriting } }: Situation['consents']): boolean => isGiven && isInWriting;

/** Days after which a lookup in the national list is too old. */
const FRESH_DAYS = 31;

/** Rules about consents of the borrower. */
export const CONSENT_RULES: readonly TestedRule[] = [
  // 12 CFR 1006.6(b)(1) and (3), 1006.14(h): channels and places that the borrower refused, in a case or in a call. A Do Not Interact holds
  // refused times.
  collectionRule({
    id: 'CR-USNC-NVNT',
    code: 'US-INCONVENIENT',
    name: 'Inconvenient place or channel',
    kind: 'consent',
    channels: [],
    lawCitation: '12 CFR 1006.6(b), 1006.14(h)',
    description: 'The borrower asked not to be reached this way, or did not agree to contact at work.',
    test: bars(
      (considered) => isChannelRefused(considered) || (considered.isAtWork && !considered.situation.consents.contactPersonWork.isGiven),
    ),
  }),
  // 47 CFR 64.1200(a)(1) to (3), (m): autodialed calls and recordings each need a consent. A consent does not pass to the next holder of a
  // number.
  seedRule({
    id: 'CR-USAU-TDAL',
    code: 'US-AUTODIAL',
    name: 'Autodialed and prerecorded calls',
    kind: 'consent',
    channels: ['voice'],
    lawCitation: '47 USC 227(b); 47 CFR 64.1200(a)',
    description: 'The call is autodialed or prerecorded, and the consent to such calls is missing.',
    test: bars(({ plan: { isAutodialed, isPrerecorded, theme }, situation: { consents, contact } }) => {
      if (!isAutodialed && isPrerecorded !== true) return false;
      const mayDial = theme === 'marketing' ? hasAgreedToMarketing(consents) : consents.autodialedColl.isGiven;
      return contact?.mayBeReassigned === true || !mayDial || (isPrerecorded !== false && !consents.prerecordedColl.isGiven);
    }),
  }),
  // 47 CFR 64.1200(a)(10) and (12): a stop is in force at once, and is confirmed once. HELP is answered even then.
  seedRule({
    id: 'CR-USTX-CNST',
    code: 'US-TEXT-CONSENT',
    name: 'Consent to texts',
    kind: 'consent',
    channels: ['text'],
    lawCitation: '47 CFR 64.1200(a)(10), (12)',
    description: 'The number does not receive text messages, or was given to somebody else since that was agreed to.',
    test: bars(
      ({ plan, situation: { contact, history } }) =>
        (contact?.receiveTextMessages !== true || contact.mayBeReassigned) && !isConfirmationOfStop(plan, history) && !isAnswerToHelp(plan),
    ),
  }),
  // 47 CFR 64.1200(a)(2), RCW 19.190.060: marketing by text needs a consent in writing.
  seedRule({
    id: 'CR-USTX-MRKT',
    code: 'US-TEXT-MARKETING',
    name: 'Consent to marketing by text',
    kind: 'consent',
    channels: ['text'],
    themes: ['marketing'],
    lawCitation: '47 CFR 64.1200(a)(2); RCW 19.190.060',
    description: 'The borrower has not agreed in writing to marketing by text: autodialedMarketing with source borrower or a documentId.',
    test: bars(({ situation: { consents, contact } }) => contact?.mayBeReassigned === true || !hasAgreedToMarketing(consents)),
  }),
  // 47 CFR 64.1200(c)(2), (d), (f)(5): no sales calls to a number on the national list, but for an established business or an agreement in
  // writing; a list older than 31 days does not count. A borrower who asked the company itself is never called.
  seedRule({
    id: 'CR-USDN-CALL',
    code: 'US-DNC',
    name: 'Do-not-call lists',
    kind: 'consent',
    channels: ['voice', 'text'],
    themes: ['marketing'],
    parameters: { freshDays: FRESH_DAYS, transactionMonths: TRANSACTION_MONTHS, inquiryMonths: INQUIRY_MONTHS },
    lawCitation: '47 CFR 64.1200(c)(2), (d)',
    description:
      'The borrower asked for no sales calls; or has no business with the company, and the number is on the national list or was not ' +
      'looked up for 31 days.',
    test: bars((considered) => {
      const {
        plan,
        situation: { consents, contact, companyZone },
      } = considered;
      const { isOnInternal, national } = contact?.doNotCall ?? { isOnInternal: false, national: null };
      if (isOnInternal) return true;
      if (hasAgreedToMarketing(consents) || isInBusiness(considered)) return false;
      return national === null || national.isListed || dayAt(companyZone, plan.at) - national.checkedOn > FRESH_DAYS;
    }),
  }),
  // 15 USC 7704(a)(3) to (4), 12 CFR 1006.42: no e-mail after an opt-out, and no collection to addresses of employers.
  seedRule({
    id: 'CR-USEM-PTUT',
    code: 'US-EMAIL-OPTOUT',
    name: 'Opt-out from e-mail',
    kind: 'consent',
    channels: ['email'],
    transactional: 'exclude',
    lawCitation: '15 USC 7704; 12 CFR 1006.22(f)(3), 1006.42',
    description: 'The borrower opted out of e-mail, never agreed to marketing, or the address is one of work.',
    test: bars(
      ({
        plan,
        isCollection,
        isAtWork,
        situation: {
          consents: { emailMarketing },
        },
      }) =>
        (emailMarketing.isSaid && !emailMarketing.isGiven) ||
        (plan.theme === 'marketing' && !emailMarketing.isGiven) ||
        (isCollection && isAtWork),
    ),
  }),
  // 15 USC 7001(c)(1): electronic delivery of required writings needs an affirmative consent; there is no default. After a refusal nothing
  // goes electronically. Codes that the borrower asks for, the confirmation of an opt-out and the answer to HELP are not disclosures.
  seedRule({
    id: 'CR-USEC-NSNT',
    code: 'US-ECONSENT',
    name: 'Electronic communication',
    kind: 'consent',
    channels: ['email', 'text'],
    lawCitation: '15 USC 7001(c)',
    description: 'The borrower has not agreed to electronic communication, or has withdrawn it: what the law requires goes by mail.',
    test: bars((considered) => {
      const { plan, situation } = considered;
      const { isGiven, isSaid, isOral = false } = situation.consents.electronicComms;
      if (isGiven) return isOral && isWrittenDisclosure(plan);
      if (plan.theme === 'opsAccountCredentials' || isConfirmationOfStop(plan, situation.history) || isAnswerToHelp(plan)) return false;
      return isSaid || isWrittenDisclosure(plan);
    }),
  }),
];
