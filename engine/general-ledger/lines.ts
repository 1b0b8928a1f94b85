import { assert } from '../assert.js';
import { cents } from '../money/index.js';
import type { Role } from './chart.js';
import type { Dimensions, Line } from './entry.js';

/** What a rule yields for one account: debit positive. Zero is allowed and makes no line. */
export interface Posted {
  readonly role: Role;
  readonly amount: number;
  readonly dimensions?: Dimensions;
}

/** An account and its dimensions. */
export interface Account {
  readonly role: Role;
  readonly dimensions?: Dimensions;
}

export const debit = (role: Role, amount: number, dimensions?: Dimensions): Posted =>
  dimensions === undefined ? { role, amount } : { role, amount, dimensions };

export const credit = (role: Role, amount: number, dimensions?: Dimensions): Posted => debit(role, -amount, dimensions);

export const opposite = (posted: readonly Posted[]): readonly Posted[] => posted.map((one) => ({ ...one, amount: -one.amount }));

/** The lines of what a rule yields, with the line of an account that makes their sum zero. */
export function balancedBy(posted: readonly Posted[], { role, dimensions }: Account): readonly Line[] {
  const rest = posted.reduce((sum, { amount }) => sum + amount, 0);
  return asLines([...posted, credit(role, rest, dimensions)]);
}

/** Lines that sum to zero already: of one amount between two accounts, or of amounts of which one was computed as the rest. */
export function asLines(posted: readonly Posted[]): readonly Line[] {
  const lines = new Map<string, Line>();
  for (const { role, amount, dimensions = NONE } of posted) addAmount(lines, { role, dimensions }, amount);
  return asBalanced([...lines.values()]);
}

const NONE: Dimensions = {};

/** Each property by its name: this is done for each account of each day, and a spread costs more than the rest of it. */
function addAmount(lines: Map<string, Line>, account: Pick<Line, 'role' | 'dimensions' | 'owner'>, added: number): void {
  const key = accountKey(account);
  const sum = (lines.get(key)?.amount ?? 0) + added;
  if (sum === 0) {
    lines.delete(key);
    return;
  }
  const { role, dimensions, owner } = account;
  const amount = cents(sum);
  lines.set(key, owner === undefined ? { role, dimensions, amount } : { role, dimensions, amount, owner });
}

/** The account of a line as text: its role, its dimensions in the order of their names, and the owner of the general ledger. */
export function accountKey({ role, dimensions, owner }: Pick<Line, 'role' | 'dimensions' | 'owner'>): string {
  if (dimensions === NONE) return owner === undefined ? role : `${role}|@${owner}`;
  const named = Object.entries(dimensions).filter(([, value]) => value !== undefined);
  const sorted = named.sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, value]) => `${name}=${value}`);
  return [role, ...sorted, ...(owner === undefined ? [] : [`@${owner}`])].join('|');
}

/** The one assertion where entries are made. */
function asBalanced(lines: readonly Line[]): readonly Line[] {
  const sum = lines.reduce((total, { amount }) => total + amount, 0);
  assert(sum === 0, `lines of an entry sum to ${sum}`);
  return lines;
}

/** `after` minus `before`, account by account. Both sum to zero, so the difference does. */
export function lineDifference(before: readonly Line[], after: readonly Line[]): readonly Line[] {
  if (areEqual(before, after)) return NO_LINES;
  const lines = new Map<string, Line>();
  for (const line of after) addAmount(lines, line, line.amount);
  for (const line of before) addAmount(lines, line, -line.amount);
  return asBalanced([...lines.values()]);
}

const NO_LINES: readonly Line[] = [];

/** Most of what is compared is the same, line by line. */
const areEqual = (a: readonly Line[], b: readonly Line[]): boolean =>
  a.length === b.length &&
  a.every((line, at) => {
    const other = b[at];
    return other !== undefined && line.amount === other.amount && (line === other || accountKey(line) === accountKey(other));
  });
