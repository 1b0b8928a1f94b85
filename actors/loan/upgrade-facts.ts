import { DESCRIPTIONS, withTextsApart, type Line } from './statements/activities.js';
import { LINE_TEXTS, type StatementRecord } from './statements/record.js';

/*
 * Facts of earlier releases as this one records them, so that personal data has fields of its own and can be sealed. Evolving reads both.
 */

type Body = Readonly<Record<string, unknown>>;

/** The body of a fact, also where it is part of another one. */
export function upgradeBody(type: string, body: unknown): unknown {
  const known = withoutDigits(body);
  return isObject(known) ? (BY_TYPE[type]?.(known) ?? known) : known;
}

/** An earlier release answered the cancellation of a loan with its external id. */
export const upgradeMessage = (message: string, loanId: string): string =>
  message.replace(/^The loan [^]+ is canceled\.$/, `The loan ${loanId} is canceled.`);

const BY_TYPE: Readonly<Record<string, (body: Body) => Body>> = {
  StatementIssued(body) {
    const { statement } = body;
    const upgraded = isStatement(statement) ? withLineTexts(statement) : statement;
    return upgraded === statement ? body : { ...body, statement: upgraded };
  },
  /** Free text was recorded in the field of the reason. */
  LedgerChanged(body) {
    const { change, reason } = body;
    const isText = isObject(change) && change['type'] === 'pastFeeCanceled' && reason != null;
    return isText ? { ...body, reason: null, writtenReason: reason } : body;
  },
};

type NewStatement = Pick<StatementRecord, 'activities'> & Partial<Pick<StatementRecord, typeof LINE_TEXTS>>;

/**
 * The names of single fees and the texts of purchases were among the descriptions. Without the state of the loan the name of a single fee
 * cannot be distinguished from that of its type: both become texts, which a statement shows instead of the description.
 */
function withLineTexts(statement: NewStatement): NewStatement {
  if (statement[LINE_TEXTS] !== undefined) return statement;
  const lines = statement.activities.map((line): Line => {
    const { kind, purchaseId, feeId, description: text } = line;
    const isText = (purchaseId !== undefined || feeId !== null) && text !== DESCRIPTIONS[kind];
    return isText ? { ...line, description: DESCRIPTIONS[kind], text } : line;
  });
  return lines.some(({ text }) => text !== undefined) ? { ...statement, ...withTextsApart(lines) } : statement;
}

/** Last digits of accounts and cards, which are with the borrower alone. Copies what has some, and nothing else. */
function withoutDigits(value: unknown): unknown {
  if (Array.isArray(value)) {
    const items: readonly unknown[] = value;
    const copies = items.map(withoutDigits);
    return copies.some((copy, at) => copy !== items[at]) ? copies : value;
  }
  if (!isObject(value)) return value;
  let copy: Record<string, unknown> | null = null;
  for (const [name, field] of Object.entries(value)) {
    const to = name === 'lastFour' ? null : name === 'body' ? ofPart(value, field) : withoutDigits(field);
    if (to !== field) (copy ??= { ...value })[name] = to;
  }
  return copy ?? value;
}

/** A fact within another one. */
const ofPart = ({ type }: Body, body: unknown): unknown => (typeof type === 'string' ? upgradeBody(type, body) : withoutDigits(body));

const isStatement = (value: unknown): value is NewStatement => isObject(value) && Array.isArray(value['activities']);

function isObject(value: unknown): value is Body {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
