import type { Subject } from '../../../engine/index.js';

/** What a message of a subject says: the subject line of its e-mail, and paragraphs of Liquid. A line is a paragraph. */
export interface StandardText {
  readonly title: string;
  readonly paragraphs: readonly string[];
  /** The law asks for it in writing: it goes by letter where the borrower has not agreed to e-mail. */
  readonly legallyRequired?: true;
  /** The text message, where there is one. */
  readonly text?: string;
}

const AMOUNT = '{{ paymentAmount | money }}';
const METHOD =
  '{% if paymentMethodLastFour %} from your {{ paymentMethod | default: "account" }} ending in {{ paymentMethodLastFour }}{% endif %}';
const SCHEDULE = [
  '{% for row in schedule limit:12 %}{{ row.date | date }}: {{ row.amount | money }}<br>{% endfor %}',
  'Sign in at {{ portalUrl }} to see the whole schedule.',
];
const OVERDUE = 'Your payment of {{ overdueAmount | money }}, due on {{ paymentDueDate | date }}, has not reached us.';
const IN_TROUBLE = 'If you cannot pay now, please contact us: we can talk about what is possible for you.';

/**
 * The templates that a new company begins with, in plain words. A lender changes, adds to or disables each of them. Facts about the loan
 * are variables; nothing is promised that the service does not do.
 */
