import {
  balancesAsOf,
  type BalancesReply,
  type BalanceValue,
  type ChangedLine,
  compareLedgers,
  compareLines,
  type DrawBalancesReply,
  type LedgerLine,
  ledgerLines,
  type LedgerRange,
  type LoanState,
  loanStateOf,
  loanView,
  type LoanView,
  type Recomputed,
  type Tenant,
  toJsonText,
} from '../../actors/index.js';
import { type Day, day as dayFrom, must } from '../../engine/index.js';
import { isSame } from '../backup/verify-data.js';

/** A table for people: texts to the left, numbers to the right, one line a row. */
export function textTable(head: readonly string[], rows: readonly (readonly (string | number)[])[], indent = '  '): string {
  const shown = rows.map((row) => row.map((value) => (typeof value === 'number' ? value.toLocaleString('en-US') : value)));
  const widths = head.map((name, column) => Math.max(name.length, ...shown.map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[], index: number): string =>
    indent +
    cells
      .map((cell, column) => (isNumeric(rows, index, column) ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0)))
      .join('  ')
      .trimEnd();
  return [line(head, 0), indent + widths.map((width) => '-'.repeat(width)).join('  '), ...shown.map(line)].join('\n');
}

const NUMERIC = /^[-+]?[\d,.]+( ?(ms|s|%|x|us|MB|KB|B|\/s))?$/;

/** A column is numeric by its cell; the head follows its first row. */
function isNumeric(rows: readonly (readonly (string | number)[])[], index: number, column: number): boolean {
  const value = (rows[index] ?? rows[0])?.[column];
  return typeof value === 'number' || (typeof value === 'string' && NUMERIC.test(value));
}

/** `12,345.60` */
export const money = (amount: number): string => amount.toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 });

/** What `tenor loan …` prints for people. */

const BLOCKS = ['outstanding', 'nonDue', 'due', 'overdue', 'nonAccrual', 'chargedOff'] as const;
const PARTS = ['Total', 'Principal', 'Interest', 'Fees'] as const;

/** Balances as a table, one line a bucket, and below it what is owed when. */
function balanceTable(balances: BalancesReply): string {
  const { overdueDetails, paidBalances, reimbursementAmount, creditBalances, drawBalances = [] } = balances;
  return [
    blockTable(balances),
    '',
    facts([
      [
        'paid',
        paidBalances &&
          `${shown(paidBalances['paidTotalAmount'])}: principal ${shown(paidBalances['paidPrincipalAmount'])}, ` +
            `interest ${shown(paidBalances['paidInterestAmount'])}, fees ${shown(paidBalances['paidFeesAmount'])}, ` +
            `over ${shown(paidBalances['paidOverAmount'])}`,
      ],
      ['to be given back', shown(reimbursementAmount)],
      [
        'credit',
        creditBalances?.creditLimitAmount &&
          `limit ${shown(creditBalances.creditLimitAmount)}, used ${shown(creditBalances.utilizedAmount)}, ` +
            `held ${shown(creditBalances.heldAmount)}, available ${shown(creditBalances.availableCreditAmount)}`,
      ],
      [
        'overdue',
        overdueDetails &&
          (overdueDetails.isOverdue ? `${overdueDetails.daysOverdue} days, since ${overdueDetails.overdueSinceDate ?? ''}` : 'no'),
      ],
      ['next due', overdueDetails?.nextDueDate && `${shown(overdueDetails.nextDueAmount)} on ${overdueDetails.nextDueDate}`],
    ]),
    ...drawBalances.map((draw) => `\n  draw ${draw.drawId}\n${blockTable(draw)}`),
  ].join('\n');
}

function blockTable(balances: BalancesReply | DrawBalancesReply): string {
  const rows = BLOCKS.flatMap((block) => {
    const values = balances[`${block}Balances`];
    return values === undefined ? [] : [[block, ...PARTS.map((part) => shown(values[`${block}${part}Amount`]))]];
  });
  return textTable(['', ...PARTS.map((part) => part.toLowerCase())], rows);
}

