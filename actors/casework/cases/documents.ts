import { documentView, findDocument, type PersonDocument, personOf, type PersonState } from '../../borrower/index.js';
import { refuse } from '../../errors.js';
import type { Decision } from '../../kernel/actor.js';
import type { FactDraft } from '../../kernel/fact.js';
import { type Context, decided, fact, onCase } from './context.js';
import type { CaseState } from './state.js';

/** `POST .../documents/{documentId}`: attaches a document of the borrower to the case. */
export const attachDocument = onCase('caseDocument.create', 'work', (context) => {
  const { person, document } = named(context);
  const isThere = isAttached(context.state, document) || document.caseId === context.state.id;
  return shown(context, person, document, isThere ? [] : [fact('DocumentAttached', { documentId: document.id })]);
});

/** `DELETE .../documents/{documentId}`. */
export const detachDocument = onCase('caseDocument.delete', 'work', (context) => {
  const { person, document } = named(context);
  const { state } = context;
  if (document.caseId === state.id)
    refuse('invalidState', `The document ${document.id} was created for this case. Change its \`caseId\` instead.`);
  if (!isAttached(state, document)) refuse('notFound', `The case has no document ${document.id}.`);
  return shown(context, person, document, [fact('DocumentDetached', { documentId: document.id })]);
});

export const isAttached = ({ documents }: CaseState, { id }: PersonDocument): boolean =>
  documents.some(({ documentId }) => documentId === id);

interface Named {
  readonly person: PersonState;
  readonly document: PersonDocument;
}

function named({ state, command, env }: Context): Named {
  const person = personOf(env, state.personId);
  const anyId = command.params['documentId'] ?? '';
  return { person, document: findDocument(person, anyId) ?? refuse('notFound', `There is no document ${anyId}.`) };
}

const shown = ({ env }: Context, person: PersonState, document: PersonDocument, facts: readonly FactDraft[]): Decision<CaseState> =>
  decided(person.id, facts, () => documentView(person, document, env));
