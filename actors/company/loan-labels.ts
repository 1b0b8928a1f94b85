import type { tags } from 'typia';
import type { Declaration } from '../declared/index.js';
import { type DateTimeText, type ExternalId, millisecondsOf, type ShortText, type Text } from '../wire.js';

/** A label that loans may carry (loans 3). Deleting it takes it off all loans. */
export interface LoanLabel {
  readonly externalId: string | null;
  readonly name: string;
  readonly description: string | null;
}

export interface LoanLabelCreateBody {
  readonly externalId?: ExternalId | null;
  readonly name: ShortText & tags.MinLength<1>;
  readonly description?: Text | null;
}

export interface LoanLabelUpdateBody {
  readonly externalId?: ExternalId | null;
  readonly name?: ShortText & tags.MinLength<1>;
  readonly description?: Text | null;
}

export interface LoanLabelListQuery {
  readonly createdBefore?: DateTimeText;
  readonly createdAfter?: DateTimeText;
}

export interface LoanLabelView {
  readonly id: string;
  readonly object: 'loanLabel';
  readonly externalId: string | null;
  readonly name: string;
  readonly description: string | null;
  readonly createdAt: DateTimeText;
  readonly updatedAt: DateTimeText | null;
  readonly deletedAt: null;
}

export const LOAN_LABEL: Declaration<LoanLabelCreateBody, LoanLabelUpdateBody, LoanLabel> = {
  type: 'loanLabel',
  prefix: 'LL',
  param: 'labelId',
  unique: [
    { name: 'externalId', of: ({ externalId }) => externalId },
    { name: 'name', of: ({ name }) => name },
  ],
  create: ({ externalId = null, name, description = null }) => ({ externalId, name, description }),
  change: (before, body) => ({ ...before, ...body }),
  matches({ createdAt }, query) {
    const { createdBefore, createdAfter } = query as LoanLabelListQuery;
    if (createdBefore !== undefined && createdAt >= millisecondsOf(createdBefore)) return false;
    return createdAfter === undefined || createdAt > millisecondsOf(createdAfter);
  },
  view: (stored) => stored,
};
