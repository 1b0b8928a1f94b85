import type { Channel, Direction, InteractionTheme, Subject } from '../communication/index.js';

/** A contact that somebody is about to make: what the guard is asked. */
export interface ContactPlan {
  /** The moment of it, in milliseconds. */
  readonly at: number;
  /** Null: the caller does not say how. All that could be meant must be allowed then. */
  readonly channel: Channel | null;
  readonly direction: Direction;
  readonly theme: InteractionTheme;
  readonly subject: Subject | null;
  readonly isTransactional: boolean;
  /** A call that is dialed by a machine or plays a recording. */
  readonly isAutodialed: boolean;
  /** Null: not said. It counts as yes where the call is autodialed. */
  readonly isPrerecorded: boolean | null;
  /** What it is about; empty = not said. */
  readonly loanIds: readonly string[];
  readonly caseId: string | null;
  /** It answers what the borrower sent. */
  readonly isReply: boolean;
  readonly origin: ContactOrigin;
  /** Its template says that the law asks for it. */
  readonly isLegallyRequired: boolean;
  /** Hours are judged as of noon of the day in the company's zone: for lists that are prepared in the morning. */
  readonly checkAtCompanyNoon: boolean;
}

/**
 * Subjects that no law asks for, whatever their template says: they ask for a payment, remind of one, or sell something. Of a free subject
 * the template alone knows, because states ask for notices that have none of their own.
 */
const NEVER_REQUIRED: ReadonlySet<Subject | null> = new Set<Subject | null>([
  'autopayEnableReminder',
  'autopayPaymentReminder',
  'cardExpiresReminder',
  'creditPositiveInfoReported',
  'futurepayPaymentDueReminder',
  'loanOverdueFirstNotice',
  'loanOverdueSecondNotice',
  'loanOverdueThirdNotice',
  'loanOverdueFourthNotice',
  'loanOverdueFifthNotice',
  'loanOverdueSixthNotice',
  'loginFirstPaymentReminder',
  'marketingMessage',
  'paymentDueDateReminder',
  'promiseToPayBroken',
  'promiseToPayDueReminder',
  'promoProgramEligibilityAtRisk',
  'promoProgramReminder',
]);

/** A letter that a law asks for, by the word of its template. */
export const isRequiredLetter = ({ channel, isLegallyRequired, subject, theme }: ContactPlan): boolean =>
  channel === 'mail' && isLegallyRequired && theme !== 'marketing' && !NEVER_REQUIRED.has(subject);

/**
 * A call that asks somebody where the borrower is (15 USC 1692b). It says nothing of a debt, so that who answers it needs no authority.
 * What the service writes has words that nobody has looked at for that.
 */
export const isLocationCall = ({ channel, theme }: ContactPlan): boolean => channel === 'voice' && theme === 'opsCollLocateBorrower';

/** Who wants it: somebody through the interface, the service by itself, or the daily run of reminders. */
export type ContactOrigin = 'request' | 'automatic' | 'reminder';

/** An agent's plain contact; whoever asks says what is otherwise. */
export const PLAIN_PLAN: Omit<ContactPlan, 'at' | 'channel' | 'theme' | 'subject'> = {
  direction: 'outbound',
  isTransactional: false,
  isAutodialed: false,
  isPrerecorded: null,
  loanIds: [],
  caseId: null,
  isReply: false,
  origin: 'request',
  isLegallyRequired: false,
  checkAtCompanyNoon: false,
};
