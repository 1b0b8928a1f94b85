import type { Channel } from '../../../engine/index.js';
import { phoneNumberOf, type SenderQuery } from '../../borrower/index.js';
import type { ReceiveRequest } from '../interactions/types.js';

/** Channels whose senders are known by a number. */
const BY_NUMBER: ReadonlySet<Channel> = new Set<Channel>(['text', 'voice']);

/** What the sender of a message is looked for by; null where it says nothing of use. */
export function senderQuery({ channel, content: { from } }: Pick<ReceiveRequest, 'channel' | 'content'>): SenderQuery | null {
  if (from === undefined) return null;
  if (channel === 'email') return { email: from.trim().toLowerCase() };
  const phone = BY_NUMBER.has(channel) ? phoneNumberOf(from) : null;
  return phone === null ? null : { phone };
}
