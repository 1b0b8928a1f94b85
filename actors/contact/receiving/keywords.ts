import type { Channel } from '../../../engine/index.js';
import type { ContactEffect } from '../interactions/on-contact.js';
import type { InteractionContent, ReceiveRequest } from '../interactions/types.js';

/** What a borrower asks for by a word. */
export type InboundAction = 'stopTexts' | 'startTexts' | 'help' | 'stopMarketing';

interface ActionRow {
  readonly channel: Channel;
  readonly words: readonly string[];
  readonly effects: readonly ContactEffect[];
  /** The borrower no longer wants to be reached. */
  readonly isOptOut: boolean;
}

/** Those of carriers, and those that are always a revocation (47 CFR 64.1200(a)(10)); then how people say the same. */
const STOPS: readonly string[] = [
  'STOP',
  'STOPALL',
  'UNSUBSCRIBE',
  'CANCEL',
  'END',
  'QUIT',
  'REVOKE',
  'OPT OUT',
  'OPTOUT',
  'STOP ALL',
  'STOP TEXTING',
  'STOP TEXTING ME',
  'STOP MESSAGING ME',
  'DO NOT TEXT ME',
  'DONT TEXT ME',
  'DON T TEXT ME',
  'NO MORE TEXTS',
];

/** The words that carriers and laws of senders know, each the whole message. */
export const INBOUND_ACTIONS: Readonly<Record<InboundAction, ActionRow>> = {
  stopTexts: { channel: 'text', words: STOPS, effects: ['textsStopped', 'autodialingStopped'], isOptOut: true },
  startTexts: { channel: 'text', words: ['START', 'UNSTOP', 'YES'], effects: ['textsWanted'], isOptOut: false },
  help: { channel: 'text', words: ['HELP', 'INFO'], effects: [], isOptOut: false },
  stopMarketing: {
    channel: 'email',
    words: ['UNSUBSCRIBE', 'STOP', 'REVOKE', 'OPT OUT', 'OPTOUT', 'REMOVE ME'],
    effects: ['marketingStopped'],
    isOptOut: true,
  },
};

/** The action that a message is; null of one that somebody has to read. */
export function actionOf(channel: Channel, { contentText, subjectLine }: InteractionContent): InboundAction | null {
  const said = [contentText, channel === 'email' ? subjectLine : undefined].map(wordOf);
  const found = (Object.keys(INBOUND_ACTIONS) as InboundAction[]).find((name) => {
    const row = INBOUND_ACTIONS[name];
    return row.channel === channel && row.words.some((word) => said.includes(word));
  });
  return found ?? null;
}

/** A text by which its sender wants no more of them. */
export const isStop = ({ channel, direction = 'inbound', content }: Pick<ReceiveRequest, 'channel' | 'direction' | 'content'>): boolean =>
  direction === 'inbound' && actionOf(channel, content) === 'stopTexts';

/** Letters and digits alone, without a please: marks, signs and pictures around a word change nothing of it. */
const wordOf = (text: string | undefined): string | undefined =>
  text
    ?.toUpperCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .replace(/^PLEASE | PLEASE$/g, '');
