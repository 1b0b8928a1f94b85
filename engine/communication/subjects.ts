import type { Direction, ValueFault } from './statuses.js';

interface ThemeRow {
  readonly kind: 'collections' | 'servicing' | 'internal' | 'marketing' | 'inbound' | 'deprecated';
  /** Accepted on create and update. Only existing records have the others. */
  readonly isSettable: boolean;
}

/** Why a borrower is contacted. The kind decides which laws apply. */
export const THEMES = {
  /** Collection of the debt: all overdue notices carry it. */
  opsCollDebt: { kind: 'collections', isSettable: true },
  /** Finding the borrower, which means asking third parties. */
  opsCollLocateBorrower: { kind: 'collections', isSettable: true },
  opsCollVerifyEmployment: { kind: 'collections', isSettable: true },
  opsCollContactEmployerNotice: { kind: 'collections', isSettable: true },
  /** The account as such: most messages about it. */
  opsServicing: { kind: 'servicing', isSettable: true },
  opsServicingDebtValidation: { kind: 'servicing', isSettable: true },
  opsServicingTimeBarredNotice: { kind: 'servicing', isSettable: true },
  /** Still named by a Do Not Interact. */
  opsServicingNegativeCreditReportNotice: { kind: 'deprecated', isSettable: false },
  /** Codes and passwords: no Do Not Interact stops them. */
  opsAccountCredentials: { kind: 'servicing', isSettable: true },
  /** To an agent, not to the borrower: nothing screens it. */
  agentNotification: { kind: 'internal', isSettable: true },
  /** Statements and tax documents. */
  opsServicingStatement: { kind: 'servicing', isSettable: true },
  /** Privacy and consents. */
  opsServicingPrivacy: { kind: 'servicing', isSettable: true },
  /** Application and set-up of a loan. */
  opsOrigination: { kind: 'servicing', isSettable: true },
  marketing: { kind: 'marketing', isSettable: true },
  /** Why a borrower came to the lender. */
  inbGeneral: { kind: 'inbound', isSettable: true },
  inbPayment: { kind: 'inbound', isSettable: true },
  inbDispute: { kind: 'inbound', isSettable: true },
  inbHardship: { kind: 'inbound', isSettable: true },
  inbComplaint: { kind: 'inbound', isSettable: true },
  inbOptOut: { kind: 'inbound', isSettable: true },
  inbTechnical: { kind: 'inbound', isSettable: true },
  inbWrongParty: { kind: 'inbound', isSettable: true },
  inbBug: { kind: 'inbound', isSettable: false },
  inbHumanLove: { kind: 'inbound', isSettable: false },
} as const satisfies Readonly<Record<string, ThemeRow>>;

export type InteractionTheme = keyof typeof THEMES;

export type ThemeKind = (typeof THEMES)[InteractionTheme]['kind'];

export type SettableTheme = {
  [Name in InteractionTheme]: (typeof THEMES)[Name]['isSettable'] extends true ? Name : never;
}[InteractionTheme];

/** What a notification type names: a settable theme of a message to the borrower. */
export type OutboundTheme = Exclude<SettableTheme, `inb${string}`>;

/** What a Do Not Interact names. `all` never covers `opsAccountCredentials`. */
export type BlockedTheme =
  | 'all'
  | 'opsCollDebt'
  | 'opsCollLocateBorrower'
  | 'opsCollVerifyEmployment'
  | 'opsCollContactEmployerNotice'
  | 'opsServicingDebtValidation'
  | 'opsServicingNegativeCreditReportNotice'
  | 'opsServicingTimeBarredNotice'
  | 'opsServicing';

export const isSettableTheme = (theme: InteractionTheme): theme is SettableTheme => THEMES[theme].isSettable;

export const isCollections = (theme: InteractionTheme): boolean => THEMES[theme].kind === 'collections';

const isInboundTheme = (theme: InteractionTheme): boolean => THEMES[theme].kind === 'inbound';

