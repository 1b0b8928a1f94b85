import type { Cents } from '../../../engine/index.js';
import { cents, must } from '../../../engine/index.js';
import { Refusal } from '../../errors.js';
import type { ServiceCalls } from '../../kernel/jobs/service-calls.js';
import type { OpenPayout, OpenPayoutQuery, PayoutsReported, ReportedPayout } from '../../loan/index.js';
import { type BankEntry, type EntryResult, NO_TARGET } from './entries.js';

/** Entries of one statement that are looked for at loans. */
const MOST_PAYOUTS = 10_000;

/** The id of a payout, as the lender has put it into the reference of its transfer. */
const NAMED = /\b(LN-[0-9A-Z]{4}-[0-9A-Z]{4})-\d{1,9}\b/;

interface NamedPayout {
  readonly loanId: string;
  readonly payoutId: string;
}

/** The payout that an entry names in its references or its text; null: none. */
function payoutNamedIn({ references, text }: Pick<BankEntry, 'references' | 'text'>): NamedPayout | null {
  for (const each of [...references, text]) {
    const found = NAMED.exec(each);
    if (found !== null) return { payoutId: found[0], loanId: found[1] ?? '' };
  }
  return null;
}

/** The loan of a payout. */
export const loanOfPayout = (payoutId: string): string => payoutNamedIn({ references: [payoutId], text: '' })?.loanId ?? '';

interface Matching {
  readonly calls: ServiceCalls;
  readonly bankStatementId: string;
  readonly entries: readonly BankEntry[];
}

/** Finds payouts, and money of payouts that came back, among entries that nothing else explains. */
export async function withPayouts(
  { calls, bankStatementId, entries }: Matching,
  results: readonly EntryResult[],
  mayMatch: (entry: BankEntry) => boolean,
): Promise<readonly EntryResult[]> {
  const byNumber = new Map(entries.map((entry) => [entry.number, entry]));
  /** What entries of this statement have moved already, by payout. */
  const moved = new Map<string, number>();
  const matched: EntryResult[] = [];
  let asked = 0;
  for (const result of results) {
    const entry = must(byNumber.get(result.number), 'a result is of an entry');
    const named = result.status === 'unexpected' && mayMatch(entry) && asked < MOST_PAYOUTS ? payoutNamedIn(entry) : null;
    const open = named === null ? null : await openOf(calls, { ...named, bankStatementId });
    if (named !== null) asked += 1;
    const by = named === null || open === null ? null : explained(entry.amountCents, open, moved.get(named.payoutId) ?? 0);
    if (named === null || by === null) {
      matched.push(result);
      continue;
    }
    moved.set(named.payoutId, (moved.get(named.payoutId) ?? 0) - entry.amountCents);
    const status = by === entry.amountCents ? 'matched' : 'differentAmount';
    matched.push({ ...result, status, by: 'reference', expectedCents: by, target: { ...NO_TARGET, ...named } });
  }
  return matched;
}

/** What the bank should have booked instead of an amount; null: nothing of the payout is open. */
function explained(amountCents: Cents, { amountCents: sent, bookedCents }: OpenPayout, moved: number): Cents | null {
  const paid = bookedCents + moved;
  const expected = amountCents < 0 ? paid - sent : Math.max(paid, 0);
  return expected === 0 || expected < 0 !== amountCents < 0 ? null : cents(expected);
}

async function openOf(
  calls: ServiceCalls,
  { loanId, payoutId, bankStatementId }: NamedPayout & Pick<OpenPayoutQuery, 'bankStatementId'>,
): Promise<OpenPayout | null> {
  try {
    return await calls.query<OpenPayout | null>('payout.open', loanId, { payoutId, bankStatementId } satisfies OpenPayoutQuery);
  } catch (cause) {
    // The text names a loan that the company does not have.
    if (cause instanceof Refusal && cause.errorType === 'notFound') return null;
    throw cause;
  }
}

/** Reports to loans what a statement says of their payouts, also to those of which it says nothing any more. */
export async function reportPayouts(
  { calls, bankStatementId, entries }: Matching,
  before: readonly EntryResult[],
  after: readonly EntryResult[],
): Promise<void> {
  const byNumber = new Map(entries.map((entry) => [entry.number, entry]));
  const byLoan = new Map<string, ReportedPayout[]>();
  for (const { target } of before) if (target.payoutId != null && target.loanId !== null) byLoan.set(target.loanId, []);
  for (const { number, target } of after) {
    if (target.payoutId == null || target.loanId === null) continue;
    const { amountCents, day } = must(byNumber.get(number), 'a result is of an entry');
    const known = byLoan.get(target.loanId) ?? [];
    byLoan.set(target.loanId, [...known, { entry: number, payoutId: target.payoutId, amountCents, day }]);
  }
  for (const [loanId, reported] of byLoan) {
    const body: PayoutsReported = { bankStatementId, entries: reported };
    await calls.command({ type: 'payout.reported', target: loanId, body });
  }
}
