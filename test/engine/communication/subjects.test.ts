import { test } from 'tap';
import {
  defaultTransactional,
  implicitTheme,
  type InteractionTheme,
  isMutedWithLoan,
  isTemplateSubject,
  resolveTheme,
  type Subject,
  subjectNamed,
  SUBJECTS,
} from '../../../engine/index.js';

interface Group {
  readonly theme: InteractionTheme | null;
  readonly isTransactional: boolean;
  readonly subjects: readonly string[];
}

/** The rows of the interface, by the theme that they imply and by what they are when nobody says so. */
const GROUPS: readonly Group[] = [
  { theme: 'opsServicingPrivacy', isTransactional: false, subjects: ['annualPrivacyPolicyNotice'] },
  {
    theme: 'opsServicing',
    isTransactional: true,
    subjects: [
      'autopayAgreement autopayAmountChanged autopayCanceledBySystem autopayEnabled autopayPaymentCanceled autopayPaymentMethodUpdated',
      'autopayPaymentRescheduled ceaseCommunicationAcknowledgement ceaseCommunicationRefuseToPay documentUploadFailed downpaymentFailed',
      'futurepayCanceled',
      'identityTheftIncompleteDocumentation identityTheftNotValidated identityTheftSubmitDocumentation',
      'identityTheftSubmitDocumentationFirstReminder',
      'identityTheftSubmitDocumentationSecondReminder identityTheftValidated identityTheftAcknowledgement locLineClosed paymentFailed',
      'refundScheduled',
      'paymentConfirmation paymentScheduled paymentRescheduled paymentReversed paymentMethodAdded paymentMethodRemoved microDepositsSent',
      'reimbursementInitiated reimbursementFailed loanPaidOff loanFrozen loanUnfrozen loanAccelerationReversed loanChargeOffReversed',
      'loanPaymentScheduleChanged dueDateDeferred scheduleDeferred dueDatesChanged loanTermsChanged paymentPlanCreated paymentPlanCanceled',
      'promiseToPayCreated promiseToPayDueReminder scraTermsSet creditLimitChanged rateChanged lateFeeCharged cardActivated cardReplaced',
      'purchaseDisputeOpened purchaseDisputeResolved',
    ],
  },
  {
    theme: 'opsServicing',
    isTransactional: false,
    subjects: [
      'autopayEnableReminder autopayPaymentReminder cardExpiresReminder creditNegativeInfoReported creditPositiveInfoReported',
      'deceasedConfirmationOfPayoff',
      'deceasedNoticeToRepresentative deceasedNotificationUponDeath futurepayPaymentDueReminder loginFirstPaymentReminder',
      'paymentDueDateReminder',
      'promoProgramReminder promoProgramEligibilityAtRisk bankruptcyAcknowledgement militaryDutyAcknowledgement',
      'militaryDutySubmitDocumentation',
      'disasterRelief complaintAcknowledgement',
    ],
  },
  { theme: 'agentNotification', isTransactional: true, subjects: ['caseEscalation'] },
  {
    theme: 'opsAccountCredentials',
    isTransactional: true,
    subjects: ['confirmationCode contactTakeover passwordChanged passwordReset loginWelcome emailVerification contactChanged'],
  },
  {
    theme: null,
    isTransactional: false,
    subjects: [
      'custom1 custom2 custom3 custom4 custom5 custom6 custom7 custom8 custom9 custom10 custom11 custom12 custom13 custom14 custom15',
      'custom16 custom17',
      'custom18 custom19 custom20 freeForm freeFormBranded',
    ],
  },
  {
    theme: 'opsServicingDebtValidation',
    isTransactional: false,
    subjects: [
      'debtValidationNotice debtValidationNoticeArizona debtValidationNoticeAutomatic debtValidationNoticeNYCYonkers',
      'debtValidationNoticePuertoRico',
    ],
  },
  {
    theme: 'opsServicingDebtValidation',
    isTransactional: true,
    subjects: [
      'disputeOfDebtConfirmed disputeOfDebtSubmitDocumentation disputeOfDebtSubmitDocumentationReminder disputeOfDebtUnableToConfirm',
      'disputeOfDebtUnableToResolve',
    ],
  },
  { theme: 'opsServicingPrivacy', isTransactional: true, subjects: ['electronicConsentOptOut'] },
  { theme: 'opsOrigination', isTransactional: true, subjects: ['loanDetails borrowerWelcome loanActivated loanDeclined loanCanceled'] },
  {
    theme: 'opsCollDebt',
    isTransactional: false,
    subjects: [
      'loanOverdueFirstNotice loanOverdueSecondNotice loanOverdueThirdNotice loanOverdueFourthNotice loanOverdueFifthNotice',
      'loanOverdueSixthNotice',
      'loanRightToCurePersonalUnsecured',
    ],
  },
  { theme: 'opsServicingStatement', isTransactional: true, subjects: ['statementGenerated statementRegenerated'] },
  { theme: 'opsCollDebt', isTransactional: true, subjects: ['loanAccelerated loanChargedOff promiseToPayBroken'] },
  { theme: 'opsServicingTimeBarredNotice', isTransactional: false, subjects: ['timeBarredNotice'] },
  { theme: 'marketing', isTransactional: false, subjects: ['marketingMessage'] },
];