export interface SubjectRow {
  /** The theme of the subject; null if the caller has to name it. */
  readonly theme: SettableTheme | null;
  /** Whether it answers an event or an action; the default if the sender does not say. */
  readonly isTransactional: boolean;
}

/** What a message says: implicit theme, and whether it is transactional by default. */
export const SUBJECTS = {
  /** Yearly privacy notice. */
  annualPrivacyPolicyNotice: { theme: 'opsServicingPrivacy', isTransactional: false },
  /** Text shown when autopay is turned on. */
  autopayAgreement: { theme: 'opsServicing', isTransactional: true },
  /** An upcoming autopay amount rose. */
  autopayAmountChanged: { theme: 'opsServicing', isTransactional: true },
  /** The service ended the plan. */
  autopayCanceledBySystem: { theme: 'opsServicing', isTransactional: true },
  autopayEnabled: { theme: 'opsServicing', isTransactional: true },
  /** Invitation to enrol. */
  autopayEnableReminder: { theme: 'opsServicing', isTransactional: false },
  autopayPaymentCanceled: { theme: 'opsServicing', isTransactional: true },
  autopayPaymentMethodUpdated: { theme: 'opsServicing', isTransactional: true },
  autopayPaymentReminder: { theme: 'opsServicing', isTransactional: false },
  autopayPaymentRescheduled: { theme: 'opsServicing', isTransactional: true },
  cardExpiresReminder: { theme: 'opsServicing', isTransactional: false },
  caseEscalation: { theme: 'agentNotification', isTransactional: true },
  /** Answers to a cease request. */
  ceaseCommunicationAcknowledgement: { theme: 'opsServicing', isTransactional: true },
  ceaseCommunicationRefuseToPay: { theme: 'opsServicing', isTransactional: true },
  /** A code for one use. */
  confirmationCode: { theme: 'opsAccountCredentials', isTransactional: true },
  /** A contact value is now used by another borrower. */
  contactTakeover: { theme: 'opsAccountCredentials', isTransactional: true },
  creditNegativeInfoReported: { theme: 'opsServicing', isTransactional: false },
  creditPositiveInfoReported: { theme: 'opsServicing', isTransactional: false },
  /** Free for the lender's own use. */
  custom1: { theme: null, isTransactional: false },
  custom2: { theme: null, isTransactional: false },
  custom3: { theme: null, isTransactional: false },
  custom4: { theme: null, isTransactional: false },
  custom5: { theme: null, isTransactional: false },
  custom6: { theme: null, isTransactional: false },
  custom7: { theme: null, isTransactional: false },
  custom8: { theme: null, isTransactional: false },
  custom9: { theme: null, isTransactional: false },
  custom10: { theme: null, isTransactional: false },
  custom11: { theme: null, isTransactional: false },
  custom12: { theme: null, isTransactional: false },
  custom13: { theme: null, isTransactional: false },
  custom14: { theme: null, isTransactional: false },
  custom15: { theme: null, isTransactional: false },
  custom16: { theme: null, isTransactional: false },
  custom17: { theme: null, isTransactional: false },
  custom18: { theme: null, isTransactional: false },
  custom19: { theme: null, isTransactional: false },
  custom20: { theme: null, isTransactional: false },
  /** Validation notices, by jurisdiction. */
  debtValidationNotice: { theme: 'opsServicingDebtValidation', isTransactional: false },
  debtValidationNoticeArizona: { theme: 'opsServicingDebtValidation', isTransactional: false },
  debtValidationNoticeAutomatic: { theme: 'opsServicingDebtValidation', isTransactional: false },
  debtValidationNoticeNYCYonkers: { theme: 'opsServicingDebtValidation', isTransactional: false },
  debtValidationNoticePuertoRico: { theme: 'opsServicingDebtValidation', isTransactional: false },
  deceasedConfirmationOfPayoff: { theme: 'opsServicing', isTransactional: false },
  deceasedNoticeToRepresentative: { theme: 'opsServicing', isTransactional: false },
  deceasedNotificationUponDeath: { theme: 'opsServicing', isTransactional: false },
  disputeOfDebtConfirmed: { theme: 'opsServicingDebtValidation', isTransactional: true },
  disputeOfDebtSubmitDocumentation: { theme: 'opsServicingDebtValidation', isTransactional: true },
  disputeOfDebtSubmitDocumentationReminder: { theme: 'opsServicingDebtValidation', isTransactional: true },
  disputeOfDebtUnableToConfirm: { theme: 'opsServicingDebtValidation', isTransactional: true },
  disputeOfDebtUnableToResolve: { theme: 'opsServicingDebtValidation', isTransactional: true },
  documentUploadFailed: { theme: 'opsServicing', isTransactional: true },
  downpaymentFailed: { theme: 'opsServicing', isTransactional: true },
  /** The consent to electronic communication was withdrawn. */
  electronicConsentOptOut: { theme: 'opsServicingPrivacy', isTransactional: true },
  /** A plain message of an agent. */
  freeForm: { theme: null, isTransactional: false },
  /** The same in the branded frame. */
  freeFormBranded: { theme: null, isTransactional: false },
  /** A payment that was planned once. */
  futurepayCanceled: { theme: 'opsServicing', isTransactional: true },
  futurepayPaymentDueReminder: { theme: 'opsServicing', isTransactional: false },
  identityTheftIncompleteDocumentation: { theme: 'opsServicing', isTransactional: true },
  identityTheftNotValidated: { theme: 'opsServicing', isTransactional: true },
  identityTheftSubmitDocumentation: { theme: 'opsServicing', isTransactional: true },
  identityTheftSubmitDocumentationFirstReminder: { theme: 'opsServicing', isTransactional: true },
  identityTheftSubmitDocumentationSecondReminder: { theme: 'opsServicing', isTransactional: true },
  identityTheftValidated: { theme: 'opsServicing', isTransactional: true },
  identityTheftAcknowledgement: { theme: 'opsServicing', isTransactional: true },
  /** The terms, after activation. */
  loanDetails: { theme: 'opsOrigination', isTransactional: true },
  /** The series of overdue notices. */
  loanOverdueFirstNotice: { theme: 'opsCollDebt', isTransactional: false },
  loanOverdueSecondNotice: { theme: 'opsCollDebt', isTransactional: false },
  loanOverdueThirdNotice: { theme: 'opsCollDebt', isTransactional: false },
  loanOverdueFourthNotice: { theme: 'opsCollDebt', isTransactional: false },
  loanOverdueFifthNotice: { theme: 'opsCollDebt', isTransactional: false },
  loanOverdueSixthNotice: { theme: 'opsCollDebt', isTransactional: false },
  loanRightToCurePersonalUnsecured: { theme: 'opsCollDebt', isTransactional: false },
  /** The borrower never logged in and the first payment is near. */
  loginFirstPaymentReminder: { theme: 'opsServicing', isTransactional: false },
  locLineClosed: { theme: 'opsServicing', isTransactional: true },
  paymentDueDateReminder: { theme: 'opsServicing', isTransactional: false },
  paymentFailed: { theme: 'opsServicing', isTransactional: true },
  promoProgramReminder: { theme: 'opsServicing', isTransactional: false },
  promoProgramEligibilityAtRisk: { theme: 'opsServicing', isTransactional: false },
  refundScheduled: { theme: 'opsServicing', isTransactional: true },
  statementGenerated: { theme: 'opsServicingStatement', isTransactional: true },
  statementRegenerated: { theme: 'opsServicingStatement', isTransactional: true },
  /** Credentials and profile. */
  passwordChanged: { theme: 'opsAccountCredentials', isTransactional: true },
  passwordReset: { theme: 'opsAccountCredentials', isTransactional: true },
  loginWelcome: { theme: 'opsAccountCredentials', isTransactional: true },
  emailVerification: { theme: 'opsAccountCredentials', isTransactional: true },
  contactChanged: { theme: 'opsAccountCredentials', isTransactional: true },
  /** Set-up of a loan. */
  borrowerWelcome: { theme: 'opsOrigination', isTransactional: true },
  loanActivated: { theme: 'opsOrigination', isTransactional: true },
  loanDeclined: { theme: 'opsOrigination', isTransactional: true },
  loanCanceled: { theme: 'opsOrigination', isTransactional: true },
  /** Payments. */
  paymentConfirmation: { theme: 'opsServicing', isTransactional: true },
  paymentScheduled: { theme: 'opsServicing', isTransactional: true },
  paymentRescheduled: { theme: 'opsServicing', isTransactional: true },
  paymentReversed: { theme: 'opsServicing', isTransactional: true },
  paymentMethodAdded: { theme: 'opsServicing', isTransactional: true },
  paymentMethodRemoved: { theme: 'opsServicing', isTransactional: true },
  microDepositsSent: { theme: 'opsServicing', isTransactional: true },
  reimbursementInitiated: { theme: 'opsServicing', isTransactional: true },
  reimbursementFailed: { theme: 'opsServicing', isTransactional: true },
  /** Changes of a loan's status. */
  loanPaidOff: { theme: 'opsServicing', isTransactional: true },
  loanFrozen: { theme: 'opsServicing', isTransactional: true },
  loanUnfrozen: { theme: 'opsServicing', isTransactional: true },
  loanAccelerated: { theme: 'opsCollDebt', isTransactional: true },
  loanAccelerationReversed: { theme: 'opsServicing', isTransactional: true },
  loanChargedOff: { theme: 'opsCollDebt', isTransactional: true },
  loanChargeOffReversed: { theme: 'opsServicing', isTransactional: true },
  /** Any change of the payment schedule. */
  loanPaymentScheduleChanged: { theme: 'opsServicing', isTransactional: true },
  /** Modifications. */
  dueDateDeferred: { theme: 'opsServicing', isTransactional: true },
  scheduleDeferred: { theme: 'opsServicing', isTransactional: true },
  dueDatesChanged: { theme: 'opsServicing', isTransactional: true },
  loanTermsChanged: { theme: 'opsServicing', isTransactional: true },
  paymentPlanCreated: { theme: 'opsServicing', isTransactional: true },
  paymentPlanCanceled: { theme: 'opsServicing', isTransactional: true },
  promiseToPayCreated: { theme: 'opsServicing', isTransactional: true },
  promiseToPayDueReminder: { theme: 'opsServicing', isTransactional: true },
  promiseToPayBroken: { theme: 'opsCollDebt', isTransactional: true },
  scraTermsSet: { theme: 'opsServicing', isTransactional: true },
  /** Lines and fees. */
  creditLimitChanged: { theme: 'opsServicing', isTransactional: true },
  rateChanged: { theme: 'opsServicing', isTransactional: true },
  lateFeeCharged: { theme: 'opsServicing', isTransactional: true },
  cardActivated: { theme: 'opsServicing', isTransactional: true },
  cardReplaced: { theme: 'opsServicing', isTransactional: true },
  purchaseDisputeOpened: { theme: 'opsServicing', isTransactional: true },
  purchaseDisputeResolved: { theme: 'opsServicing', isTransactional: true },
  /** Cases. */
  bankruptcyAcknowledgement: { theme: 'opsServicing', isTransactional: false },
  militaryDutyAcknowledgement: { theme: 'opsServicing', isTransactional: false },
  militaryDutySubmitDocumentation: { theme: 'opsServicing', isTransactional: false },
  disasterRelief: { theme: 'opsServicing', isTransactional: false },
  complaintAcknowledgement: { theme: 'opsServicing', isTransactional: false },
  timeBarredNotice: { theme: 'opsServicingTimeBarredNotice', isTransactional: false },
  marketingMessage: { theme: 'marketing', isTransactional: false },
} as const satisfies Readonly<Record<string, SubjectRow>>;

