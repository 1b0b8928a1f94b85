import { type InteractionStatus, STATUS_DETAILS, type StatusDetail } from './statuses.js';

/** What a signal of a provider changes in the contact that was used. */
export type SignalEffect = 'emailInvalid' | 'addressInvalid' | 'textsStopped' | 'phoneDisconnected' | 'marketingStopped';

interface SignalRow {
  readonly status: InteractionStatus;
  readonly statusDetails: StatusDetail | null;
  readonly effects?: readonly SignalEffect[];
}

/** Signals of e-mail providers, and the delivery of a text. */
const NAMED = {
  emailAccepted: { status: 'attempted', statusDetails: 'emailSent' },
  emailDelivered: { status: 'succeeded', statusDetails: 'emailDelivered' },
  emailOpened: { status: 'succeeded', statusDetails: 'emailOpened' },
  emailClicked: { status: 'succeeded', statusDetails: 'emailClick' },
  emailDeferred: { status: 'failed', statusDetails: 'emailBlocked' },
  emailBounced: { status: 'failed', statusDetails: 'emailBounced', effects: ['emailInvalid'] },
  emailDropped: { status: 'failed', statusDetails: 'emailDropped' },
  emailReportedAsSpam: { status: 'failed', statusDetails: 'emailReportedAsSpam', effects: ['marketingStopped'] },
  textDelivered: { status: 'succeeded', statusDetails: null },
} as const satisfies Readonly<Record<string, SignalRow>>;

/** Carriers and letter services report these details. Some of them change the contact. */
const EFFECTS: Readonly<Partial<Record<StatusDetail, readonly SignalEffect[]>>> = {
  textUnsubscribedRecipient: ['textsStopped'],
  textLandlineOrUnreachableCarrier: ['textsStopped'],
  textNumberDisconnected: ['phoneDisconnected'],
  letterReturnedToSender: ['addressInvalid'],
};

export type FeedbackSignal = keyof typeof NAMED | Extract<StatusDetail, `text${string}` | `letter${string}`>;

export function signalRow(signal: FeedbackSignal): Required<SignalRow> {
  if (isNamed(signal)) {
    const row: SignalRow = NAMED[signal];
    return { effects: [], ...row };
  }
  return { status: STATUS_DETAILS[signal].status, statusDetails: signal, effects: EFFECTS[signal] ?? [] };
}

const isNamed = (signal: FeedbackSignal): signal is keyof typeof NAMED => Object.hasOwn(NAMED, signal);

/** Subjects of RFC 3463 that are not about the recipient: the mail system, the protocol, the content, security or policy. */
const NOT_OF_RECIPIENT: Readonly<Record<string, FeedbackSignal>> = {
  '3': 'emailDropped',
  '5': 'emailDropped',
  '6': 'emailDropped',
  '7': 'emailDeferred',
};

/**
 * What a failure with an enhanced status code means: of the recipient it is a bounce, unless the policy of its provider or the size of its
 * mailbox stands against it. A failure that may pass (4.x.x) says nothing of the recipient.
 */
export function signalOfMailStatus(enhanced: string | null): FeedbackSignal {
  const [kind, subject = '', detail] = (enhanced ?? '').split('.');
  if (kind === '4' || (subject === '2' && detail === '2')) return 'emailDeferred';
  return NOT_OF_RECIPIENT[subject] ?? 'emailBounced';
}

/** A later signal of a higher rank replaces a lower one of the same status. */
const RANKS: readonly (readonly (StatusDetail | null)[])[] = [
  [null, 'emailSent'],
  [null, 'emailDelivered', 'emailOpened', 'emailClick'],
  [
    null,
    'letterCreated',
    'letterRenderedPdf',
    'letterRenderedThumbnails',
    'letterInTransit',
    'letterInLocalArea',
    'letterProcessedForDelivery',
  ],
];

/** Whether a detail replaces another of the same status. Of details without a common rank, the newest applies. */
export function outranks(next: StatusDetail | null, before: StatusDetail | null): boolean {
  if (next === before || next === null) return false;
  const rank = RANKS.find((order) => order.includes(next) && order.includes(before));
  return rank === undefined || rank.indexOf(next) > rank.indexOf(before);
}
