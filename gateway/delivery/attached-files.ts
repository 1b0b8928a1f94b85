import { type AttachedFile, type OutgoingMessage, Refusal } from '../../actors/index.js';
import { ask } from '../answers.js';
import type { ContentStore } from '../documents/content-store.js';
import { statementPdf } from '../documents/statement-document.js';
import { LIMITS } from '../limits.js';
import type { EngineCalls } from '../engine-calls.js';
import type { Renderer } from '../rendering/renderer.js';
import type { Call } from '../routing/route.js';

interface Sources {
  readonly engine: Pick<EngineCalls, 'query'>;
  readonly contents: ContentStore;
  readonly renderer: Renderer;
}

/** Reads the documents of a message for the service itself: what is stored is fetched, what is made of a statement is rendered. */
export async function readAttached({ engine, contents, renderer }: Sources, message: OutgoingMessage): Promise<readonly AttachedFile[]> {
  const { company, mode, personId } = message;
  const read: Call['read'] = async (type, target, { query } = {}) => ({
    data: await ask(engine, { company, mode, type, target, params: { personId }, query, permissions: NOTHING }),
  });
  const caller = { company, mode, keyId: null, userId: null, permissions: NOTHING, address: '' } as const;
  const files: AttachedFile[] = [];
  let bytes = 0;
  for (const documentId of namedBy(message)) {
    const location = await ask(engine, {
      company,
      mode,
      type: 'document.place',
      target: personId,
      params: { personId, documentId },
      query: undefined,
      permissions: NOTHING,
    });
    const content =
      'statement' in location
        ? await statementPdf({ read, caller }, renderer, { personId, ...location.statement })
        : await contents.get(location);
    bytes += content.length;
    if (bytes > LIMITS.attachedBytes) throw new Refusal('businessValidation', 'The documents of the message are too large together.');
    files.push({ fileName: location.fileName ?? documentId, contentType: location.contentType, content });
  }
  return files;
}

/** An e-mail names several, a letter one. */
function namedBy({ content: { attachments, documentId } }: OutgoingMessage): readonly string[] {
  if (Array.isArray(attachments)) return attachments.map(String);
  return typeof documentId === 'string' ? [documentId] : [];
}

const NOTHING: ReadonlySet<string> = new Set();