export type Subject = keyof typeof SUBJECTS;

/** Deprecated values and their replacements; null: refused. */
const DEPRECATED_SUBJECTS = {
  locStatementGenerated: 'statementGenerated',
  locStatementRegenerated: 'statementRegenerated',
  failedSettlementService: null,
} as const satisfies Readonly<Record<string, Subject | null>>;

/** Values that a request may have. A deprecated value is converted or refused by name (`subjectNamed`). */
export type SubjectValue = Subject | keyof typeof DEPRECATED_SUBJECTS;

export const isSubject = (word: string): word is Subject => Object.hasOwn(SUBJECTS, word);

const isDeprecated = (word: string): word is keyof typeof DEPRECATED_SUBJECTS => Object.hasOwn(DEPRECATED_SUBJECTS, word);

/** The subject of a value, deprecated values included. */
export function subjectNamed(word: string): { readonly subject: Subject } | { readonly fault: ValueFault } {
  if (isSubject(word)) return { subject: word };
  if (!isDeprecated(word))
    return { fault: { path: 'subject', expected: 'a subject of interactions', message: `There is no subject ${word}.` } };
  const subject = DEPRECATED_SUBJECTS[word];
  return subject === null
    ? { fault: { path: 'subject', expected: 'a subject that is not deprecated', message: `The subject ${word} is no longer taken.` } }
    : { subject };
}

