import { setImmediate } from 'node:timers/promises';
import {
  type BookedMoney,
  type Cents,
  cents,
  type Day,
  ExpectedIndex,
  type ExpectedMoney,
  formatDay,
  isMissingOn,
  must,
  ZERO,
} from '../../../engine/index.js';
import {
  type CompanyState,
  type FundingInstrument,
  fundingInstrumentsOf,
  type ProcessorRecord,
  recordedBalance,
} from '../../company/index.js';
import { noteDifferences } from '../bank-day.js';
import type { OpenDifferences } from '../reconciliation/index.js';
import type { StatementMatchedBody } from './commands.js';
import { differencesOf, explainedBy, type MatchOutcome, unexplainedDifference } from './differences.js';
import { type BankEntry, type EntryResult, NO_TARGET, packStatement, unpackEntryList, unpackResults } from './entries.js';
import { EARLIER_DAYS, type Expected, ExpectedOfAccount, type FoundByOthers } from './expected.js';
import { reportPayouts, withPayouts } from './payouts.js';
import type { StatementWorkParts } from './ports.js';
import { receiptMoves } from './receipts.js';
import type { BankStatementState, HandMatch, MatchCounts } from './statement.js';
import type { BankStatementWork, StatementSpan } from './view.js';

interface Setting {
  readonly company: CompanyState;
  readonly processor: ProcessorRecord;
  readonly today: Day;
  readonly spans: readonly StatementSpan[];
}

/** What other statements have found: money that is not found twice, and entries that are not booked twice. */
interface Found extends FoundByOthers {
  readonly entryKeys: ReadonlySet<string>;
  readonly notedKeys: ReadonlySet<string>;
}

/** One matching of one statement: the same entries and the same expected money give the same result, whenever it runs. */
export class StatementMatching {
  constructor(
    private readonly parts: StatementWorkParts,
    private readonly setting: Setting,
  ) {}

  /** The statements behind a withdrawn one book what it had booked; its differences are resolved. */
  async withdraw(withdrawn: StatementSpan): Promise<void> {
    const { state, results } = await this.#work(withdrawn.id);
    await this.#resolveAll(new Map(state.notedKeys.map((key) => [key, 'The bank statement was withdrawn.'])));
    const known = results === null ? [] : unpackResults(await this.parts.contents.get(results));
    await reportPayouts({ calls: this.parts.calls, bankStatementId: withdrawn.id, entries: [] }, known, []);
    const behind = this.setting.spans.filter(
      ({ fundingInstrumentId, createdStamp }) =>
        fundingInstrumentId === withdrawn.fundingInstrumentId && createdStamp > withdrawn.createdStamp,
    );
    for (const { id, throughDay, hasContents } of behind)
      if (hasContents && throughDay - withdrawn.fromDay <= EARLIER_DAYS) await this.run(id);
    await this.parts.calls.command({ type: 'bankStatement.withdrawalApplied', target: withdrawn.id, body: {} });
  }

