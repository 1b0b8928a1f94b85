import {
  type BalancesReply,
  type BalanceValue,
  type DrawBalancesReply,
  type LedgerLine,
  type LoanView,
  toJsonText,
} from '../../actors/index.js';
import { textTable } from './text-table.js';

/** What `tenor loan …` prints for people. */

const BLOCKS = ['outstanding', 'nonDue', 'due', 'overdue', 'nonAccrual', 'chargedOff'] as const;
const PARTS = ['Total', 'Principal', 'Interest', 'Fees'] as const;

/** Balances as a table, one line a bucket, and below it who owes when. */
export function balanceTable(balances: BalancesReply): string {
  const { overdueDetails, paidBalances, reimbursementAmount, creditBalances, drawBalances = [] } = balances;
  return [
    blockTable(balances),
    '',
    facts([
      [
        'paid',
        paidBalances &&
          `${shown(paidBalances['paidTotalAmount'])}: principal ${shown(paidBalances['paidPrincipalAmount'])}, interest ${shown(paidBalances['paidInterestAmount'])}, fees ${shown(paidBalances['paidFeesAmount'])}, over ${shown(paidBalances['paidOverAmount'])}`,
      ],
      ['to be given back', shown(reimbursementAmount)],
      [
        'credit',
        creditBalances?.creditLimitAmount &&
          `limit ${shown(creditBalances.creditLimitAmount)}, used ${shown(creditBalances.utilizedAmount)}, held ${shown(creditBalances.heldAmount)}, available ${shown(creditBalances.availableCreditAmount)}`,
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

/** What a loan is, in a few lines. */
export function loanTable({
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

/** Name and value a line; what has no value is left out. */
function facts(named: readonly (readonly [string, string | null | undefined])[]): string {
  const width = Math.max(...named.map(([name]) => name.length));
  return named.flatMap(([name, value]) => (value ? [`  ${name.padEnd(width)}  ${value}`] : [])).join('\n');
}

/** A line of a ledger, and in a comparison on which side of it. */
export interface MarkedLine {
  readonly mark: '' | '-' | '+';
  readonly line: LedgerLine;
}

/** A run of days that accrue the same is one row, from its first day to its last. */
export function ledgerTable(lines: readonly MarkedLine[]): string {
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

/** Another day that accrues what the first of the run did. */
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