/** A template may also be a fragment or a letterhead, which is rendered and never sent. */
export const isTemplateSubject = (word: string): boolean => /^[a-z][A-Za-z0-9]{1,63}$/.test(word);

export interface ThemeQuestion {
  readonly subject: Subject | null;
  readonly theme: InteractionTheme | null;
  readonly direction: Direction;
}

export type ResolvedTheme = { readonly theme: InteractionTheme | null } | { readonly fault: ValueFault };

/**
 * The theme of a communication: of its subject, or else as the caller names it. Null without a subject and without a theme: rules that
 * limit contacts should count such a communication.
 */
export function resolveTheme({ subject, theme, direction }: ThemeQuestion): ResolvedTheme {
  const unfit = theme === null ? null : themeFault('theme', theme, direction);
  if (unfit !== null) return { fault: unfit };
  if (subject === null) return { theme };
  const implicit = implicitTheme(subject);
  if (implicit === null) return theme === null ? { fault: themeFaultOf('a theme', `The subject ${subject} needs a theme.`) } : { theme };
  if (theme !== null && theme !== implicit)
    return { fault: themeFaultOf(implicit, `The subject ${subject} is always of the theme ${implicit}.`) };
  return { theme: implicit };
}

/** The theme that a subject implies; null if the caller has to name it. */
export const implicitTheme = (subject: Subject): InteractionTheme | null => (SUBJECTS[subject] as SubjectRow).theme;

