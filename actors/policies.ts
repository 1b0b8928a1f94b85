import { borrowerAsks } from './borrower/index.js';
import * as casework from './casework/index.js';
import * as contact from './contact/index.js';
import { answer, type Answer, around, type Policy } from './kernel/policy.js';
import * as loan from './loan/index.js';

/**
 * What is asked around commands, from the outside in: the first row sees what all others come to. A row refuses, changes what the command
 * is about, or lets it decide upon something else.
 */
export const POLICIES: readonly Policy[] = [
  // Where the company wants it, an employee acts only on a borrower who has an open case. Asked last: what the command itself
  // refuses comes first.
  {
    name: 'an open case for actions',
    appliesTo: casework.isAction,
    decide(context, decide, { kind }) {
      const decision = decide(context);
      casework.requireOpenCase(context, kind);
      return decision;
    },
  },
  // What is done to a loan for a case names an open one of somebody on the loan, and records its service id.
  { name: 'the case of an action', appliesTo: ({ kind }) => kind === 'loan', decide: around(loan.underCase) },
  // Payments and fees of a line's history are reversed, canceled and charged by the commands of live ones.
  { name: 'the history of a line', appliesTo: ({ type }) => loan.OF_HISTORY.has(type), decide: around(loan.onHistory) },
  // Tools of the schedule work on a day of the past while a loan is in preparation for its migration.
  { name: 'tools of the past', appliesTo: ({ type }) => loan.PAST_TOOLS.has(type), decide: around(loan.onItsDay) },
  // So do commands that record the past: their facts are kept until the migration.
  { name: 'a loan in preparation', appliesTo: ({ type }) => loan.PREPARABLE.has(type), decide: around(loan.preparing) },
  // Several facts of one command that move the ledger emit their events together.
  {
    name: 'one order',
    appliesTo: ({ kind }) => kind === 'loan',
    decide: (context, decide) => loan.asOneOrder(decide(context)),
  },
];

/** What later domains answer to earlier ones, which cannot import them. */
export const ANSWERS: readonly Answer[] = [
  // A payment instrument that money is on its way from is not deleted.
  answer(borrowerAsks.isPaymentUnderWay, loan.isPaymentUnderWay),
  // A caller is verified by what the loans of the borrower know.
  answer(borrowerAsks.answersOfLoans, loan.loanAnswers),
  // Statements of loans are among the borrower's documents.
  answer(borrowerAsks.statementDocuments, loan.statementDocuments),
  // A monitoring hit opens a case, or changes the one that it has opened.
  answer(borrowerAsks.caseOfHit, casework.caseOfHit),
  // Borrowers are found by the number that a court has given to their bankruptcy.
  answer(borrowerAsks.courtCaseNumber, casework.courtCaseNumber),
  // What is done to a loan names an open case of somebody on it.
  answer(loan.loanAsks.caseNamed, casework.caseNamed),
  // Some cases keep days overdue from accelerating and charging off.
  answer(loan.loanAsks.casesHoldingThresholds, casework.casesHolding),
  // A dispute of a purchase is worked by a case of its own.
  answer(loan.loanAsks.disputeCaseOpened, casework.disputeCaseOpened),
  // The guard looks at cases and their blocks.
  answer(contact.contactAsks.caseworkAbout, casework.caseworkAbout),
  // A message may show its case, and one to agents goes to who works the case.
  answer(contact.contactAsks.shownCase, casework.shownCase),
  answer(contact.contactAsks.workerOfCase, casework.workerOfCase),
  // Interactions make tasks, end them, and show the newest.
  answer(contact.contactAsks.taskAbout, casework.taskAbout),
  answer(contact.contactAsks.tasksEnded, casework.openTasksCanceled),
  answer(contact.contactAsks.shownTask, casework.shownTask),
];