export const STANDARD_TEXTS: Partial<Readonly<Record<Subject, StandardText>>> = {
  // Set-up of a loan.
  borrowerWelcome: {
    title: 'Welcome to {{ company.brandName | default: company.name }}',
    paragraphs: [
      'You now have an account with {{ company.brandName | default: company.name }}.',
      'Sign in at {{ loginUrl }} to see your loans, payments and documents.',
    ],
  },
  loanDetails: {
    title: 'The terms of your loan',
    paragraphs: [
      'Your loan {{ loan.displayId }} is active. These are its next payments:',
      ...SCHEDULE,
      '{% if apr %}The annual percentage rate is {{ apr | percent }}.{% endif %}',
    ],
  },
  loanCanceled: { title: 'Your loan was canceled', paragraphs: ['Your loan {{ loan.displayId }} was canceled. You owe nothing on it.'] },

  // Payments.
  paymentConfirmation: {
    title: 'We received your payment',
    paragraphs: [`Your payment of ${AMOUNT} was made on {{ paymentDate | date }}${METHOD}.`, 'Thank you.'],
  },
  paymentScheduled: {
    title: 'Your payment is scheduled',
    paragraphs: [`Your payment of ${AMOUNT} is scheduled for {{ paymentDate | date }}${METHOD}.`],
  },
  paymentRescheduled: {
    title: 'Your payment was moved',
    paragraphs: [`Your payment of ${AMOUNT} was moved to {{ newPaymentDate | date }}.`],
  },
  paymentFailed: {
    title: 'Your payment failed',
    paragraphs: [`Your payment of ${AMOUNT} could not be made. {{ failureReason }}`, 'Please pay in another way, or contact us.'],
  },
  paymentReversed: { title: 'A payment was returned to you', paragraphs: [`Your payment of ${AMOUNT} is on its way back to you.`] },
  downpaymentFailed: {
    title: 'Your down payment failed',
    paragraphs: [`Your down payment of ${AMOUNT} could not be made. {{ failureReason }}`],
  },
  futurepayCanceled: { title: 'Your scheduled payment was canceled', paragraphs: [`Your scheduled payment of ${AMOUNT} was canceled.`] },
  refundScheduled: { title: 'We are sending money back to you', paragraphs: ['We are sending {{ amount | money }} back to you.'] },
  reimbursementFailed: {
    title: 'We could not send your money back',
    paragraphs: [`We could not send ${AMOUNT} back to you. Please contact us, so that we can send it in another way.`],
  },

  // Automatic payments.
  autopayEnabled: {
    title: 'Automatic payments are on',
    paragraphs: [
      `From now on we take your payments automatically${METHOD}:`,
      '{% for row in paymentSchedule limit:12 %}{{ row.date | date }}: {{ row.amount | money }}<br>{% endfor %}',
      'You can end automatic payments at any time at {{ portalUrl }}.',
    ],
  },
  autopayCanceledBySystem: {
    title: 'Automatic payments have ended',
    paragraphs: [
      'We no longer take payments for your loan {{ loan.displayId }} automatically. {{ cancelReason }}',
      'Please make your next payment yourself.',
    ],
  },
  autopayPaymentCanceled: {
    title: 'An automatic payment was canceled',
    paragraphs: ['The automatic payment of {{ paymentDate | date }} was canceled. Later ones stay as they are.'],
  },
  autopayPaymentRescheduled: {
    title: 'An automatic payment was moved',
    paragraphs: ['The automatic payment of {{ paymentDate | date }} was moved to {{ newPaymentDate | date }}.'],
  },
  autopayPaymentMethodUpdated: {
    title: 'Your automatic payments have a new account',
    paragraphs: [`From now on we take your automatic payments${METHOD}.`],
  },
  autopayAmountChanged: {
    title: 'Your next automatic payment is higher',
    paragraphs: [
      'Your automatic payment of {{ paymentDueDate | date }} will be {{ paymentAmount | money }}.',
      'This is {{ extraCharge | money }} more than before.',
    ],
  },
  autopayPaymentReminder: {
    title: 'Your automatic payment is coming',
    paragraphs: [`On {{ paymentDate | date }} we take ${AMOUNT}${METHOD}.`],
  },
  autopayEnableReminder: {
    title: 'Pay automatically',
    paragraphs: [
      'Your first payment is due on {{ paymentDueDate | date }}. You can let us take payments automatically: sign in at {{ portalUrl }}.',
    ],
  },

  // Reminders.
  paymentDueDateReminder: {
    title: 'Your payment is due soon',
    paragraphs: [`Your payment of ${AMOUNT} is due on {{ paymentDueDate | date }}.`],
  },
  futurepayPaymentDueReminder: {
    title: 'Your scheduled payment is coming',
    paragraphs: [`Your payment of ${AMOUNT} is scheduled for {{ paymentDate | date }}.`],
  },
  loginFirstPaymentReminder: {
    title: 'Your first payment is due soon',
    paragraphs: ['Your first payment is due on {{ paymentDueDate | date }}. Sign in at {{ portalUrl }} to see how you can pay.'],
  },
  cardExpiresReminder: {
    title: 'Your card expires soon',
    paragraphs: ['Your card ending in {{ cardLastFour }} expires in {{ expirationMonth }}/{{ expirationYear }}. Please add another one.'],
  },
  promoProgramReminder: {
    title: 'Your promotional offer ends soon',
    paragraphs: [
      'The promotional offer on your loan {{ loan.displayId }} ends soon. Sign in at {{ portalUrl }} to see what is left to pay.',
    ],
  },
  promoProgramEligibilityAtRisk: {
    title: 'Your promotional offer is at risk',
    paragraphs: ['Your loan {{ loan.displayId }} may lose its promotional offer. Sign in at {{ portalUrl }} to see what is due.'],
  },

  // What is overdue.
  loanOverdueFirstNotice: {
    title: 'Your payment is overdue',
    paragraphs: [OVERDUE, 'If you have paid already, please disregard this message.'],
  },
  loanOverdueSecondNotice: { title: 'Your payment is still overdue', paragraphs: [OVERDUE, IN_TROUBLE] },
  loanOverdueThirdNotice: { title: 'Your loan is {{ daysOverdue }} days overdue', paragraphs: [OVERDUE, IN_TROUBLE] },
  loanOverdueFourthNotice: { title: 'Your loan is {{ daysOverdue }} days overdue', paragraphs: [OVERDUE, IN_TROUBLE] },
  loanOverdueFifthNotice: { title: 'Your loan is {{ daysOverdue }} days overdue', paragraphs: [OVERDUE, IN_TROUBLE] },
  loanOverdueSixthNotice: { title: 'Your loan is {{ daysOverdue }} days overdue', paragraphs: [OVERDUE, IN_TROUBLE] },
  loanRightToCurePersonalUnsecured: {
    title: 'Notice of right to cure default',
    legallyRequired: true,
    paragraphs: [
      'You are in default on your loan {{ loan.displayId }} with {{ company.brandName | default: company.name }}.',
      'You may cure the default by paying {{ overdueAmount | money }} by {{ cureByDate | date }}.',
      'If you do not cure the default by that day, we may exercise our rights against you under the law.',
      'If you have questions, write or call us promptly{% if company.phone %}: {{ company.phone }}{% endif %}.',
    ],
  },

  // Statements.
  statementGenerated: {
    title: 'Your statement is ready',
    paragraphs: [
      'Your statement is ready.',
      '{% if minimumDueAmount %}Please pay {{ minimumDueAmount | money }} by {{ paymentDueDate | date }}.{% endif %}',
    ],
  },
  statementRegenerated: {
    title: 'Your corrected statement is ready',
    paragraphs: ['We have corrected your statement. The new one replaces the one that you received before.'],
  },

  // The life of a loan.
  loanFrozen: {
    title: 'Your loan is on hold',
    paragraphs: ['Your loan {{ loan.displayId }} is on hold: no payment is due until we write to you.'],
  },
  loanUnfrozen: {
    title: 'Your loan continues',
    paragraphs: ['Your loan {{ loan.displayId }} is no longer on hold. Sign in at {{ portalUrl }} to see what is due.'],
  },
  loanAccelerated: {
    title: 'The whole balance of your loan is due',
    paragraphs: ['The whole balance of your loan {{ loan.displayId }} is due now.', IN_TROUBLE],
  },
  loanAccelerationReversed: {
    title: 'Your loan continues by installments',
    paragraphs: ['The whole balance of your loan {{ loan.displayId }} is no longer due at once. Your payment schedule is in force again.'],
  },
  loanChargedOff: {
    title: 'Your loan was charged off',
    paragraphs: ['Your loan {{ loan.displayId }} was charged off. You still owe its balance.', IN_TROUBLE],
  },
  loanChargeOffReversed: {
    title: 'Your loan continues',
    paragraphs: ['The charge-off of your loan {{ loan.displayId }} was reversed. Your payment schedule is in force again.'],
  },
  locLineClosed: {
    title: 'Your line of credit was closed',
    paragraphs: ['Your line of credit {{ loan.displayId }} was closed. {{ closeReasonDescription }}', 'What you owe stays due as before.'],
  },
  loanPaymentScheduleChanged: { title: 'Your payment schedule has changed', paragraphs: ['These are your next payments:', ...SCHEDULE] },
  loanTermsChanged: {
    title: 'The terms of your loan have changed',
    legallyRequired: true,
    paragraphs: ['The terms of your loan {{ loan.displayId }} have changed. These are your next payments:', ...SCHEDULE],
  },
  promiseToPayCreated: {
    title: 'Your promise to pay',
    paragraphs: ['Thank you for your promise to pay. Sign in at {{ portalUrl }} to see its dates and amounts.'],
  },
  creditLimitChanged: {
    title: 'Your credit limit has changed',
    paragraphs: ['Your credit limit is {{ creditLimitAmount | money }} now.'],
  },

  // Credit reporting.
  creditNegativeInfoReported: {
    title: 'Notice about your credit report',
    legallyRequired: true,
    paragraphs: [
      'We have told a credit bureau about a late payment, missed payment or other default on your account {{ loan.displayId }}.',
      'This information may be reflected in your credit report.',
      '{% if bureauNames %}We report to: {{ bureauNames }}.{% endif %}',
    ],
  },
  creditPositiveInfoReported: {
    title: 'Your loan is in your credit report',
    paragraphs: ['We have begun to report your loan {{ loan.displayId }} to {{ bureauNames | default: "credit bureaus" }}.'],
  },

  // To those who work cases.
  caseEscalation: {
    title: 'A case was escalated to you',
    paragraphs: ['The case {{ case.id }} was escalated to you or your team. Please look at it.'],
  },

  // The account.
  confirmationCode: {
    title: 'Your confirmation code',
    paragraphs: [
      'Your confirmation code is {{ code }}. It is valid for 15 minutes.',
      'Nobody of {{ company.brandName | default: company.name }} will ask you for it.',
    ],
    text: '{{ company.brandName | default: company.name }}: your confirmation code is {{ code }}. Nobody will ask you for it.',
  },
  passwordReset: {
    title: 'Set a new password',
    paragraphs: ['Use the code {{ code }} to set a new password. If you have not asked for it, please contact us.'],
  },
  passwordChanged: { title: 'Your password was changed', paragraphs: ['Your password was changed. If it was not you, please contact us.'] },
  contactChanged: {
    title: 'Your contact details have changed',
    paragraphs: [
      'Your contact details with {{ company.brandName | default: company.name }} have changed. If it was not you, please contact us.',
    ],
  },
  contactTakeover: {
    title: 'A contact was taken over',
    paragraphs: [
      'A contact of yours is now used by another account with {{ company.brandName | default: company.name }}.',
      'If you do not know of it, please contact us.',
    ],
  },
  documentUploadFailed: {
    title: 'We could not read your document',
    paragraphs: ['We could not read the document that you sent. Please upload it again at {{ portalUrl }}.'],
  },
  electronicConsentOptOut: {
    title: 'You will get letters instead of e-mail',
    paragraphs: ['You have withdrawn your consent to electronic communication. From now on we write to you by letter.'],
    text: '{{ company.brandName | default: company.name }}: you will get no more texts from us. Reply START to get them again.',
  },
  annualPrivacyPolicyNotice: {
    title: 'Our privacy notice',
    legallyRequired: true,
    paragraphs: ['This is our yearly privacy notice. You find how we use and protect your personal information at {{ portalUrl }}.'],
  },
};