/** Themes of the notices about a loan: servicing, statements, origination, collection. */
const LOAN_NOTICE_THEMES: ReadonlySet<InteractionTheme | null> = new Set<InteractionTheme | null>([
  'opsServicing',
  'opsServicingStatement',
  'opsOrigination',
  'opsCollDebt',
]);

/**
 * Whether `muteLoanNotices` of a loan stops a subject: those with such a theme of their own. What the law gives every borrower is sent:
 * notices of privacy, debt validation and time-barred debts; and so are messages about the login.
 */
export const isMutedWithLoan = (subject: Subject): boolean => LOAN_NOTICE_THEMES.has(implicitTheme(subject));

/** A message without a subject is not transactional. */
export const defaultTransactional = (subject: Subject | null): boolean => subject !== null && SUBJECTS[subject].isTransactional;

/** Why a theme cannot be set here; null if it can. `borrowerSelectedTheme` takes every settable theme. */
export function themeFault(path: 'theme' | 'borrowerSelectedTheme', theme: InteractionTheme, direction: Direction): ValueFault | null {
  if (!isSettableTheme(theme))
    return { path, expected: 'a theme that is not deprecated', message: `The theme ${theme} is no longer taken.` };
  if (path === 'theme' && isInboundTheme(theme) && direction === 'outbound')
    return { path, expected: 'a theme of outbound interactions', message: `The theme ${theme} is of inbound interactions only.` };
  return null;
}

const themeFaultOf = (expected: string, message: string): ValueFault => ({ path: 'theme', expected, message });
