import { namesOf, type RenderedMessage, type SendableChannel } from '../../../../engine/index.js';
import type { InteractionContent } from '../../interactions/index.js';

/** Where a message goes, as its content says it. */
export type Whereto = Pick<InteractionContent, 'to' | 'address'>;

interface Addressed extends RenderedMessage {
  /** What the recipient sees as its sender; null: whatever the operator's own way shows. */
  readonly from: string | null;
  readonly to: Whereto;
}

/** What an interaction records of a rendered message. `attachments` are ids of the borrower's documents; a letter has one at most. */
export const contentOf = (channel: SendableChannel, attachments: readonly string[], message: Addressed): InteractionContent =>
  CONTENTS[channel](attachments, message);

const CONTENTS: Readonly<Record<SendableChannel, (attachments: readonly string[], message: Addressed) => InteractionContent>> = {
  email: (attachments, { from, to, subjectLine, contentHtml, contentText }) => ({
    ...present({ from, subjectLine, contentHtml, contentText }),
    ...to,
    ...(attachments.length === 0 ? {} : { attachments }),
  }),
  text: (_attachments, { from, to, contentText }) => ({ ...present({ from, contentText }), ...to }),
  mail: ([documentId = null], { to, subjectLine, contentHtml }) => ({ ...present({ subjectLine, contentHtml, documentId }), ...to }),
};

function present<Name extends string>(values: Readonly<Record<Name, string | null>>): { readonly [Each in Name]?: string } {
  const kept: { [Each in Name]?: string } = {};
  for (const name of namesOf(values)) {
    const value = values[name];
    if (value !== null && value !== '') kept[name] = value;
  }
  return kept;
}
