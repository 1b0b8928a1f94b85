import { Refusal, type StoredContentBody } from '../../actors/index.js';
import type { Reply } from '../routing/route.js';
import type { ContentStore, StoredContent } from './content-store.js';
import type { Renderer } from '../rendering/renderer.js';

/** Stores the content first and records it then: a record never refers to what is not there. What is not recorded is let go. */
export async function recorded(
  contents: ContentStore,
  content: Buffer,
  command: (stored: StoredContent) => Promise<Reply>,
): Promise<Reply> {
  const stored = await contents.put(content);
  try {
    const outcome = await command(stored);
    if (outcome.replayed) await contents.drop(stored.contentId);
    return outcome;
  } catch (cause) {
    // Of another failure nobody knows yet whether the record was made.
    if (cause instanceof Refusal && cause.statusCode < 500) await contents.drop(stored.contentId);
    throw cause;
  }
}

export interface LetterParts {
  readonly contents: ContentStore;
  readonly renderer: Renderer;
  readonly company: string;
}

/** The same of a letter, whose HTML becomes pages. */
export async function recordedLetter(
  { contents, renderer, company }: LetterParts,
  html: string,
  fileName: string,
  command: (rendered: StoredContentBody) => Promise<Reply>,
): Promise<Reply> {
  const content = Buffer.from(await renderer.render<'letter'>(company, { type: 'letter', html }));
  return recorded(contents, content, (stored) =>
    command({ ...stored, contentType: 'application/pdf', contentLength: content.length, fileName }),
  );
}
