import typia from 'typia';
import {
  type BankingHolidayQuery,
  type BankingHolidayView,
  type DateText,
  dateText,
  dayOfText,
  Refusal,
  type SignedRateValue,
  rateValue,
  type ShortText,
} from '../../../actors/index.js';
import { isCardBin, isRoutingNumber, routingFacts } from '../../../engine/index.js';
import type { CardBinFacts, Lookups, PublicIndexRate } from '../../deliveries.js';
import { defineRoute, type Route } from '../../routing/route.js';

/** What a routing number itself tells; names of banks need a directory, which there is none of. */
interface RoutingNumberView {
  readonly routingNumber: string;
  readonly institutionName: string | null;
  readonly city: string | null;
  readonly state: string | null;
  readonly isAchParticipant: boolean;
  readonly isWireParticipant: boolean;
  readonly newRoutingNumber: string | null;
}

interface CardBinView extends CardBinFacts {
  readonly bin: string;
}

interface IndexRateQuery {
  readonly indexName?: ShortText;
  /** Only the values that hold on this day. */
  readonly date?: DateText;
  /** Only values that begin in these days. */
  readonly fromDate?: DateText;
  readonly toDate?: DateText;
}

interface PublicIndexRateView {
  readonly indexName: string;
  readonly effectiveDate: DateText;
  readonly rate: SignedRateValue;
}

const TAGS = ['Utilities'];

/** Look-ups that belong to no object. */
export const utilityRoutes = (lookups: Lookups): readonly Route[] => [
  defineRoute({
    method: 'GET',
    path: '/utilities/routing-numbers/{routingNumber}',
    operation: 'getRoutingNumber',
    summary: 'Look a routing number up',
    tags: TAGS,
    permission: null,
    textParameters: ['routingNumber'],
    reply: typia.json.schemas<[RoutingNumberView], '3.1'>(),
    handle: ({ params: { routingNumber } }) => ({ data: routingView(routingNumber) }),
  }),
  defineRoute({
    method: 'GET',
    path: '/utilities/card-bins/{bin}',
    operation: 'getCardBin',
    summary: 'Look the first digits of a card up',
    tags: TAGS,
    permission: null,
    textParameters: ['bin'],
    reply: typia.json.schemas<[CardBinView], '3.1'>(),
    handle: ({ params: { bin } }) => ({ data: cardBinView(lookups, bin) }),
  }),
  defineRoute({
    method: 'GET',
    path: '/utilities/index-rates',
    operation: 'listPublicIndexRates',
    summary: 'Values of public indexes; those of loans are set on their loan type',
    tags: TAGS,
    permission: null,
    envelope: 'list',
    query: { validate: typia.misc.createValidatePrune<IndexRateQuery>(), schemas: typia.json.schemas<[IndexRateQuery], '3.1'>() },
    reply: typia.json.schemas<[PublicIndexRateView[]], '3.1'>(),
    handle({ query }) {
      const items = asked(lookups.indexRates, query).map(indexRateView);
      return { data: { items, total: items.length, hasMore: false, hasPrevious: false } };
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/utilities/banking-holidays',
    operation: 'listBankingHolidays',
    summary: 'Days on which banks are closed',
    tags: TAGS,
    permission: null,
    envelope: 'list',
    query: { validate: typia.misc.createValidatePrune<BankingHolidayQuery>(), schemas: typia.json.schemas<[BankingHolidayQuery], '3.1'>() },
    reply: typia.json.schemas<[BankingHolidayView[]], '3.1'>(),
    handle: (call) => call.read('company.bankingHolidays', call.caller.company),
  }),
];

function routingView(routingNumber: string): RoutingNumberView {
  if (!isRoutingNumber(routingNumber)) {
    throw new Refusal('validationError', 'The number is no routing number.', {
      errors: [{ path: 'routingNumber', expected: 'nine digits with their check digit', message: 'is no routing number' }],
    });
  }
  const facts = routingFacts(routingNumber);
  if (!facts) throw new Refusal('notFound', 'No bank has this routing number.');
  const { isAchParticipant, isWireParticipant } = facts;
  return { routingNumber, institutionName: null, city: null, state: null, isAchParticipant, isWireParticipant, newRoutingNumber: null };
}

function cardBinView({ cardBin }: Lookups, bin: string): CardBinView {
  if (!isCardBin(bin)) {
    throw new Refusal('validationError', 'The number is no beginning of a card number.', {
      errors: [{ path: 'bin', expected: 'six to eight digits', message: 'is no beginning of a card number' }],
    });
  }
  const facts = cardBin(bin);
  if (facts === undefined) throw new Refusal('notFound', 'No card network has this number.');
  return { bin, ...facts };
}

/** By index, then by day. */
function asked(rates: readonly PublicIndexRate[], { indexName, date, fromDate, toDate }: IndexRateQuery): readonly PublicIndexRate[] {
  const sorted = rates
    .filter((rate) => indexName === undefined || rate.indexName === indexName)
    .sort((a, b) => (a.indexName === b.indexName ? a.from - b.from : a.indexName < b.indexName ? -1 : 1));
  const holds = ({ from, indexName: index }: PublicIndexRate, at: number): boolean => {
    if (date === undefined) return true;
    const on = dayOfText(date);
    const next = sorted[at + 1];
    return from <= on && (next === undefined || next.indexName !== index || next.from > on);
  };
  const begins = ({ from }: PublicIndexRate): boolean =>
    (fromDate === undefined || from >= dayOfText(fromDate)) && (toDate === undefined || from <= dayOfText(toDate));
  return sorted.filter((rate, at) => holds(rate, at) && begins(rate));
}

const indexRateView = ({ indexName, from, rate }: PublicIndexRate): PublicIndexRateView => ({
  indexName,
  effectiveDate: dateText(from),
  rate: rateValue(rate),
});
