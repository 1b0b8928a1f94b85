import { isRequiredLetter } from '../considered.js';
import { collectionRule, demandRule, bars, type TestedRule, seedRule } from '../rule.js';
import {
  ceaseRequests,
  isCeased,
  isDeceased,
  isDisputed,
  isInBankruptcy,
  isInDisaster,
  isProtectedByDuty,
  isTheftReported,
  isUnvalidated,
} from '../borrower-status.js';
import { isAnswerToCease, wasAskedForLocation, wasSaid } from './said.js';
import {
  isExtinguished,
  isTimeBarred,
  isUnvalidatedByCollector,
  isUnvalidatedByCreditor,
  MA_DAYS_PAST_DUE,
  MA_VALIDATION_BUSINESS_DAYS,
  VALIDATION_DAYS,
} from './debt.js';
import { LIMITATION_YEARS, limitationYears, SALE_YEARS, SHORTEST_YEARS } from './limitations.js';

/** Threats that need a court order. */
const ENFORCEMENT = ['loanAccelerated', 'loanChargedOff', 'loanRightToCurePersonalUnsecured'] as const;

/** Protections that follow from the situation of the borrower. None of them depends on the time of day. */
export const STATUS_RULES: readonly TestedRule[] = [
  // 12 CFR 1006.6(a)(4), 1006.34(a)(1): only representatives of a deceased borrower are contacted. Judged as step 3 of the order.
  seedRule({
    id: 'CR-USDE-CSED',
    code: 'US-DECEASED',
    name: 'Deceased borrower',
    kind: 'status',
    channels: [],
    lawCitation: '12 CFR 1006.6(a)(4)',
    description: 'No contact with a borrower who has died, but with a representative.',
    test: bars(isDeceased),
  }),
  // 15 USC 1692c(c), 12 CFR 1006.6(c): after a request to cease, only the answers to it are sent, each once.
  collectionRule({
    id: 'CR-USCE-ASE1',
    code: 'US-CEASE',
    name: 'Cease communication',
    kind: 'status',
    channels: [],
    lawCitation: '15 USC 1692c(c); 12 CFR 1006.6(c)',
    description: 'The borrower has asked not to be spoken to about the debt: only ceaseCommunication subjects, each once.',
    test: bars((considered) => {
      const { plan, situation } = considered;
      if (!isCeased(considered) || isRequiredLetter(plan)) return false;
      return (
        !isAnswerToCease(plan.subject) ||
        wasSaid(situation.history, plan.subject, Math.min(...ceaseRequests(considered).map(({ openedAt }) => openedAt)))
      );
    }),
  }),
  // 12 CFR 1006.6(b)(2): a borrower with an attorney is contacted through the attorney, as long as the attorney answers.
  collectionRule({
    id: 'CR-USAT-TRNY',
    code: 'US-ATTORNEY',
    name: 'Represented borrower',
    kind: 'status',
    channels: [],
    lawCitation: '15 USC 1692c(a)(2); 12 CFR 1006.6(b)(2)',
    description: 'An active legal representative speaks for the borrower, who has not been allowed to be contacted directly.',
    test: bars(
      ({ situation: { hasActiveRepresentative, consents, contact } }) =>
        hasActiveRepresentative &&
        !consents.contactPersonRepByAttorney.isGiven &&
        contact?.affiliation !== 'attorney' &&
        contact?.affiliation !== 'legalRepresentative',
    ),
  }),
  // 15 USC 1692b(3), 12 CFR 1006.10(c): another person is asked once where the borrower is, and again only on request. Calls in which
  // nothing was said do not count.
  collectionRule({
    id: 'CR-USLC-T1NC',
    code: 'US-LOCATE',
    name: 'Where the borrower is',
    kind: 'status',
    channels: [],
    themes: ['opsCollLocateBorrower'],
    scope: 'any',
    lawCitation: '15 USC 1692b(3); 12 CFR 1006.10(c)',
    parameters: { limit: 1 },
    description: 'The person has been asked before where the borrower is, and has not asked to be called again.',
    test: bars(wasAskedForLocation),
  }),
  // 11 USC 362(a)(6) and 524(a)(2), 1201 and 1301 for co-debtors: no demand for payment, whether the loan is current or
  // overdue. Messages that only inform are allowed.
  demandRule({
    id: 'CR-USBK-RPCY',
    code: 'US-BANKRUPTCY',
    name: 'Bankruptcy',
    kind: 'status',
    channels: [],
    lawCitation: '11 USC 362, 524, 1201, 1301',
    description: 'A bankruptcy stays every demand for payment, and its discharge bars it for good.',
    test: bars(isInBankruptcy),
  }),
  // 15 USC 1681c-2, 1681m(f): a debt from identity theft is not collected.
  collectionRule({
    id: 'CR-USID-THFT',
    code: 'US-IDTHEFT',
    name: 'Identity theft',
    kind: 'status',
    channels: [],
    lawCitation: '15 USC 1681c-2',
    description: 'An identity theft was reported about the debt.',
    test: bars(isTheftReported),
  }),
  // 12 CFR 1006.38(d): collection of a disputed debt waits for its verification.
  collectionRule({
    id: 'CR-USDI-SPTE',
    code: 'US-DISPUTE',
    name: 'Disputed debt',
    kind: 'status',
    channels: [],
    lawCitation: '12 CFR 1006.38',
    description: 'The debt is disputed, or its validation was asked for in time, and the answer was not sent.',
    test: bars((considered) => isDisputed(considered) || isUnvalidated(considered)),
  }),
  // 50 USC 3931, 3952, 3953: no judgment by default and no repossession; for a mortgage also within a year after service. Reminders are
  // allowed.
  collectionRule({
    id: 'CR-USSC-RACT',
    code: 'US-SCRA',
    name: 'Active duty',
    kind: 'status',
    channels: [],
    subjects: ENFORCEMENT,
    lawCitation: '50 USC 3931, 3952, 3953',
    description:
      'On active duty, and of a mortgage for a year after it, nothing is enforced without an order of a court; reminders are allowed.',
    test: bars(isProtectedByDuty),
  }),
  // Not a statute: a policy of the company that regulators recommend after declarations (44 CFR 206).
  collectionRule({
    id: 'CR-USDS-STER',
    code: 'US-DISASTER',
    name: 'Declared disaster',
    kind: 'status',
    channels: [],
    lawCitation: null,
    mutable: true,
    description: 'The borrower is in an area of a declared disaster.',
    test: bars(isInDisaster),
  }),
  // 12 CFR 1006.26(b), 23 NYCRR 1.3, Cal. Civ. Code 1788.52: the notice that the debt is too old for a suit comes first.
  collectionRule({
    id: 'CR-USTB-RRED',
    code: 'US-TIMEBARRED',
    name: 'Time-barred debt',
    kind: 'status',
    channels: [],
    lawCitation: '12 CFR 1006.26',
    parameters: { limitationYears: LIMITATION_YEARS, limitationYearsOfOthers: SHORTEST_YEARS, limitationYearsOfSales: SALE_YEARS },
    description:
      'The debt is beyond the limitation of its state, and no time-barred notice was sent. A place whose law was not read has the ' +
      'shortest limitation of all.',
    test: bars(isTimeBarred),
  }),
  // Wis. Stat. 893.05: the expired period extinguishes the debt, with or without a notice.
  collectionRule({
    id: 'CR-WITB-RRED',
    code: 'WI-TIMEBARRED',
    name: 'Extinguished debt in Wisconsin',
    kind: 'status',
    channels: [],
    jurisdictions: ['WI'],
    lawCitation: 'Wis. Stat. 893.05',
    parameters: { limitationYears: limitationYears('WI') },
    description: 'The debt is beyond the limitation of Wisconsin: the right is extinguished.',
    test: bars(isExtinguished),
  }),
  // 940 CMR 7.08: also for creditors.
  collectionRule({
    id: 'CR-MAVA-LDTN',
    code: 'MA-VALIDATION',
    name: 'Validation notice in Massachusetts',
    kind: 'status',
    channels: [],
    jurisdictions: ['MA'],
    lawCitation: '940 CMR 7.08',
    parameters: { businessDays: MA_VALIDATION_BUSINESS_DAYS, daysPastDue: MA_DAYS_PAST_DUE },
    description:
      'The debt is more than 30 days past due, and no validation notice was sent within five business days of the first contact about it.',
    test: bars(isUnvalidatedByCreditor),
  }),
  // 12 CFR 1006.34(a)(1): within five days after the first communication.
  collectionRule({
    id: 'CR-USVA-LDTN',
    code: 'US-VALIDATION',
    name: 'Validation notice',
    kind: 'status',
    channels: [],
    lawCitation: '12 CFR 1006.34',
    parameters: { days: VALIDATION_DAYS },
    description: 'Somebody else than the creditor collects, and no validation notice was sent within five days of the first contact.',
    test: bars(isUnvalidatedByCollector),
  }),
];
