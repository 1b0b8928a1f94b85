import type { Fact } from '../../kernel/fact.js';
import type { PersonState } from '../state.js';
import type { DocumentContent, PersonDocument } from './document.js';

/** What a command decides of a document; the rest follows from the fact's envelope. */
export type DocumentFields = Omit<
  PersonDocument,
  | 'content'
  | 'conversionSourceId'
  | 'isHumanBorrowerUpload'
  | 'verifiedBy'
  | 'verifiedAt'
  | 'updatedBy'
  | 'createdBy'
  | 'createdAt'
  | 'updatedAt'
>;

type AttachedContent = Omit<DocumentContent, 'uploadedBy' | 'uploadedAt'>;

export interface DocumentFacts {
  readonly DocumentDescribed: { readonly document: DocumentFields; readonly conversionSourceId: string | null };
  readonly DocumentChanged: { readonly document: DocumentFields };
  /** The content is stored; one that was there before is let go. `texts`: with the name of the file. */
  readonly DocumentAttached: {
    readonly id: string;
    readonly content: AttachedContent;
    readonly texts: Uint8Array;
    readonly isHumanBorrowerUpload: boolean;
  };
}

type Apply = { readonly [Type in keyof DocumentFacts]: (state: PersonState, body: DocumentFacts[Type], fact: Fact) => void };

export const APPLY_DOCUMENTS: Apply = {
  DocumentDescribed(state, { document, conversionSourceId }, fact) {
    const described: PersonDocument = {
      ...document,
      ...verification(document, null, fact),
      conversionSourceId,
      content: null,
      isHumanBorrowerUpload: false,
      updatedBy: null,
      createdBy: fact.by,
      createdAt: fact.businessAt,
      updatedAt: null,
    };
    state.documents = [...state.documents, described];
  },
  DocumentChanged(state, { document }, fact) {
    change(state, document.id, fact, (before) => ({ ...document, ...verification(document, before, fact) }));
  },
  DocumentAttached(state, { id, content, texts, isHumanBorrowerUpload }, fact) {
    change(state, id, fact, () => ({
      content: { ...content, uploadedBy: fact.by, uploadedAt: fact.businessAt },
      texts,
      isHumanBorrowerUpload,
    }));
  },
};

function change(state: PersonState, id: string, { by, businessAt }: Fact, to: (before: PersonDocument) => Partial<PersonDocument>): void {
  state.documents = state.documents.map((known) =>
    known.id === id ? { ...known, ...to(known), updatedBy: by, updatedAt: businessAt } : known,
  );
}

/** Whoever accepts a document has verified it, for as long as it stays accepted. */
function verification(
  { status }: DocumentFields,
  before: PersonDocument | null,
  { by, businessAt }: Fact,
): Pick<PersonDocument, 'verifiedBy' | 'verifiedAt'> {
  if (status !== 'accepted') return { verifiedBy: null, verifiedAt: null };
  return before?.status === 'accepted'
    ? { verifiedBy: before.verifiedBy, verifiedAt: before.verifiedAt }
    : { verifiedBy: by, verifiedAt: businessAt };
}