/** A loan in a few lines. */
function loanTable({
  type,
  status,
  externalId,
  mainBorrowerId,
  loanTypeId,
  timestamps,
  endDate,
  lockStatus,
  migrationStatus,
  isClosed,
  chargedOffReason,
  cancellationReason,
  declineReason,
}: LoanView): string {
  return facts([
    ['type', `${type} of ${loanTypeId}`],
    ['external id', externalId],
    ['borrower', mainBorrowerId],
    [
      'status',
      [status, isClosed ? 'closed' : null, chargedOffReason, cancellationReason, declineReason]
        .filter((word) => typeof word === 'string')
        .join(', '),
    ],
    ['originated', timestamps.originatedAt],
    ['activated', timestamps.activatedAt],
    ['ends', endDate],
    ['lock', lockStatus],
    ['migration', migrationStatus],
  ]);
}

/** One line a name and value; names without a value are left out. */
function facts(named: readonly (readonly [string, string | null | undefined])[]): string {
  const width = Math.max(...named.map(([name]) => name.length));
  return named.flatMap(([name, value]) => (value ? [`  ${name.padEnd(width)}  ${value}`] : [])).join('\n');
}

/** A line of a ledger; in a comparison with its side. */
interface MarkedLine {
  readonly mark: '' | '-' | '+';
  readonly line: LedgerLine;
}

/** Consecutive days with the same accrual are one row, from the first day to the last. */
function ledgerTable(lines: readonly MarkedLine[]): string {
  const rows = runsOf(lines).map(({ first, last, days }) => {
    const { mark, line } = first;
    const movements = line.movements.map(({ bucket, component, amount }) => `${bucket} ${component} ${short(amount)}`).join(', ');
    return [
      `${mark}${line.effectiveDate} ${days === 1 ? line.effectiveTime : `to ${last.line.effectiveDate}`}`,
      line.entryType,
      days === 1 ? movements : `${days} days, each ${movements}`,
      short(last.line.balanceAfter),
      factText(line),
      line.rule,
    ];
  });
  return textTable(['effective', 'entry', 'movements', 'balance', 'fact', 'rule'], rows);
}

interface Run {
  readonly first: MarkedLine;
  readonly last: MarkedLine;
  readonly days: number;
}

function runsOf(lines: readonly MarkedLine[]): readonly Run[] {
  const runs: Run[] = [];
  for (const marked of lines) {
    const run = runs.at(-1);
    if (run !== undefined && goesOn(run.first, marked)) runs[runs.length - 1] = { ...run, last: marked, days: run.days + 1 };
    else runs.push({ first: marked, last: marked, days: 1 });
  }
  return runs;
}

/** Whether the day accrues the same as the first of its row. */
function goesOn({ mark, line }: MarkedLine, next: MarkedLine): boolean {
  return (
    mark === next.mark &&
    line.entryType === 'interestAccrual' &&
    next.line.entryType === 'interestAccrual' &&
    line.fact === null &&
    next.line.fact === null &&
    line.rule === next.line.rule &&
    JSON.stringify(line.movements) === JSON.stringify(next.line.movements)
  );
}

function factText({ fact }: LedgerLine): string {
  if (fact === null) return 'daily job';
  const what = `#${fact.number} ${fact.transactionId ?? fact.type} by ${fact.by.id}`;
  return fact.supersededBy === null ? what : `${what}, superseded by #${fact.supersededBy}`;
}

/** `15.39`; all ten decimals where a part of a cent is in it. */
const short = (unrounded: string): string => (unrounded.endsWith('00000000') ? unrounded.slice(0, -8) : unrounded);

/** As the interface prints it, without quotes. */
const shown = (value: BalanceValue | null | undefined): string => (value == null ? '' : short(toJsonText(value).replaceAll('"', '')));

/** The parts that reading a loan needs. */
type Scope = ReturnType<Recomputed['scope']>;

export interface FoundLoan {
  readonly tenant: Tenant;
  readonly state: LoanState;
  readonly scope: Scope;
}

