import typia from 'typia';
import { type BankingHolidayQuery, type BankingHolidayView, Refusal } from '../../actors/index.js';
import { isRoutingNumber, routingFacts } from '../../engine/index.js';
import { defineRoute, type Route } from '../routing/route.js';

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

const TAGS = ['Utilities'];

/** Look-ups that belong to no object (money 10). */
export const utilityRoutes: readonly Route[] = [
  defineRoute({
    method: 'GET', path: '/utilities/routing-numbers/{routingNumber}', operation: 'getRoutingNumber', summary: 'Look a routing number up', tags: TAGS,
    permission: null, textParameters: ['routingNumber'], reply: typia.json.schemas<[RoutingNumberView], '3.1'>(),
    handle: ({ params: { routingNumber } }) => ({ data: routingView(routingNumber) }),
  }),
  defineRoute({
    method: 'GET', path: '/utilities/banking-holidays', operation: 'listBankingHolidays', summary: 'Days on which banks are closed', tags: TAGS,
    permission: null, envelope: 'list',
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
