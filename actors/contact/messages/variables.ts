import { isSubject, isTemplateSubject, type Subject, subjectNamed, SUBJECTS, namesOf } from '../../../engine/index.js';
import { refuseProperty } from '../../errors.js';
import type { SubjectVariables, TemplateVariable } from './requests.js';

type Row = readonly [name: string, always: boolean, description: string];

/** Variables of every message. */
const SHARED: readonly Row[] = [
  ['company', true, 'The company: legalName, brandName, appDomains, timezone, phone, email, mailingAddress, licenseNumber and more'],
  ['person', true, 'The borrower: name.firstName, businessDetails.businessName and more'],
  ['contact', true, 'The contact that the message goes to'],
  ['today', true, 'The date in the time zone of the product'],
  ['portalUrl', true, 'The address of the borrowers’ front end'],
  ['unsubscribeUrl', true, 'Where the recipient leaves further messages'],
  ['loan', false, 'With loanId: the loan as its GET shows it'],
  ['loans', false, 'With loanIds: the loans'],
  ['case', false, 'With caseId: the case as its GET shows it'],
  ['statement', false, 'With statementId: the statement with all figures'],
  ['loanStatus', false, 'In notices about a loan: its status, in the language of the message'],
  ['loanStatusCode', false, 'In notices about a loan: its status as a code'],
];

const PAYMENT: readonly Row[] = [
  ['paymentAmount', true, 'Amount of the payment'],
  ['paymentDate', true, 'Day of the payment'],
];
/** A variable in the language of the message, and its code for conditions. */
const coded = (name: string, meaning: string, always = true): readonly Row[] => [
  [name, always, `${meaning}, in the language of the message`],
  [`${name}Code`, always, 'The same as a code'],
];
const METHOD: readonly Row[] = [
  ...coded('paymentMethod', 'Kind of the payment instrument'),
  ['paymentMethodLastFour', true, 'Its last four characters'],
];
const DUE: Row = ['paymentDueDate', true, 'Day on which the payment is due'];
const OVERDUE: readonly Row[] = [['overdueAmount', true, 'What is overdue'], ['daysOverdue', true, 'For how many days'], DUE];
const SCHEDULE: readonly Row[] = [['schedule', true, 'The coming payments']];
const CODE: readonly Row[] = [['code', true, 'The code for one use']];
const STATEMENT: readonly Row[] = [
  ['statement', true, 'The statement with all figures'],
  ['minimumDueAmount', true, 'What is due at least'],
  DUE,
  ['note', false, 'What the sender has added to a statement that is sent on request'],
];
const FREEFORM: readonly Row[] = [
  ['subjectLine', true, 'The agent’s subject line'],
  ['contentHtml', true, 'The agent’s text as clean HTML'],
  ['contentPlain', true, 'The agent’s text without markup'],
];

