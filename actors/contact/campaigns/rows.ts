import { isRecord, type Subject } from '../../../engine/index.js';
import type { SendRequest } from '../sending/index.js';

/*
 * What the columns of a campaign's query say. Names are read without regard to case, as SQL has them.
 */

export type ListCell = string | number | boolean | null;

/** The list that a query has given. */
export interface QueryList {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly ListCell[])[];
}

/** What the subject of a bulk sender needs besides the borrower. */
interface Needs {
  readonly loan: boolean;
  readonly context: readonly string[];
}

const OVERDUE: Needs = { loan: true, context: ['overdueAmount', 'daysOverdue', 'paymentDueDate'] };

const NEEDS: Partial<Readonly<Record<Subject, Needs>>> = {
  paymentDueDateReminder: { loan: true, context: ['paymentAmount', 'paymentDueDate'] },
  loanOverdueFirstNotice: OVERDUE,
  loanOverdueSecondNotice: OVERDUE,
  loanOverdueThirdNotice: OVERDUE,
  loanOverdueFourthNotice: OVERDUE,
  loanOverdueFifthNotice: OVERDUE,
  loanOverdueSixthNotice: OVERDUE,
  autopayPaymentReminder: { loan: true, context: ['paymentAmount', 'paymentDate', 'paymentMethod', 'paymentMethodLastFour'] },
  autopayAmountChanged: { loan: true, context: ['paymentAmount', 'extraCharge', 'paymentDueDate'] },
  futurepayPaymentDueReminder: { loan: true, context: ['paymentAmount', 'paymentDate'] },
  loginFirstPaymentReminder: { loan: true, context: ['paymentDueDate'] },
  autopayEnableReminder: { loan: true, context: ['paymentDueDate'] },
  loanRightToCurePersonalUnsecured: { loan: true, context: ['overdueAmount', 'cureByDate'] },
  cardExpiresReminder: { loan: false, context: ['cardLastFour', 'expirationMonth', 'expirationYear'] },
};

const CONTEXT_PREFIX = 'context_';

/** The columns of a list by their names. */
export class ListColumns {
  readonly #at: ReadonlyMap<string, number>;
  /** Variables, each by the name that the query has given it. */
  readonly context: readonly (readonly [name: string, at: number])[];

  constructor(readonly columns: readonly string[]) {
    this.#at = new Map(columns.map((name, at) => [name.toLowerCase(), at]));
    this.context = columns.flatMap((name, at) =>
      name.toLowerCase().startsWith(CONTEXT_PREFIX) ? [[name.slice(CONTEXT_PREFIX.length), at] as const] : [],
    );
  }

  has(name: string): boolean {
    return this.#at.has(name.toLowerCase());
  }

  of(row: readonly ListCell[], name: string): ListCell {
    const at = this.#at.get(name.toLowerCase());
    return at === undefined ? null : (row[at] ?? null);
  }

  /** Columns that a subject needs and the query has not. A column `context` may hold any variable: its rows are looked at one by one. */
  missingFor(subject: Subject): readonly string[] {
    const needs = NEEDS[subject];
    const wanted = ['borrowerId', ...(needs?.loan === true ? ['loanId'] : [])];
    const variables = this.has('context') ? [] : (needs?.context ?? []).map((name) => `${CONTEXT_PREFIX}${name}`);
    return [...wanted, ...variables].filter((name) => !this.has(name));
  }
}

/** Why a row cannot be sent. */
export interface RowFault {
  readonly reason: string;
}

/** A row as the body of a send, without its channel. */
export interface RowOrder {
  readonly borrowerId: string;
  readonly request: Omit<SendRequest, 'personId' | 'channel' | 'subject' | 'theme'>;
}

export const textOfCell = (cell: ListCell): string | null => (cell === null || cell === '' ? null : String(cell));

const TEXTS = ['caseId', 'contactId', 'loanId', 'previousInteractionId', 'statementId', 'useTemplate', 'interactionExternalId'] as const;
const LONGEST_ID = 300;
const LONGEST_EXTERNAL_ID = 50;

/** What a row asks to be sent. */
export function orderOfRow(columns: ListColumns, row: readonly ListCell[], subject: Subject): RowOrder | RowFault {
  const borrowerId = textOfCell(columns.of(row, 'borrowerId'));
  if (borrowerId === null) return { reason: 'The row names no borrower.' };
  const texts: Record<string, string> = {};
  for (const name of TEXTS) {
    const text = textOfCell(columns.of(row, name));
    if (text === null) continue;
    const most = name === 'interactionExternalId' ? LONGEST_EXTERNAL_ID : LONGEST_ID;
    if (text.length > most) return { reason: `${name} has more than ${most} characters.` };
    texts[name] = text;
  }
  const transactional = flagOf(columns.of(row, 'isTransactional'));
  if (transactional === undefined) return { reason: 'isTransactional is neither true nor false.' };
  const sendAt = momentOf(columns.of(row, 'sendAt'));
  if (sendAt === undefined) return { reason: 'sendAt is no date and time.' };
  const context = contextOf(columns, row);
  if ('reason' in context) return context;
  const missing = missingIn(context, subject);
  if (missing.length > 0) return { reason: `The row lacks ${missing.join(', ')}.` };
  return {
    borrowerId,
    request: {
      ...texts,
      ...(transactional === null ? {} : { isTransactional: transactional }),
      ...(sendAt === null ? {} : { sendAt }),
      context: context.variables,
    },
  };
}

function flagOf(cell: ListCell): boolean | null | undefined {
  if (cell === null || cell === '') return null;
  if (typeof cell === 'boolean') return cell;
  const text = String(cell).toLowerCase();
  return text === 'true' || text === '1' ? true : text === 'false' || text === '0' ? false : undefined;
}

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/;

/** ISO 8601, or a timestamp of SQL, which is in UTC. */
function momentOf(cell: ListCell): string | null | undefined {
  const text = textOfCell(cell);
  if (text === null) return null;
  const iso = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d+)?$/.test(text) ? `${text.replace(' ', 'T')}Z` : text;
  return INSTANT.test(iso) && !Number.isNaN(Date.parse(iso)) ? iso : undefined;
}

type Variables = Readonly<Record<string, unknown>>;

function contextOf(columns: ListColumns, row: readonly ListCell[]): { readonly variables: Variables } | RowFault {
  const text = textOfCell(columns.of(row, 'context'));
  let variables: Record<string, unknown> = {};
  if (text !== null) {
    const parsed = objectOf(text);
    if (parsed === null) return { reason: 'context is no JSON object.' };
    variables = { ...parsed };
  }
  for (const [name, at] of columns.context) {
    const cell = row[at] ?? null;
    if (cell !== null) variables[name] = cell;
  }
  return { variables };
}

function objectOf(text: string): Variables | null {
  try {
    const parsed: unknown = JSON.parse(text);
    return isRecord(parsed) && !Array.isArray(parsed) ? parsed : null;
  } catch {
    return null; // the reason of the row says it
  }
}

function missingIn({ variables }: { readonly variables: Variables }, subject: Subject): readonly string[] {
  const needed = NEEDS[subject]?.context ?? [];
  return needed.filter((name) => !Object.hasOwn(variables, name)).map((name) => `${CONTEXT_PREFIX}${name}`);
}