  async run(id: string): Promise<void> {
    const { state, entries: content, results: before } = await this.#work(id);
    if (content === null) return; // its time is over
    const entries = unpackEntryList(await this.parts.contents.get(content));
    const found = await this.#found(state);
    const outcome = await this.#match(state, entries, found);
    const differences = differencesOf(state, entries, outcome, found.notedKeys);
    const balance = await this.#balance(state, entries, outcome);
    if (balance.unexplainedCents !== 0 && !state.notedKeys.includes(`${id}/balance`))
      differences.push(unexplainedDifference(state, balance.unexplainedCents));
    const packed = packStatement(outcome.results);
    const counts = countsOf(outcome);
    const receipts = receiptMoves(state, entries, outcome.results, await this.#settled(state));
    const isSame =
      before !== null &&
      !state.isOpen &&
      differences.length === 0 &&
      receipts.length === 0 &&
      packed.equals(Buffer.from(await this.parts.contents.get(before)));
    if (isSame && JSON.stringify([counts, balance]) === JSON.stringify([state.counts, state.balance])) return;
    const { processor, today } = this.setting;
    // Differences have keys, so that a second try after a failure counts none twice on a day.
    if (differences.length > 0) await noteDifferences(this.parts, processor.id, today, differences);
    if (state.counts === null) await this.#recordBalance(state);
    await this.#resolveAll(explainedBy(state, outcome, balance));
    const known = before === null ? [] : unpackResults(await this.parts.contents.get(before));
    await reportPayouts({ calls: this.parts.calls, bankStatementId: id, entries }, known, outcome.results);
    const body: StatementMatchedBody = {
      results: await this.parts.contents.put(packed),
      counts,
      balance,
      notedKeys: differences.map(({ key }) => key),
      receipts,
    };
    await this.parts.calls.command({ type: 'bankStatement.matched', target: id, body });
    if (before !== null) await this.parts.contents.drop(before.contentId);
  }

  async #match(state: BankStatementState, entries: readonly BankEntry[], found: Found): Promise<MatchOutcome> {
    const { from, through } = spanOf(state);
    const account = this.#account(state);
    const search = new ExpectedOfAccount(this.parts, account, { from, through });
    const isKnown = (entry: BankEntry): boolean => found.entryKeys.has(entry.key);
    const toMatch = entries.filter((entry) => !isKnown(entry) && state.byHand[entry.number] === undefined);
    let expected = await search.find({ withParts: false, found });
    let index = this.#indexOf(expected, entries, state, found);
    let matches = await inSteps(index.matching(toMatch.map(booked)));
    // Banks that index entry by entry: sums are divided only where something has no home.
    const isOdd = matches.some((match) => match.result !== 'matched' || match.by === 'amount');
    if (isOdd || namesUnknown(state, expected) || this.#hasMissing(index, expected, state)) {
      expected = await search.find({ withParts: true, found });
      index = this.#indexOf(expected, entries, state, found);
      matches = await inSteps(index.matching(toMatch.map(booked)));
    }
    const byNumber = new Map(matches.map((match) => [match.id, match]));
    const matched = entries.map((entry): EntryResult => {
      const common = { number: entry.number, entryKey: entry.key, note: null };
      const nothing = { ...common, by: null, key: null, expectedCents: null, target: NO_TARGET };
      if (isKnown(entry)) return { ...nothing, status: 'duplicate' };
      const hand = state.byHand[entry.number];
      if (hand !== undefined) return hand === null ? { ...nothing, status: 'unexpected' } : byHand(entry, hand, index, expected);
      const match = byNumber.get(String(entry.number));
      if (match === undefined || match.result === 'unexpected') return { ...nothing, status: 'unexpected' };
      const money = must(index.ofKey(match.key), 'what was matched is expected');
      const target = expected.targets.get(match.key) ?? NO_TARGET;
      const by = match.result === 'matched' ? match.by : 'reference';
      return { ...common, status: match.result, by, key: match.key, expectedCents: money.amountCents, target };
    });
    const asked = { calls: this.parts.calls, bankStatementId: state.id, entries };
    const results = await withPayouts(asked, matched, ({ number }) => state.byHand[number] === undefined);
    // As of the end of the statement: what came later was still on its way.
    const atEnd = new ExpectedIndex(expected.money, this.parts.calendar);
    for (const key of [...found.moneyKeys, ...results.flatMap(({ key: own }) => own ?? [])]) atEnd.use(key);
    const open = this.#open(index, expected);
    return {
      results,
      targets: expected.targets,
      inTransit: this.#open(atEnd, expected).filter(({ dueDay }) => dueDay <= through && dueDay >= this.#firstDay(state)),
      missing: this.#missing(open, state),
    };
  }

