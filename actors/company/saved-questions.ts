import type { tags } from 'typia';
import { type Declaration, recordsOf, type ResourceHost, type ResourceRecord } from '../kernel/resources/index.js';
import type { OffsetQuery } from '../list-order.js';
import type { DateTimeText, ShortText, Text } from '../wire.js';

/** A question in SQL that a lender has saved: it is among the reports of `GET /reports` by its name. */
interface SavedQuestion {
  readonly name: string;
  readonly title: string;
  readonly description: string | null;
  readonly sql: string;
}

type Name = string & tags.Pattern<'^[a-z][a-z0-9-]{0,49}$'>;
type Sql = string & tags.MinLength<1> & tags.MaxLength<20000>;

export interface SavedQuestionCreateBody {
  readonly name: Name;
  readonly title: ShortText & tags.MinLength<1>;
  readonly description?: Text | null;
  /** One SELECT over the views of `docs/views.md`, without personal columns. */
  readonly sql: Sql;
}

export type SavedQuestionUpdateBody = Partial<SavedQuestionCreateBody>;

export type SavedQuestionListQuery = OffsetQuery;

export interface SavedQuestionView extends SavedQuestion {
  readonly id: string;
  readonly object: 'savedQuestion';
  readonly companyId: string;
  readonly createdAt: DateTimeText;
  readonly updatedAt: DateTimeText | null;
  readonly deletedAt: null;
}

export const SAVED_QUESTION: Declaration<SavedQuestionCreateBody, SavedQuestionUpdateBody, SavedQuestion> = {
  type: 'savedQuestion',
  prefix: 'SQ',
  param: 'savedQuestionId',
  unique: [{ name: 'name', of: ({ name }) => name }],
  create: ({ name, title, description = null, sql }) => ({ name, title, description, sql }),
  change: (before, body) => ({ ...before, ...body }),
  view: (stored) => stored,
};

export const savedQuestionsOf = (host: ResourceHost): readonly ResourceRecord<SavedQuestion>[] => [
  ...recordsOf<SavedQuestion>(host, SAVED_QUESTION.type).values(),
];