for (const { theme, isTransactional, subjects } of GROUPS) {
  const names = subjects.flatMap((line) => line.split(' ')) as Subject[];
  const kind = isTransactional ? 'transactional' : 'not transactional';
  test(`${names.length} subjects imply ${theme ?? 'no theme'} and are ${kind} by default`, async (t) => {
    for (const subject of names) {
      t.strictSame(subjectNamed(subject), { subject }, subject);
      t.equal(implicitTheme(subject), theme, subject);
      t.equal(defaultTransactional(subject), isTransactional, subject);
    }
  });
}

test('there is no other subject', async (t) => {
  const known = GROUPS.flatMap(({ subjects }) => subjects.flatMap((line) => line.split(' ')));
  t.strictSame(Object.keys(SUBJECTS).sort(), known.sort());
});

test('subjects of the older statements are converted', async (t) => {
  t.strictSame(subjectNamed('locStatementGenerated'), { subject: 'statementGenerated' });
  t.strictSame(subjectNamed('locStatementRegenerated'), { subject: 'statementRegenerated' });
});

test('the deprecated subject of failed settlements is refused, and so is an unknown one', async (t) => {
  for (const name of ['failedSettlementService', 'weather', 'toString']) t.match(subjectNamed(name), { fault: { path: 'subject' } }, name);
});

test('a message without a subject is not transactional', async (t) => {
  t.equal(defaultTransactional(null), false);
  t.strictSame(resolveTheme({ subject: null, theme: null, direction: 'inbound' }), { theme: null });
});

test('a subject of templates is an identifier that begins with a small letter', async (t) => {
  for (const name of ['letterHead', 'freeForm', 'p1']) t.ok(isTemplateSubject(name), name);
  for (const name of ['LetterHead', 'a', 'letter-head', '1letter', `a${'b'.repeat(64)}`]) t.notOk(isTemplateSubject(name), name);
});

test('a muted loan stops servicing, statements, origination and collection, and nothing else', async (t) => {
  for (const subject of ['paymentFailed', 'statementGenerated', 'loanDetails', 'loanOverdueFirstNotice'] as const)
    t.ok(isMutedWithLoan(subject), subject);
  for (const subject of [
    'annualPrivacyPolicyNotice',
    'confirmationCode',
    'debtValidationNotice',
    'timeBarredNotice',
    'caseEscalation',
    'marketingMessage',
    'freeForm',
  ] as const)
    t.notOk(isMutedWithLoan(subject), subject);
});