  /** What other statements have found is not found again; nor is what a person has named. */
  #indexOf(expected: Expected, entries: readonly BankEntry[], state: BankStatementState, { moneyKeys, laterKeys }: Found): ExpectedIndex {
    const index = new ExpectedIndex(expected.money, this.parts.calendar);
    for (const key of [...moneyKeys, ...laterKeys]) index.use(key);
    for (const { number, amountCents } of entries) {
      const hand = state.byHand[number];
      if (hand != null) index.use(keyOfHand(hand, amountCents, index, expected));
    }
    return index;
  }

  #open(index: ExpectedIndex, { demanded }: Expected): readonly ExpectedMoney[] {
    return index.open().filter(({ key }) => demanded.has(key) || demanded.has(rootOf(key, demanded)));
  }

  #hasMissing(index: ExpectedIndex, expected: Expected, state: BankStatementState): boolean {
    return this.#missing(this.#open(index, expected), state).length > 0;
  }

  /** What was due before the first statement of the account is not looked for. */
  #missing(open: readonly ExpectedMoney[], state: BankStatementState): readonly ExpectedMoney[] {
    const first = this.#firstDay(state);
    return open.filter((money) => money.dueDay >= first && isMissingOn(money, spanOf(state).through, this.parts.calendar));
  }

  #firstDay({ fundingInstrumentId, fromDay }: BankStatementState): number {
    const own = this.setting.spans.filter((span) => span.fundingInstrumentId === fundingInstrumentId);
    return own.reduce((least, span) => Math.min(least, span.fromDay), fromDay ?? Infinity);
  }

  #account({ fundingInstrumentId }: BankStatementState): ConstructorParameters<typeof ExpectedOfAccount>[1] {
    const { company, processor } = this.setting;
    const accounts = fundingInstrumentsOf(company, processor.id);
    const instrument = must(
      accounts.find(({ id }) => id === fundingInstrumentId),
      'the account of a statement is not archived',
    ).stored;
    const overlaps = ({ purpose }: FundingInstrument): boolean =>
      purpose === 'both' || instrument.purpose === 'both' || purpose === instrument.purpose;
    const isAlone = accounts.every(({ id, stored }) => id === fundingInstrumentId || stored.status !== 'active' || !overlaps(stored));
    return { processor, instrument, isAlone };
  }

  async #found(state: BankStatementState): Promise<Found> {
    const { from, through } = spanOf(state);
    const near = this.setting.spans.filter(
      (span) =>
        span.id !== state.id &&
        span.processorId === state.processorId &&
        span.throughDay >= from - EARLIER_DAYS &&
        span.fromDay <= through + EARLIER_DAYS,
    );
    const [moneyKeys, laterKeys, entryKeys] = [new Set<string>(), new Set<string>(), new Set<string>()];
    const notedKeys = new Set<string>(state.notedKeys);
    for (const span of near) {
      const { state: other, results } = await this.#work(span.id);
      for (const key of other.notedKeys) notedKeys.add(key);
      if (results === null) continue;
      const isBefore = span.createdStamp < state.createdStamp && span.fundingInstrumentId === state.fundingInstrumentId;
      for (const { key, entryKey, status } of unpackResults(await this.parts.contents.get(results))) {
        if (key !== null) (span.throughDay > through ? laterKeys : moneyKeys).add(key);
        if (isBefore && status !== 'duplicate') entryKeys.add(entryKey);
      }
    }
    return { moneyKeys, laterKeys, entryKeys, notedKeys };
  }

  /** The closing balance is compared with the balance before and all that was due since. */
  async #balance(
    state: BankStatementState,
    entries: readonly BankEntry[],
    { results, inTransit }: MatchOutcome,
  ): Promise<NonNullable<BankStatementState['balance']>> {
    const inTransitCents = sumOf(inTransit.map(({ amountCents }) => amountCents));
    const before = await this.#balanceBefore(state);
    const base = before ?? state.openingCents;
    if (state.closingCents === null || base === null) return { expectedCents: null, inTransitCents, unexplainedCents: ZERO };
    const isFresh = results.map(({ status }) => before === null || status !== 'duplicate');
    const bookedCents = sumOf(entries.filter((_, at) => isFresh[at]).map(({ amountCents }) => amountCents));
    const foundCents = sumOf(results.map(({ status, expectedCents }) => (status === 'unexpected' ? ZERO : (expectedCents ?? ZERO))));
    const duplicateCents =
      before === null ? sumOf(entries.filter((_, at) => results[at]?.status === 'duplicate').map(({ amountCents }) => amountCents)) : ZERO;
    return {
      expectedCents: cents(base + foundCents + duplicateCents + inTransitCents),
      inTransitCents,
      unexplainedCents: cents(state.closingCents - base - bookedCents || 0),
    };
  }

  /** Of the statement that ends last before this one; else of the newest balance that was recorded before it. */
  async #balanceBefore(state: BankStatementState): Promise<Cents | null> {
    const { from, through } = spanOf(state);
    const earlier = this.setting.spans
      .filter(
        (span) =>
          span.id !== state.id &&
          span.fundingInstrumentId === state.fundingInstrumentId &&
          (span.throughDay < through || (span.throughDay === through && span.createdStamp < state.createdStamp)),
      )
      .toSorted((one, other) => other.throughDay - one.throughDay || other.createdStamp - one.createdStamp);
    for (const { id } of earlier) {
      const { closingCents } = (await this.#work(id)).state;
      if (closingCents !== null) return closingCents;
    }
    return recordedBalance(this.setting.company, state.fundingInstrumentId, from);
  }

  /** Entries whose difference a person has resolved: they are no money of loans. */
  async #settled({ id, notedKeys }: BankStatementState): Promise<(number: number) => boolean> {
    const query = { processorId: this.setting.processor.id };
    const open = await this.parts.calls.query<readonly OpenDifferences[]>('reconciliation.openKeys', null, query);
    const [noted, unresolved] = [new Set(notedKeys), new Set(open.flatMap(({ keys }) => keys))];
    return (number) => {
      const keys = [`${id}/${number}`, `${id}/${number}/unmatched`].filter((key) => noted.has(key));
      return keys.length > 0 && keys.every((key) => !unresolved.has(key));
    };
  }

  /** Resolves differences that were recorded, by their keys. */
  async #resolveAll(explained: ReadonlyMap<string, string>): Promise<void> {
    const { processor } = this.setting;
    const open = await this.parts.calls.query<readonly OpenDifferences[]>('reconciliation.openKeys', null, { processorId: processor.id });
    for (const { id, keys } of open) {
      for (const itemId of keys) {
        const resolution = explained.get(itemId);
        if (resolution !== undefined)
          await this.parts.calls.command({ type: 'reconciliation.resolve', target: id, body: { itemId, resolution } });
      }
    }
  }

  /** The closing balance is a recorded balance of the account, too. */
  async #recordBalance({
    id,
    processorId,
    fundingInstrumentId,
    closingCents,
    availableCents,
    throughDay,
  }: BankStatementState): Promise<void> {
    if (closingCents === null || throughDay === null) return;
    await this.parts.calls.command({
      type: 'fundingAccountBalance.create',
      target: this.parts.tenant.company,
      params: { paymentProcessorId: processorId },
      key: `bank-statement-${id}`,
      body: {
        fundingInstrumentId,
        balanceDate: formatDay(throughDay),
        currentAmount: closingCents / 100,
        availableAmount: availableCents === null ? null : availableCents / 100,
      },
    });
  }

  #work(id: string): Promise<BankStatementWork> {
    return this.parts.calls.query<BankStatementWork>('bankStatement.work', id);
  }
}

