import type { FeedbackSignal, SendableChannel } from '../../../../engine/index.js';
import type { Mode } from '../../../kernel/fact.js';
import type { FreeJson } from '../../../wire.js';

/** A message on its way out, in clear: it exists in memory alone, and at the adapter. */
export interface OutgoingMessage {
  /** The interaction's. A provider that is handed the same one twice brings it to the borrower once. */
  readonly idempotencyKey: string;
  readonly company: string;
  readonly mode: Mode;
  /** Whose documents the attachments of the content are. */
  readonly personId: string;
  readonly channel: SendableChannel;
  /** The content of the interaction, `from` and `to` among it. */
  readonly content: FreeJson;
  readonly mailIsCertified: boolean;
}

/**
 * What brings the messages of one channel to borrowers. What it throws is a failure of the way there: it is tried
 * again.
 */
export interface DeliveryAdapter {
  submit(message: OutgoingMessage): Promise<{ readonly providerMessageId: string }>;
}

export type DeliveryAdapters = Readonly<Record<SendableChannel, DeliveryAdapter>>;

/** The provider will never take the message. */
export class MessageRefused extends Error {
  override readonly name = 'MessageRefused';

  constructor(
    readonly signal: FeedbackSignal,
    readonly providerErrorCode: string | null,
  ) {
    super(`the provider refuses the message: ${signal}`);
  }
}
