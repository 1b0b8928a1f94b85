import typia from 'typia';
import {
  amount,
  type CreateSettlementBody,
  type CreateSettlementQuery,
  type DateText,
  type FailSettlementBody,
  type ListResult,
  type PageQuery,
  Refusal,
  type SettlementContents,
  type SettlementLine,
  type SettlementListQuery,
  settlementAmounts,
  type SettlementView,
  type SignedAmount,
  Sums,
  toJsonText,
} from '../../../actors/index.js';
import { cents } from '../../../engine/index.js';
import type { ContentStore } from '../../documents/content-store.js';
import { type Call, defineRoute, type Reply, type Route } from '../../routing/route.js';
import { ownCompany } from '../own-company.js';

const TAGS = ['Settlements'];
const ALL = '/companies/{companyId}/settlements';
const ONE = '/companies/{companyId}/settlements/{settlementId}';
const reply = typia.json.schemas<[SettlementView], '3.1'>();

/** What one payment has changed for the investor since it was last settled. */
interface SettlementTransaction {
  readonly id: string;
  readonly object: 'settlementTransaction';
  readonly loanId: string;
  readonly transactionId: string;
  readonly effectiveDate: DateText;
  readonly principalAmount: SignedAmount;
  readonly interestAmount: SignedAmount;
  readonly feesAmount: SignedAmount;
  readonly processingFeeAmount: SignedAmount;
  /** What of it is paid; below zero: what comes back. */
  readonly netAmount: SignedAmount;
}

/** Settlements with investors. */
export const settlementRoutes = (contents: ContentStore): readonly Route[] => [
  defineRoute({
    method: 'GET',
    path: ALL,
    operation: 'listSettlements',
    summary: 'List settlements',
    tags: TAGS,
    permission: 'settlement:list',
    envelope: 'list',
    query: { validate: typia.misc.createValidatePrune<SettlementListQuery>(), schemas: typia.json.schemas<[SettlementListQuery], '3.1'>() },
    reply: typia.json.schemas<[SettlementView[]], '3.1'>(),
    handle: (call) => {
      ownCompany(call);
      return call.read('settlement.list', null);
    },
  }),
  defineRoute({
    method: 'POST',
    path: ALL,
    operation: 'createSettlement',
    summary: 'Settle with an investor now',
    description:
      'Covers the payments that are effective through the last day of the period, whose hold is over, and what has changed of those that ' +
      'were settled before. With `previewMode` the amounts alone are computed.',
    tags: TAGS,
    permission: 'settlement:create',
    success: 201,
    query: {
      validate: typia.misc.createValidatePrune<CreateSettlementQuery>(),
      schemas: typia.json.schemas<[CreateSettlementQuery], '3.1'>(),
    },
    body: {
      validate: typia.misc.createValidatePrune<CreateSettlementBody>(),
      schemas: typia.json.schemas<[CreateSettlementBody], '3.1'>(),
    },
    reply,
    handle: (call) => (call.query.previewMode === true ? previewed(call) : call.command('settlement.create', ownCompany(call))),
  }),
  defineRoute({
    method: 'GET',
    path: ONE,
    operation: 'getSettlement',
    summary: 'Get a settlement with its totals',
    tags: TAGS,
    permission: 'settlement:read',
    reply,
    handle: (call) => {
      ownCompany(call);
      return call.read('settlement.get', call.params.settlementId);
    },
  }),
  defineRoute({
    method: 'GET',
    path: `${ONE}/transactions`,
    operation: 'listSettlementTransactions',
    summary: 'List the transactions that a settlement covers',
    tags: TAGS,
    permission: 'settlement:read',
    envelope: 'list',
    query: { validate: typia.misc.createValidatePrune<PageQuery>(), schemas: typia.json.schemas<[PageQuery], '3.1'>() },
    reply: typia.json.schemas<[SettlementTransaction[]], '3.1'>(),
    handle: async (call) => ({ data: await linePage(contents, await contentsOf(call), call.query) }),
  }),
  defineRoute({
    method: 'GET',
    path: `${ONE}/file`,
    operation: 'downloadSettlementFile',
    summary: 'Download the remittance file of a settlement',
    description: 'CSV (RFC 4180) with a line for each transaction. The settlement has its SHA-256 as `fileDigest`.',
    tags: TAGS,
    permission: 'settlement:read',
    envelope: 'file',
    handle: async (call): Promise<Reply> => {
      const { file } = await contentsOf(call);
      if (file === null) throw new Refusal('notFound', `The settlement ${call.params.settlementId} has no file yet.`);
      return {
        data: await contents.get(file),
        headers: { 'Content-Type': 'text/csv; charset=utf-8', 'Content-Disposition': `attachment; filename="${file.name}"` },
      };
    },
  }),
  defineRoute({
    method: 'POST',
    path: `${ONE}/cancel`,
    operation: 'cancelSettlement',
    summary: 'Cancel a settlement whose money has not gone',
    description: 'The next settlement covers its transactions.',
    tags: TAGS,
    permission: 'settlement:create',
    reply,
    handle: (call) => {
      ownCompany(call);
      return call.command('settlement.cancel', call.params.settlementId, { body: {} });
    },
  }),
  defineRoute({
    method: 'POST',
    path: `${ONE}/fail`,
    operation: 'failSettlement',
    summary: 'Record that the money of a settlement has come back',
    description:
      'For a settlement whose money is on its way, and for one that has succeeded: a transfer may come back later. The next settlement ' +
      'covers its transactions.',
    tags: TAGS,
    permission: 'settlement:create',
    body: {
      validate: typia.misc.createValidatePrune<FailSettlementBody>(),
      schemas: typia.json.schemas<[FailSettlementBody], '3.1'>(),
    },
    reply,
    handle: (call) => {
      ownCompany(call);
      return call.command('settlement.fail', call.params.settlementId);
    },
  }),
];

