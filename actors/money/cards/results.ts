import { addDays, type Cents, cents, type Day, dayAt, formatDay, sum } from '../../../engine/index.js';
import type { ProcessorRecord } from '../../company/index.js';
import type { CardReconciledBody, CardReconciledView, MovedByCard, MovedByCardQuery } from '../../loan/index.js';
import { isFinalRefusal } from '../../kernel/jobs/service-calls.js';
import { openReconciliation } from '../bank-day.js';
import {
  type CardResultsBody,
  type CardResultsQuery,
  type Difference,
  type KeptCardResults,
  NOTHING_KNOWN,
} from '../reconciliation/index.js';
import { type CardResultItem, type CardResults, type CardWorkParts, ofReference } from './ports.js';

/** Days whose results are read in one round; the others follow in the next one. */
const MOST_DAYS = 31;

/**
 * The results of a processor, day by day: each payment and refund that has moved is found again, each dispute that no callback has brought
 * is recorded, and what does not agree is a difference of the day. A day whose results are recorded is not read again.
 */
export class CardResultsWork {
  constructor(
    private readonly parts: CardWorkParts,
    private readonly processor: ProcessorRecord,
  ) {}

  async run(): Promise<void> {
    const { today, access, servers } = this.parts;
    const first = await this.#first();
    for (let day = first; day < today && day < addDays(first, MOST_DAYS) && !this.parts.isClosed(); day = addDays(day, 1)) {
      const results = await servers.results(access, day);
      if (results === null) return;
      await this.#take(day, results);
    }
  }

  /** The first day whose results are not recorded. */
  async #first(): Promise<Day> {
    const { calls, engine, tenant } = this.parts;
    const query: CardResultsQuery = { processorId: this.processor.id, from: null };
    const newest = (await calls.query<readonly KeptCardResults[]>('reconciliation.cardResults', null, query)).at(-1);
    if (newest !== undefined) return addDays(newest.day, 1);
    return dayAt(this.processor.stored.timezone ?? engine.companyZone(tenant), this.processor.createdAt);
  }

  async #take(day: Day, { items, funding }: CardResults): Promise<void> {
    const differences: Difference[] = [];
    // A dispute may be about a payment of the same day.
    const ordered = [...items.filter(({ type }) => type !== 'dispute'), ...items.filter(({ type }) => type === 'dispute')];
    for (const item of ordered) differences.push(...(await this.#takeItem(day, item)));
    differences.push(...(await this.#missing(day)));
    const feeCents = sum(items.map((item) => item.feeCents));
    const expectedCents = cents(sum(items.map(({ amountCents }) => amountCents)) - feeCents);
    if (funding.amountCents !== expectedCents)
      differences.push({
        ...NOTHING_KNOWN,
        key: `${formatDay(day)}/funding`,
        kind: 'amountMismatch',
        trace: funding.reference,
        expectedCents,
        actualCents: funding.amountCents,
        description: 'The processor pays another amount than its results come to.',
      });
    const sumOf = (type: CardResultItem['type']): Cents =>
      sum(items.filter((item) => item.type === type).map(({ amountCents }) => amountCents));
    const body: CardResultsBody = {
      items: differences,
      results: {
        capturedCents: sumOf('capture'),
        refundedCents: cents(-sumOf('refund')),
        disputedCents: cents(-sumOf('dispute')),
        feeCents,
        itemCount: items.length,
        funding: { amountCents: funding.amountCents, day: funding.day, reference: funding.reference },
      },
    };
    const target = await openReconciliation(this.parts, this.processor.id, day);
    await this.parts.calls.command({ type: 'reconciliation.takeCardResults', target, body });
  }

  /** What was captured or refunded on the day, and is not in its results. */
  async #missing(day: Day): Promise<readonly Difference[]> {
    const query: MovedByCardQuery = { processorId: this.processor.id, resultDay: day };
    const left = await this.parts.calls.all<MovedByCard>('transaction.movedByCard', query);
    return left.map(({ id, loanId, personId, amountCents, isRefund }) => ({
      ...NOTHING_KNOWN,
      key: `${formatDay(day)}/${id}/missing`,
      kind: 'missingAtBank',
      transactionId: id,
      loanId,
      personId,
      expectedCents: amountCents,
      description: `The results of the processor do not have the ${isRefund ? 'refund' : 'payment'}.`,
    }));
  }

  async #takeItem(resultDay: Day, item: CardResultItem): Promise<readonly Difference[]> {
    const { calls } = this.parts;
    const at = ofReference(item.reference);
    const difference = (kind: Difference['kind'], description: string, expectedCents: Cents | null = null): readonly Difference[] => [
      {
        ...NOTHING_KNOWN,
        key: `${formatDay(resultDay)}/${item.id}`,
        kind,
        transactionId: at?.transactionId ?? null,
        loanId: at?.loanId ?? null,
        trace: item.id,
        expectedCents,
        actualCents: cents(Math.abs(item.amountCents)),
        description,
      },
    ];
    if (at === null)
      return difference('missingInLedger', `The results of the processor have a ${item.type} that the service has not made.`);
    const { loanId: target, transactionId } = at;
    const processorId = this.processor.id;
    const params = { transactionId };
    try {
      if (item.dispute !== null) {
        await calls.command({ type: 'transaction.cardDispute', target, params, body: { ...item.dispute, processorId } });
        return [];
      }
      const { id: itemId, amountCents, feeCents } = item;
      const body: CardReconciledBody = { processorId, itemId, amountCents: cents(Math.abs(amountCents)), feeCents, resultDay };
      const { outcome, expectedCents } = await calls.command<CardReconciledView>({
        type: 'transaction.cardReconciled',
        target,
        params,
        body,
      });
      if (outcome === 'matched') return [];
      return outcome === 'amountMismatch'
        ? difference('amountMismatch', `The results of the processor have another amount of the ${item.type}.`, expectedCents)
        : difference('missingInLedger', `The processor has moved the money of a ${item.type} that has failed.`, expectedCents);
    } catch (cause) {
      if (!isFinalRefusal(cause)) throw cause;
      return difference('missingInLedger', cause.message);
    }
  }
}