/** Variables that the service adds to messages that it sends on its own. */
const OWN: Partial<Readonly<Record<Subject, readonly Row[]>>> = {
  autopayAgreement: [['paymentMethod', true, 'Kind of the payment instrument']],
  autopayAmountChanged: [['extraCharge', true, 'By how much the amount rose'], ['paymentAmount', true, 'The new amount'], DUE],
  autopayCanceledBySystem: coded('cancelReason', 'Why the plan ended'),
  autopayEnabled: [...METHOD, ['paymentSchedule', true, 'The coming payments']],
  autopayEnableReminder: [DUE],
  autopayPaymentCanceled: PAYMENT,
  autopayPaymentMethodUpdated: [...PAYMENT, ...METHOD],
  autopayPaymentReminder: [...PAYMENT, ...METHOD],
  autopayPaymentRescheduled: [...PAYMENT, ['newPaymentDate', true, 'The day to which it was moved']],
  borrowerWelcome: [['loginUrl', true, 'Where the borrower signs in']],
  cardExpiresReminder: [
    ['cardLastFour', true, 'Last four digits of the card'],
    ['expirationMonth', true, 'Month of its expiry'],
    ['expirationYear', true, 'Year of its expiry'],
  ],
  confirmationCode: CODE,
  creditLimitChanged: [['creditLimitAmount', true, 'The new limit; null: none']],
  creditNegativeInfoReported: [['bureauNames', true, 'The bureaus to which it was reported']],
  creditPositiveInfoReported: [['bureauNames', true, 'The bureaus to which it was reported']],
  dueDateDeferred: SCHEDULE,
  dueDatesChanged: SCHEDULE,
  emailVerification: CODE,
  freeFormBranded: FREEFORM,
  downpaymentFailed: [['paymentAmount', true, 'Amount of the payment'], ...coded('failureReason', 'Why it failed')],
  futurepayCanceled: [['paymentAmount', true, 'Amount of the payment']],
  futurepayPaymentDueReminder: PAYMENT,
  loanDetails: [...SCHEDULE, ['apr', true, 'Annual percentage rate'], ['fees', true, 'Fees of the contract']],
  loanOverdueFirstNotice: OVERDUE,
  loanOverdueSecondNotice: OVERDUE,
  loanOverdueThirdNotice: OVERDUE,
  loanOverdueFourthNotice: OVERDUE,
  loanOverdueFifthNotice: OVERDUE,
  loanOverdueSixthNotice: OVERDUE,
  loanPaymentScheduleChanged: SCHEDULE,
  loanRightToCurePersonalUnsecured: [
    ['overdueAmount', true, 'What is overdue'],
    ['cureByDate', true, 'The last day to pay it'],
  ],
  loanTermsChanged: SCHEDULE,
  locLineClosed: [
    ['closeReasonDescription', true, 'Why the line was closed, as the lender has written it'],
    ...coded('closeReason', 'Why the line was closed', false),
  ],
  loginFirstPaymentReminder: [DUE],
  passwordReset: CODE,
  paymentConfirmation: [...PAYMENT, ...METHOD],
  paymentDueDateReminder: [['paymentAmount', true, 'Amount of the payment'], DUE],
  paymentFailed: [['paymentAmount', true, 'Amount of the payment'], ...coded('failureReason', 'Why it failed')],
  paymentPlanCanceled: SCHEDULE,
  paymentPlanCreated: SCHEDULE,
  paymentRescheduled: [
    ['paymentAmount', true, 'Amount of the payment'],
    ['newPaymentDate', true, 'The day to which it was moved'],
  ],
  paymentReversed: [['paymentAmount', true, 'Amount of the payment']],
  paymentScheduled: [...PAYMENT, ...METHOD],
  refundScheduled: [['amount', true, 'Amount of the refund']],
  reimbursementFailed: [['paymentAmount', true, 'Amount of the payment'], ...coded('failureReason', 'Why it failed')],
  scheduleDeferred: SCHEDULE,
  scraTermsSet: SCHEDULE,
  statementGenerated: STATEMENT,
  statementRegenerated: STATEMENT,
};

/** The variables of one subject, or of all. A fragment has those of every message. */
export function variablesOf(word: string | undefined): readonly SubjectVariables[] {
  if (word === undefined) return namesOf(SUBJECTS).map(rowOf);
  const named = subjectNamed(word);
  if ('subject' in named) return [rowOf(named.subject)];
  const { path, expected, message } = named.fault;
  return isTemplateSubject(word) ? [rowOf(word)] : refuseProperty(path, expected, message);
}

function rowOf(subject: string): SubjectVariables {
  const own = isSubject(subject) ? (OWN[subject] ?? []) : [];
  const names = new Set(own.map(([name]) => name));
  return {
    subject,
    variables: [...SHARED.filter(([name]) => !names.has(name)), ...own].map(
      ([name, always, description]): TemplateVariable => ({ name, always, description }),
    ),
  };
}
