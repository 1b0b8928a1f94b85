import type { Channel } from '../../../engine/index.js';
import type { ContactEffect } from '../on-contact.js';
import type { InteractionContent } from '../requests.js';

/** What a borrower asks for by a word (communications 1.6). */
export type InboundAction = 'stopTexts' | 'startTexts' | 'help' | 'stopMarketing';

interface ActionRow {
  readonly channel: Channel;
  readonly words: readonly string[];
  readonly effects: readonly ContactEffect[];
  /** The borrower no longer wants to be reached. */
  readonly isOptOut: boolean;
}

/** The words that carriers and laws of senders know, each the whole message. */
export const INBOUND_ACTIONS: Readonly<Record<InboundAction, ActionRow>> = {
  stopTexts: { channel: 'text', words: ['STOP', 'STOPALL', 'UNSUBSCRIBE', 'CANCEL', 'END', 'QUIT'], effects: ['textsStopped', 'autodialingStopped'], isOptOut: true },
  startTexts: { channel: 'text', words: ['START', 'UNSTOP', 'YES'], effects: ['textsWanted'], isOptOut: false },
  help: { channel: 'text', words: ['HELP', 'INFO'], effects: [], isOptOut: false },
  stopMarketing: { channel: 'email', words: ['UNSUBSCRIBE'], effects: ['marketingStopped'], isOptOut: true },
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

const wordOf = (text: string | undefined): string | undefined => text?.trim().replace(/[.!]+$/, '').toUpperCase();
