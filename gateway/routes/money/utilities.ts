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
import type { CardBinFacts, Lookups, PublicIndexRate } from '../../lookups.js';
import { defineRoute, type Route } from '../../routing/route.js';

/** The facts that follow from a routing number itself. Names of banks would need a directory, and none is connected. */
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
  /** Only values that apply on this day. */
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

/** Look-ups that are not about an object of the service. */
export const utilityRoutes = (lookups: Lookups): readonly Route[] => [
  defineRoute({
    method: 'GET',
    path: '/utilities/routing-numbers/{routingNumber}',
    operation: 'getRoutingNumber',
    summary: 'Look up a routing number',
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
    summary: 'Look up the first digits of a card',
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
    summary: 'List the values of public indexes',
    description: 'The values that apply to loans are set on their loan type.',
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
    summary: 'List bank holidays',
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
    throw new Refusal('validationError', 'The routing number must have nine digits, the last of which is the check digit.', {
      errors: [
        { path: 'routingNumber', expected: 'nine digits with a valid check digit', message: 'routingNumber is not a routing number' },
      ],
    });
  }
  const facts = routingFacts(routingNumber);
  if (!facts) throw new Refusal('notFound', 'The routing number is not assigned to a bank.');
  const { isAchParticipant, isWireParticipant } = facts;
  return { routingNumber, institutionName: null, city: null, state: null, isAchParticipant, isWireParticipant, newRoutingNumber: null };
}

function cardBinView({ cardBin }: Lookups, bin: string): CardBinView {
  if (!isCardBin(bin)) {
    throw new Refusal('validationError', 'The first digits of a card must be six to eight digits.', {
      errors: [{ path: 'bin', expected: 'six to eight digits', message: 'bin must be six to eight digits' }],
    });
  }
  const facts = cardBin(bin);
  if (facts === undefined) throw new Refusal('notFound', 'No card network uses these first digits.');
  return { bin, ...facts };
}

/** Sorted by index, then by day. */
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
