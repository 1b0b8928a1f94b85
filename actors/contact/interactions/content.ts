import type { Channel } from '../../../engine/index.js';
import type { Fault } from '../../errors.js';
import type { InteractionContent } from './types.js';

type Field = keyof InteractionContent;

const RENDERED: readonly Field[] = ['title', 'contentHtml', 'documentId'];

/** What each channel has of a content. All of it is optional. */
const CONTENT_FIELDS: Readonly<Record<Channel, readonly Field[]>> = {
  email: ['from', 'to', 'cc', 'subjectLine', 'contentHtml', 'contentText', 'attachments'],
  text: ['from', 'to', 'contentText', 'mediaUrls', 'segments'],
  voice: ['from', 'to', 'recordingDocumentId', 'transcript', 'durationSeconds', 'voicemail'],
  chat: ['sessionId', 'messages'],
  mail: ['address', 'subjectLine', 'contentHtml', 'documentId', 'trackingNumber', 'pages'],
  gui: RENDERED,
  document: RENDERED,
  fax: [],
};

/** The channel on which a message goes to several. */
const TO_MANY: Channel = 'email';

export function contentFaults(channel: Channel, content: InteractionContent): readonly Fault[] {
  const fields = CONTENT_FIELDS[channel];
  const foreign = (Object.keys(content) as Field[]).filter((field) => content[field] !== undefined && !fields.includes(field));
  const faults = foreign.map(
    (field): Fault => ({ path: `content.${field}`, expected: `one of ${fields.join(', ')}`, message: `${field} is nothing of ${channel}` }),
  );
  const { to } = content;
  if (to === undefined || foreign.includes('to') || Array.isArray(to) === (channel === TO_MANY)) return faults;
  return [
    ...faults,
    { path: 'content.to', expected: channel === TO_MANY ? 'a list of addresses' : 'one number', message: `not what ${channel} has` },
  ];
}

/** All that was said in words, for a search. */
export function textOf({ subjectLine, title, contentText, contentHtml, transcript, messages = [] }: InteractionContent): string {
  const words = [subjectLine, title, contentText, contentHtml && withoutTags(contentHtml), transcript, ...messages.map(({ text }) => text)];
  return words.filter((text) => text !== undefined && text !== '').join('\n');
}

/** A space for each tag. One pass: a text of nothing but openings has a million of them. */
function withoutTags(html: string): string {
  const between: string[] = [];
  let at = 0;
  for (;;) {
    const opening = html.indexOf('<', at);
    const closing = opening < 0 ? -1 : html.indexOf('>', opening);
    if (closing < 0) break;
    between.push(html.slice(at, opening));
    at = closing + 1;
  }
  return [...between, html.slice(at)].join(' ');
}