type SettlementCall = Call<{ readonly companyId: string; readonly settlementId: string }>;

async function contentsOf(call: SettlementCall): Promise<SettlementContents> {
  ownCompany(call);
  return (await call.read('settlement.contents', call.params.settlementId, { query: {} })).data;
}

const DEFAULT_LIMIT = 25;

/** Lines by their numbers, from 1. Only the batches with lines of the page are read. */
async function linePage(
  contents: ContentStore,
  { batches }: SettlementContents,
  { limit = DEFAULT_LIMIT, startingAfter, endingBefore }: PageQuery,
): Promise<ListResult<SettlementTransaction>> {
  const total = batches.reduce((sum, { count }) => sum + count, 0);
  const bound = numberOf(endingBefore ?? startingAfter, total);
  const first = endingBefore === undefined ? (bound ?? 0) : Math.max(0, (bound ?? 1) - 1 - limit);
  const end = endingBefore === undefined ? Math.min(total, first + limit) : Math.max(0, (bound ?? 1) - 1);
  const items: SettlementTransaction[] = [];
  let from = 0;
  for (const { count, content } of batches) {
    if (from < end && from + count > first) {
      const lines: readonly SettlementLine[] = JSON.parse((await contents.get(content)).toString('utf8'));
      for (let at = Math.max(first, from); at < Math.min(end, from + count); at += 1) {
        const line = lines[at - from];
        if (line !== undefined) items.push(lineView(line, at + 1));
      }
    }
    from += count;
  }
  return { items, total, hasMore: end < total, hasPrevious: first > 0 };
}

function numberOf(cursor: string | undefined, total: number): number | null {
  if (cursor === undefined) return null;
  const number = /^\d{1,9}$/.test(cursor) ? Number(cursor) : Number.NaN;
  if (number >= 1 && number <= total) return number;
  throw new Refusal('badRequest', 'The cursor names no transaction of this settlement.', {
    errors: [{ path: 'startingAfter', expected: 'the id of a line', message: 'unknown cursor' }],
  });
}

function lineView(line: SettlementLine, number: number): SettlementTransaction {
  const { loanId, transactionId, effectiveDate, principalCents, interestCents, feesCents, processingFeeCents } = line;
  return {
    id: String(number),
    object: 'settlementTransaction',
    loanId,
    transactionId,
    effectiveDate,
    principalAmount: amount(principalCents),
    interestAmount: amount(interestCents),
    feesAmount: amount(feesCents),
    processingFeeAmount: amount(processingFeeCents),
    netAmount: amount(cents(principalCents + interestCents + feesCents - processingFeeCents)),
  };
}

/** Loans that are asked at once, and most loans of a preview. */
const LOANS_AT_ONCE = 500;
const MOST_LOANS = 50_000;

/** The amounts that a settlement would have. */
async function previewed(call: Call<{ readonly companyId: string }, unknown, CreateSettlementBody>): Promise<Reply> {
  const planned: SettlementView = JSON.parse(toJsonText((await call.command('settlement.create', ownCompany(call))).data));
  const { investorId, periodEndDate: through } = planned;
  const { carriedCents } = (await call.read('settlement.last', null, { query: { investorId } })).data;
  const sums = new Sums(carriedCents);
  let startingAfter: string | undefined;
  for (let asked = 0; ; asked += LOANS_AT_ONCE) {
    if (asked >= MOST_LOANS) throw new Refusal('ruleViolation', `A preview covers at most ${MOST_LOANS} loans of an investor.`);
    const query = {
      settlementId: planned.id,
      investorId,
      through,
      limit: LOANS_AT_ONCE,
      ...(startingAfter === undefined ? {} : { startingAfter }),
    };
    const page = (await call.read('loan.remittable', null, { query })).data;
    for (const { id, lines } of page.items) for (const line of lines) sums.add({ loanId: id, ...line });
    startingAfter = page.items.at(-1)?.id;
    if (!page.hasMore || startingAfter === undefined) break;
  }
  return { data: { ...planned, ...settlementAmounts(sums.totals()) }, status: 200 };
}
