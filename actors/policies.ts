import { borrowerAsks } from './borrower/index.js';
import * as casework from './casework/index.js';
import * as contact from './contact/index.js';
import { answer, type Answer, around, type Policy } from './kernel/policy.js';
import * as loan from './loan/index.js';
import * as money from './money/index.js';

/**
 * Policies wrap commands, the first row outermost: it sees the result of all others. A row can refuse a command, change its body, or let
 * it decide on another state.
 */
export const POLICIES: readonly Policy[] = [
  // If the company requires it, an employee can act only on a borrower who has an open case. Checked last, so that refusals of the
  // command itself come first.
  {
    name: 'an open case for actions',
    appliesTo: casework.isAction,
    decide(context, next, { kind }) {
      const decision = next.decide(context);
      casework.requireOpenCase(context, kind);
      return decision;
    },
  },
  // A command on a loan that names a case must name an open case of a person on the loan; its service id is recorded.
  { name: 'the case of an action', appliesTo: ({ kind }) => kind === 'loan', decide: around(loan.underCase) },
  // Documents that a command on a loan names must be documents of a person on it; their service ids are recorded.
  { name: 'the documents of an action', appliesTo: ({ kind }) => kind === 'loan', decide: around(loan.withDocuments) },
  // Commands for current payments and fees also work on those of a line's imported history.
  { name: 'the history of a line', appliesTo: ({ type }) => loan.OF_HISTORY.has(type), decide: around(loan.onHistory) },
  // While a loan is prepared for migration, modifications work on a past day.
  { name: 'tools of the past', appliesTo: ({ type }) => loan.PAST_TOOLS.has(type), decide: around(loan.onItsDay) },
  // So do commands that record past events: their facts are kept until the migration.
  { name: 'a loan in preparation', appliesTo: ({ type }) => loan.PREPARABLE.has(type), decide: around(loan.preparing) },
  // If several facts of one command move the ledger, their events are emitted together.
  {
    name: 'one order',
    appliesTo: ({ kind }) => kind === 'loan',
    decide: (context, next) => loan.asOneOrder(next.decide(context)),
  },
];

/** Answers of later domains to questions of earlier ones, which cannot import them. */
export const ANSWERS: readonly Answer[] = [
  // A payment instrument cannot be deleted while a payment on it is under way.
  answer(borrowerAsks.isPaymentUnderWay, loan.isPaymentUnderWay),
  // The answers that verify a caller may come from loans.
  answer(borrowerAsks.answersOfLoans, loan.loanAnswers),
  // Statements of loans are among the borrower's documents.
  answer(borrowerAsks.statementDocuments, loan.statementDocuments),
  // A monitoring hit opens a case, or changes the one that it has opened.
  answer(borrowerAsks.caseOfHit, casework.caseOfHit),
  // The search finds borrowers by the court's number of their bankruptcy.
  answer(borrowerAsks.courtCaseNumber, casework.courtCaseNumber),
  // A command on a loan can name an open case of a person on it.
  answer(loan.loanAsks.caseNamed, casework.caseNamed),
  // Some cases prevent acceleration and charge-off by days overdue.
  answer(loan.loanAsks.casesHoldingThresholds, casework.casesHolding),
  // The case of a co-borrower or of another payer ends autopay and scheduled payments.
  answer(loan.loanAsks.paymentBar, casework.paymentBar),
  // The bank has confirmed the file of a payment.
  answer(loan.loanAsks.isFileConfirmed, money.isFileConfirmed),
  // Cases say what is reported about a borrower: bankruptcies, deaths and disputes.
  answer(loan.loanAsks.creditCases, casework.creditCases),
  // A dispute of a purchase opens a case.
  answer(loan.loanAsks.disputeCaseOpened, casework.disputeCaseOpened),
  // The guard evaluates cases and their blocks.
  answer(contact.contactAsks.caseworkAbout, casework.caseworkAbout),
  // A message may show its case, and a message to agents goes to the worker of the case.
  answer(contact.contactAsks.shownCase, casework.shownCase),
  answer(contact.contactAsks.workerOfCase, casework.workerOfCase),
  // Interactions create tasks, end them, and show the newest.
  answer(contact.contactAsks.taskAbout, casework.taskAbout),
  answer(contact.contactAsks.tasksEnded, casework.openTasksCanceled),
  answer(contact.contactAsks.shownTask, casework.shownTask),
];
