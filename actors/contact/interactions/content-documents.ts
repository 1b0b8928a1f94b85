import { findDocument, type PersonState } from '../../borrower/index.js';
import type { Fault } from '../../errors.js';
import type { DecideEnv } from '../../kernel/actor.js';
import { openJson, type SealedAt } from './sealing.js';
import type { InteractionFields } from './state.js';
import type { InteractionContent } from './types.js';

/** Fields of the content that name one document each. */
const DOCUMENTS = ['documentId', 'recordingDocumentId'] as const;

interface Named {
  readonly content: InteractionContent;
  readonly faults: readonly Fault[];
}

/** The content with the service ids of the borrower's documents that it names. A document that the borrower does not have is a fault. */
export function withDocumentIds(env: DecideEnv, at: SealedAt, before: InteractionFields, content: InteractionContent): Named {
  const person = at.personId === null ? undefined : env.read<PersonState>('person', at.personId);
  const was = openJson<InteractionContent>(env, { ...before, id: at.id }, 'content');
  const faults: Fault[] = [];
  const idOf = (path: string, anyId: string, isStored: boolean): string => {
    const found = person && findDocument(person, anyId)?.id;
    if (found === undefined && !isStored)
      faults.push({ path: `content.${path}`, expected: 'a document of the borrower', message: `The borrower has no document ${anyId}.` });
    return found ?? anyId;
  };
  // What is stored may be sent again: an earlier release stored any text, and a document may have been archived since.
  const named: { [Field in (typeof DOCUMENTS)[number]]?: string } & { attachments?: readonly string[] } = {};
  for (const field of DOCUMENTS) {
    const anyId = content[field];
    if (anyId !== undefined) named[field] = idOf(field, anyId, was?.[field] === anyId);
  }
  const { attachments } = content;
  if (attachments !== undefined)
    named.attachments = attachments.map((anyId, index) => idOf(`attachments[${index}]`, anyId, was?.attachments?.includes(anyId) === true));
  return { content: { ...content, ...named }, faults };
}