/** Requests of others are answered between the steps. */
async function inSteps<Result>(steps: Generator<void, Result>): Promise<Result> {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
    await setImmediate();
  }
}

const spanOf = ({ fromDay, throughDay }: BankStatementState): { readonly from: Day; readonly through: Day } => ({
  from: must(fromDay, 'a statement has a first day'),
  through: must(throughDay, 'a statement has a last day'),
});

const booked = ({ number, amountCents, day, references, text }: BankEntry): BookedMoney => ({
  id: String(number),
  amountCents,
  day,
  references,
  text,
});

const sumOf = (amounts: readonly Cents[]): Cents => cents(amounts.reduce((sum, each) => sum + each, 0));

/** Keys of parts begin with that of their file. */
const rootOf = (key: string, demanded: ReadonlySet<string>): string => {
  const [file = ''] = key.split('/');
  return demanded.has(`${file}/debit`) ? `${file}/debit` : `${file}/credit`;
};

/** Whether a person has named a transaction that may be part of a file. */
const namesUnknown = ({ byHand: hands }: BankStatementState, { targets }: Expected): boolean =>
  Object.values(hands).some((hand) => hand !== null && hand.transactionId !== null && !targets.has(hand.transactionId));

/** A file is debits or credits, whichever the entry can be. A transaction is itself, or the entry of a file that goes the same way. */
function keyOfHand(hand: HandMatch, amountCents: Cents, index: ExpectedIndex, { targets }: Expected): string {
  const { achFileId, settlementId, transactionId, payoutId } = hand;
  const isSameWay = (key: string): boolean => Math.sign(index.ofKey(key)?.amountCents ?? 0) === Math.sign(amountCents);
  if (achFileId !== null) return `${achFileId}/${isSameWay(`${achFileId}/credit`) ? 'credit' : 'debit'}`;
  if (transactionId === null || targets.has(transactionId)) return settlementId ?? transactionId ?? payoutId ?? '';
  const part = [...targets].find(([key, target]) => target.transactionId === transactionId && isSameWay(key));
  return part?.[0] ?? transactionId;
}

function byHand({ number, key: entryKey, amountCents }: BankEntry, hand: HandMatch, index: ExpectedIndex, expected: Expected): EntryResult {
  const key = keyOfHand(hand, amountCents, index, expected);
  const { achFileId, settlementId, transactionId, loanId, payoutId = null, note } = hand;
  const expectedCents = index.ofKey(key)?.amountCents ?? amountCents;
  return {
    number,
    entryKey,
    status: 'matched',
    by: 'hand',
    key,
    expectedCents,
    target: { ...NO_TARGET, achFileId, settlementId, transactionId, loanId, ...(payoutId === null ? {} : { payoutId }) },
    note,
  };
}

function countsOf({ results, missing }: MatchOutcome): MatchCounts {
  const of = (status: EntryResult['status']): number => results.filter((each) => each.status === status).length;
  return {
    matched: of('matched'),
    differentAmount: of('differentAmount'),
    unexpected: of('unexpected'),
    duplicate: of('duplicate'),
    missing: missing.length,
  };
}
