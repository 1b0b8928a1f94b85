import { BRINGING_NEEDS, monitoringBegun } from './borrower/index.js';
import {
  ACTIVATIONS,
  CONTACT_FACTS,
  disputeCasesClosed,
  escalationNotice,
  membersOfNewHome,
  membersOfNewLoan,
  uploadsReviewed,
} from './casework/index.js';
import {
  dailyLoanNotice,
  LOAN_NOTICE_FACTS,
  loanNotices,
  PERSON_NOTICE_FACTS,
  personNotices,
  PORTAL_USER_NOTICE_FACTS,
  portalUserNotices,
} from './contact/index.js';
import type { Reaction } from './kernel/policy.js';
import { paymentsCanceled } from './loan/index.js';

/**
 * What is recorded beside a fact, in the same batch, because another part of the service follows it: neither a crash nor another process
 * comes between. A reader of a command finds here all that its facts set off. Rows follow each other in this order, and see what the rows
 * before them record.
 */
export const REACTIONS: readonly Reaction[] = [
  // A borrower who now has what a source needs is monitored from today on.
  {
    name: 'monitoring begins',
    kind: 'person',
    on: [
      'PersonCreated',
      'PersonUpdated',
      'PersonStatusChanged',
      'NameAdded',
      'IdentityAdded',
      'IdentityUpdated',
      'ContactAdded',
      'ContactUpdated',
    ],
    commands: BRINGING_NEEDS,
    react: monitoringBegun,
  },
  // A borrower who has moved into the area of a disaster becomes a member of its supercase.
  { name: 'a new home in a disaster area', kind: 'person', on: CONTACT_FACTS, react: membersOfNewHome },
  // So does the borrower of a loan that comes into servicing.
  { name: 'a new loan in a disaster area', kind: 'loan', on: ACTIVATIONS, react: membersOfNewLoan },
  // Payments that are scheduled on an instrument are canceled when it ends.
  {
    name: 'payments are canceled with their instrument',
    kind: 'person',
    on: ['InstrumentUpdated', 'InstrumentRemoved'],
    react: paymentsCanceled,
  },
  // What a borrower uploads for a case is reviewed.
  { name: 'an upload is reviewed', kind: 'person', on: ['DocumentAttached'], react: uploadsReviewed },
  // The case that was opened for a dispute ends with it.
  { name: 'a case ends with its dispute', kind: 'loan', on: ['DisputeChanged'], react: disputeCasesClosed },
  // The borrower gets a notice of what happens to the loan: planned here, and written and screened at its moment.
  { name: 'notices of a loan', kind: 'loan', on: LOAN_NOTICE_FACTS, react: loanNotices, reactToDay: dailyLoanNotice },
  // So does one whose account, contacts or consents change.
  { name: 'notices of a borrower', kind: 'person', on: PERSON_NOTICE_FACTS, react: personNotices },
  // Those to whom a case is escalated get an e-mail.
  { name: 'a notice of an escalation', kind: 'case', on: ['CaseEscalated'], react: escalationNotice },
  { name: 'notices of an account', kind: 'portalUser', on: PORTAL_USER_NOTICE_FACTS, react: portalUserNotices },
];
