import { BRINGING_NEEDS, monitoringBegun } from './borrower/index.js';
import {
  ACTIVATIONS,
  CONTACT_FACTS,
  dailyDeathOfPayer,
  deathOfHolder,
  deathOfPayer,
  disputeCasesClosed,
  escalationNotice,
  externalIdsFreed,
  membersOfNewHome,
  membersOfNewLoan,
  PAYMENT_FAILURES,
  uploadsReviewed,
} from './casework/index.js';
import {
  dailyLoanNotice,
  LOAN_NOTICE_FACTS,
  loanNotices,
  noticesOnLoans,
  PERSON_NOTICE_FACTS,
  personNotices,
  PORTAL_USER_NOTICE_FACTS,
  portalUserNotices,
} from './contact/index.js';
import type { Reaction } from './kernel/policy.js';
import {
  creditReportingBegun,
  dailyReimbursementAtBank,
  paymentsEnded,
  paymentsOfLeavers,
  REIMBURSEMENT_FACTS,
  reimbursementsAtBank,
} from './loan/index.js';

/**
 * Facts that other parts of the service record in the same batch with a fact, so that no crash and no other process comes between. The
 * table has all consequences of a command's facts. Rows run in this order, and each sees the facts of the rows before it.
 */
export const REACTIONS: readonly Reaction[] = [
  // Monitoring begins today for a borrower who now has the data that a source needs.
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
  // Cases of a borrower who was deleted or erased are kept, and their external ids may be used again.
  { name: 'external ids of cases end with their borrower', kind: 'person', on: ['PersonDeleted', 'PersonErased'], react: externalIdsFreed },
  // A borrower who has moved into the area of a disaster becomes a member of its supercase.
  { name: 'a new home in a disaster area', kind: 'person', on: CONTACT_FACTS, react: membersOfNewHome },
  // So does the borrower of a newly activated loan.
  { name: 'a new loan in a disaster area', kind: 'loan', on: ACTIVATIONS, react: membersOfNewLoan },
  // A newly activated loan is reported to the credit agencies of its loan type.
  { name: 'credit reporting begins', kind: 'loan', on: ACTIVATIONS, react: creditReportingBegun },
  // The bank has paid a reimbursement that has arrived, for the books.
  {
    name: 'a reimbursement at the bank',
    kind: 'loan',
    on: REIMBURSEMENT_FACTS,
    react: reimbursementsAtBank,
    reactToDay: dailyReimbursementAtBank,
  },
  // A plan ends with its instrument, and payments that are scheduled on it are canceled.
  {
    name: 'payments end with their instrument',
    kind: 'person',
    on: ['InstrumentUpdated', 'InstrumentRemoved', 'InstrumentDeactivated'],
    react: paymentsEnded,
  },
  // Nobody who has left a loan pays it any more.
  { name: 'payments end with their payer', kind: 'loan', on: ['LoanUpdated'], react: paymentsOfLeavers },
  // A bank that returns an entry because its receiver is deceased opens a case, which ends other payments.
  {
    name: 'a death that a payment reports',
    kind: 'loan',
    on: PAYMENT_FAILURES,
    react: deathOfPayer,
    reactToDay: dailyDeathOfPayer,
  },
  { name: 'a death that a prenote reports', kind: 'person', on: ['InstrumentDeactivated'], react: deathOfHolder },
  // A document that the borrower uploads for a case is reviewed.
  { name: 'an upload is reviewed', kind: 'person', on: ['DocumentAttached'], react: uploadsReviewed },
  // The case of a dispute ends with it.
  { name: 'a case ends with its dispute', kind: 'loan', on: ['DisputeChanged'], react: disputeCasesClosed },
  // The borrower gets a notice of what happens to the loan: planned here, and written and screened at its moment.
  { name: 'notices of a loan', kind: 'loan', on: LOAN_NOTICE_FACTS, react: loanNotices, reactToDay: dailyLoanNotice },
  // Also where the borrower's account, and not the loan, has ended a plan or payments.
  {
    name: 'notices of payments that end with their instrument',
    kind: 'person',
    on: ['AutopayEnded', 'TransactionMoved'],
    react: noticesOnLoans,
  },
  // So does one whose account, contacts or consents change.
  { name: 'notices of a borrower', kind: 'person', on: PERSON_NOTICE_FACTS, react: personNotices },
  // The agent or team that a case is escalated to gets an e-mail.
  { name: 'a notice of an escalation', kind: 'case', on: ['CaseEscalated'], react: escalationNotice },
  { name: 'notices of an account', kind: 'portalUser', on: PORTAL_USER_NOTICE_FACTS, react: portalUserNotices },
];
