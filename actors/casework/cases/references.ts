import { contactOf, findDocument, personOf } from '../../borrower/index.js';
import { companyOf, creditAgencyOf, type ReferenceKind } from '../../company/index.js';
import { ALL_ROWS, type DecideEnv } from '../../kernel/actor.js';
import { findDispute, findPromisePlan, findPurchase, type LoanState } from '../../loan/index.js';
import { type CaseOfLoans, loanOfBorrower } from './loans.js';

/*
 * Fields of a case that name other objects. They are stored as service ids, so that a case goes on naming the same object when its
 * external id changes.
 */

/** The borrower of a case, and the loans of the case. */
export type OwnerOfCase = Pick<CaseOfLoans, 'personId' | 'loanIds'>;

interface Reference {
  /** For error texts. */
  readonly expected: string;
  /** The service id of the object; undefined if there is none. */
  readonly find: (env: DecideEnv, of: OwnerOfCase, anyId: string) => string | undefined;
}

const onLoans =
  (find: (loan: LoanState, anyId: string) => { readonly id: string } | undefined): Reference['find'] =>
  (env, of, anyId) =>
    firstOf(loansAround(env, of), (loan) => find(loan, anyId)?.id);

function firstOf<Item, Found>(items: Iterable<Item>, find: (item: Item) => Found | undefined): Found | undefined {
  for (const item of items) {
    const found = find(item);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The loans that the borrower is on, and those of the case, which may be on another shard. */
function* loansAround(env: DecideEnv, { personId, loanIds }: OwnerOfCase): Iterable<LoanState> {
  const listed = env.list('loan', { parentId: personId, limit: ALL_ROWS }).rows.map(({ id }) => id);
  for (const id of new Set([...listed, ...loanIds])) {
    const loan = env.read<LoanState>('loan', id);
    if (loan !== undefined) yield loan;
  }
}

const REFERENCES: Readonly<Record<ReferenceKind, Reference>> = {
  contactId: {
    expected: 'a contact of the borrower',
    find: (env, { personId }, anyId) => contactOf(personOf(env, personId), anyId)?.id,
  },
  creditAgencyId: {
    expected: 'a credit agency of the company',
    find: (env, _of, anyId) => creditAgencyOf(companyOf(env, env.tenant), anyId)?.id,
  },
  documentId: {
    expected: 'a document of the borrower',
    find: (env, { personId }, anyId) => findDocument(personOf(env, personId), anyId)?.id,
  },
  loanIds: { expected: 'a loan of the borrower', find: (env, { personId }, anyId) => loanOfBorrower(env, personId, anyId) },
  promiseId: { expected: 'a promise-to-pay plan of the borrower', find: onLoans(findPromisePlan) },
  purchaseDisputeId: { expected: 'a purchase dispute of the borrower', find: onLoans(findDispute) },
  purchaseIds: { expected: 'a purchase of the borrower', find: onLoans(findPurchase) },
};

export const isReference = (kind: unknown): kind is ReferenceKind => typeof kind === 'string' && Object.hasOwn(REFERENCES, kind);

export const expectedOf = (kind: ReferenceKind): string => REFERENCES[kind].expected;

/** Finds the object that an id of a field names: its service id, or undefined if there is none. */
export type FindReference = (kind: ReferenceKind, anyId: string, before: unknown) => string | undefined;

/** For bodies of requests. What an earlier release has stored may be sent again, also if it names nothing. */
export const referencesOf =
  (env: DecideEnv, of: OwnerOfCase): FindReference =>
  (kind, anyId, before) =>
    REFERENCES[kind].find(env, of, anyId) ?? ([before].flat().includes(anyId) ? anyId : undefined);

/** For cases that the service opens: it names service ids, also of objects that the same command makes. */
export const referencesOfService: FindReference = (_kind, anyId) => anyId;