/** The loans of a data folder that a service id or an `ext-` id names: an external id is unique in a company's mode only. */
export function findLoans({ world, scope }: Recomputed, anyId: string): readonly FoundLoan[] {
  return world.catalog.tenantsOf('loan').flatMap((tenant) => {
    const id = anyId.startsWith('ext-') ? world.catalog.findExternal(tenant, 'loan', anyId.slice(4)) : anyId;
    const actor = id === undefined ? undefined : world.find(tenant, 'loan', id);
    if (actor === undefined) return [];
    return [{ tenant, state: loanStateOf(actor), scope: scope(tenant, must(world.shardOf(actor.id), actor.id)) }];
  });
}

/** A question about a loan. Moments are on the company's clock; null means all that is known. */
export interface LoanQuestion {
  readonly day: Day | null;
  readonly knownAt: number | null;
  /** Of `diff`: the later moment; null means now. */
  readonly knownAtLater: number | null;
}

export interface LoanAnswer {
  /** For `--json`. */
  readonly json: string;
  readonly text: string;
  /** Whether the answer shows a fault. */
  readonly isFinding: boolean;
}

/** `tenor loan show`: the loan as the interface answers it, and its balances. */
export function show({ state, scope }: FoundLoan, question: LoanQuestion): LoanAnswer {
  const loan = loanView(state, scope);
  const balances = balancesAsOf(state, scope, rangeOf(state, question.day, question.knownAt));
  return {
    json: toJsonText({ loan, balances }),
    text: `${loanTable(loan)}${balances === null ? '' : `\n\n${balanceTable(balances)}`}`,
    isFinding: false,
  };
}

/** `tenor loan ledger`: every change of its balances, with the fact, the rule and the buckets behind it. */
export function ledger({ state, scope }: FoundLoan, { day, knownAt }: LoanQuestion): LoanAnswer {
  const lines = ledgerLines(state, scope, rangeOf(state, day, knownAt));
  return {
    json: toJsonText(lines),
    text: lines.length === 0 ? 'The loan has no ledger yet.' : ledgerTable(lines.map((line) => ({ mark: '', line }))),
    isFinding: false,
  };
}

/** `tenor loan replay`: the running ledger beside one that is computed from all facts at once. A difference is a finding. */
export function replay({ state, scope }: FoundLoan): LoanAnswer {
  const comparison = compareLedgers(state, scope);
  const isAlike = comparison === null || isSame(comparison.running, comparison.recomputed);
  const digests = comparison === null ? '' : `  running     ${comparison.running.digest}\n  recomputed  ${comparison.recomputed.digest}\n`;
  const verdict =
    comparison === null
      ? 'The loan has no ledger yet.'
      : isAlike
        ? 'Both ledgers are the same.'
        : 'The ledgers differ: the loan must not be served.';
  return { json: JSON.stringify({ ...comparison, isSame: isAlike }), text: `${digests}${verdict}`, isFinding: !isAlike };
}

/** `tenor loan as-of`: the balances at the end of a day, as they were known at a moment. */
export function asOf({ state, scope }: FoundLoan, { day, knownAt }: LoanQuestion): LoanAnswer {
  const balances = balancesAsOf(state, scope, rangeOf(state, day, knownAt));
  return { json: toJsonText(balances), text: balances === null ? 'The loan was not active.' : balanceTable(balances), isFinding: false };
}

/** `tenor loan diff`: what changed in the ledger between what was known at two moments. */
export function diff({ state, scope }: FoundLoan, { day, knownAt, knownAtLater }: LoanQuestion): LoanAnswer {
  const [before, after] = [knownAt, knownAtLater].map((moment) => ledgerLines(state, scope, rangeOf(state, day, moment)));
  const changed: readonly ChangedLine[] = compareLines(before ?? [], after ?? []);
  const text =
    changed.length === 0
      ? 'The ledgers are the same.'
      : ledgerTable(changed.map(({ in: where, line }) => ({ mark: where === 'before' ? '-' : '+', line })));
  return { json: toJsonText(changed), text, isFinding: false };
}

/** By default through the loan's last finished day. */
function rangeOf(state: FoundLoan['state'], day: Day | null, knownAt: number | null): LedgerRange {
  return { through: day ?? (state.servicing ?? state.line)?.summary.through ?? dayFrom(0), knownAt };
}
