import type { Channel } from '../communication/index.js';
import { plainTextOf, type RenderedMessage } from '../html/index.js';
import type { MessageText } from './content-wording.js';

/** What rules about words ask of the company that sends. */
export type SenderDetails = Pick<MessageText, 'senderNames' | 'senderAddress' | 'licenseNumber'>;

/** What a rendered message says, for the rules about words: an e-mail is read as HTML by some, and as plain text by others. */
export function messageTextOf(
  sender: SenderDetails,
  language: string,
  channel: Channel,
  { subjectLine, contentHtml, contentText }: RenderedMessage,
): MessageText {
  const bodies = READ_AS[channel] === 'text' || contentHtml === '' ? [contentText] : [plainTextOf(contentHtml)];
  const readings = channel === 'email' && contentText !== bodies[0] ? [...bodies, contentText] : bodies;
  return { language, readings: readings.map((body) => `${subjectLine}\n${body}`), ...sender };
}

/** Channels that carry no markup. */
const READ_AS: Partial<Readonly<Record<Channel, 'text'>>> = { text: 'text', voice: 'text', chat: 'text' };
