import typia from 'typia';
import type {
  AddRateCapRequest,
  AddRatesRequest,
  AddScraRequest,
  ChangeRateCapRequest,
  ChangeRateRequest,
  ChangeScraRequest,
  RateCapReply,
  RateDetails,
  RateDetailsQuery,
  RatesChangedReply,
  RateReply,
  RatesReply,
  RemoveRateQuery,
  RemoveScraQuery,
  ScraPeriodReply,
  ScraReply,
} from '../../../actors/index.js';
import { defineRoute, type Route } from '../../routing/route.js';
import { syncQuery } from '../../routing/shared-queries.js';

interface RateDetailsReply {
  readonly rates: readonly RateDetails[];
}

const removal = { validate: typia.misc.createValidatePrune<RemoveRateQuery>(), schemas: typia.json.schemas<[RemoveRateQuery], '3.1'>() };
const changed = typia.json.schemas<[RatesChangedReply], '3.1'>();
const one = typia.json.schemas<[RateReply], '3.1'>();
const cap = typia.json.schemas<[RateCapReply], '3.1'>();
const scra = typia.json.schemas<[ScraReply], '3.1'>();
const tags = ['Loan rates'];
const loan = '/people/{personId}/loans/{loanId}';
const draw = `${loan}/draws/{drawId}` as const;

/** Rates, rate caps and SCRA terms of a loan (loan-terms 7, 8 and 11). */
export const loanRateRoutes: readonly Route[] = [
  defineRoute({
    method: 'GET', path: `${loan}/rates`, operation: 'listLoanRates', tags, permission: 'rates:list', summary: 'The rates of a loan',
    reply: typia.json.schemas<[RatesReply], '3.1'>(),
    handle: (call) => call.read('loan.rates', call.params.loanId),
  }),
  defineRoute({
    method: 'GET', path: `${loan}/rates/details`, operation: 'getLoanRateDetails', tags, permission: 'rates:list',
    summary: 'The rates in force on a range of days',
    query: { validate: typia.misc.createValidatePrune<RateDetailsQuery>(), schemas: typia.json.schemas<[RateDetailsQuery], '3.1'>() },
    reply: typia.json.schemas<[RateDetailsReply], '3.1'>(),
    handle: (call) => call.read('loan.rateDetails', call.params.loanId),
  }),
  defineRoute({
    method: 'POST', path: `${loan}/rates`, operation: 'addLoanRates', tags, permission: 'rates:create', success: 201,
    summary: 'Add an interest rate, a promo rate, or both', query: syncQuery,
    body: { validate: typia.misc.createValidatePrune<AddRatesRequest>(), schemas: typia.json.schemas<[AddRatesRequest], '3.1'>() },
    reply: changed,
    handle: (call) => call.command('loanRate.add', call.params.loanId),
  }),
  defineRoute({
    method: 'PUT', path: `${loan}/rates/{rateId}`, operation: 'changeLoanRate', tags, permission: 'rates:update',
    summary: 'Change a rate; of one that origination set, its end', query: syncQuery,
    body: { validate: typia.misc.createValidatePrune<ChangeRateRequest>(), schemas: typia.json.schemas<[ChangeRateRequest], '3.1'>() },
    reply: changed,
    handle: (call) => call.command('loanRate.change', call.params.loanId),
  }),
  defineRoute({
    method: 'DELETE', path: `${loan}/rates/{rateId}`, operation: 'removeLoanRate', tags, permission: 'rates:delete',
    summary: 'Remove a rate that was added after origination', query: removal, reply: changed,
    handle: (call) => call.command('loanRate.remove', call.params.loanId, { body: call.query }),
  }),
  defineRoute({
    method: 'GET', path: `${loan}/rates/{rateId}`, operation: 'getLoanRate', tags, permission: 'rates:list', summary: 'A rate of a loan', reply: one,
    handle: (call) => call.read('loan.rate', call.params.loanId),
  }),
  defineRoute({
    method: 'GET', path: `${loan}/rate-caps`, operation: 'listLoanRateCaps', tags, permission: 'rates:list', summary: 'The rate caps of a loan',
    reply: typia.json.schemas<[RateCapReply[]], '3.1'>(),
    handle: (call) => call.read('loan.rateCaps', call.params.loanId),
  }),
  defineRoute({
    method: 'POST', path: `${loan}/rate-caps`, operation: 'addLoanRateCap', tags, permission: 'rates:create', success: 201,
    summary: 'Bound the rate of a loan', query: syncQuery,
    body: { validate: typia.misc.createValidatePrune<AddRateCapRequest>(), schemas: typia.json.schemas<[AddRateCapRequest], '3.1'>() },
    reply: cap,
    handle: (call) => call.command('loanRateCap.add', call.params.loanId),
  }),
  defineRoute({
    method: 'GET', path: `${loan}/rate-caps/{rateCapId}`, operation: 'getLoanRateCap', tags, permission: 'rates:list', summary: 'A rate cap of a loan',
    reply: cap,
    handle: (call) => call.read('loan.rateCap', call.params.loanId),
  }),
  defineRoute({
    method: 'PUT', path: `${loan}/rate-caps/{rateCapId}`, operation: 'changeLoanRateCap', tags, permission: 'rates:update',
    summary: 'Change a rate cap', query: syncQuery,
    body: { validate: typia.misc.createValidatePrune<ChangeRateCapRequest>(), schemas: typia.json.schemas<[ChangeRateCapRequest], '3.1'>() },
    reply: cap,
    handle: (call) => call.command('loanRateCap.change', call.params.loanId),
  }),
  defineRoute({
    method: 'DELETE', path: `${loan}/rate-caps/{rateCapId}`, operation: 'removeLoanRateCap', tags, permission: 'rates:delete',
    summary: 'Remove a rate cap', query: removal, reply: cap,
    handle: (call) => call.command('loanRateCap.remove', call.params.loanId, { body: call.query }),
  }),
  defineRoute({
    method: 'GET', path: `${loan}/payment-plan-scra`, operation: 'listLoanScra', tags, permission: 'loan:paymentplan.scra.list',
    summary: 'The SCRA periods of a loan', reply: typia.json.schemas<[ScraPeriodReply[]], '3.1'>(),
    handle: (call) => call.read('loan.scra', call.params.loanId),
  }),
  defineRoute({
    method: 'POST', path: `${loan}/payment-plan-scra`, operation: 'addLoanScra', tags, permission: 'loan:paymentplan.scra.create',
    summary: 'SCRA terms: at most 6 % while the borrower serves', query: syncQuery,
    body: { validate: typia.misc.createValidatePrune<AddScraRequest>(), schemas: typia.json.schemas<[AddScraRequest], '3.1'>() },
    reply: scra,
    handle: (call) => call.command('loanScra.add', call.params.loanId),
  }),
  defineRoute({
    method: 'PUT', path: `${loan}/payment-plan-scra`, operation: 'changeLoanScra', tags, permission: 'loan:paymentplan.scra.update',
    summary: 'Change the days or the rate of SCRA terms', query: syncQuery,
    body: { validate: typia.misc.createValidatePrune<ChangeScraRequest>(), schemas: typia.json.schemas<[ChangeScraRequest], '3.1'>() },
    reply: scra,
    handle: (call) => call.command('loanScra.change', call.params.loanId),
  }),
  defineRoute({
    method: 'DELETE', path: `${loan}/payment-plan-scra`, operation: 'removeLoanScra', tags, permission: 'loan:paymentplan.scra.delete',
    summary: 'Remove SCRA terms',
    query: { validate: typia.misc.createValidatePrune<RemoveScraQuery>(), schemas: typia.json.schemas<[RemoveScraQuery], '3.1'>() },
    reply: scra,
    handle: (call) => call.command('loanScra.remove', call.params.loanId, { body: call.query }),
  }),
  defineRoute({
    method: 'GET', path: `${draw}/rates`, operation: 'listDrawRates', tags, permission: 'rates:list', summary: 'The rates of a draw',
    reply: typia.json.schemas<[RatesReply], '3.1'>(),
    handle: (call) => call.read('loan.rates', call.params.loanId),
  }),
  defineRoute({
    method: 'GET', path: `${draw}/rates/details`, operation: 'getDrawRateDetails', tags, permission: 'rates:list',
    summary: 'The rates of a draw in force on a range of days',
    query: { validate: typia.misc.createValidatePrune<RateDetailsQuery>(), schemas: typia.json.schemas<[RateDetailsQuery], '3.1'>() },
    reply: typia.json.schemas<[RateDetailsReply], '3.1'>(),
    handle: (call) => call.read('loan.rateDetails', call.params.loanId),
  }),
  defineRoute({
    method: 'POST', path: `${draw}/rates`, operation: 'addDrawRates', tags, permission: 'rates:create', success: 201,
    summary: 'Add an interest rate, a promo rate, or both to a draw', query: syncQuery,
    body: { validate: typia.misc.createValidatePrune<AddRatesRequest>(), schemas: typia.json.schemas<[AddRatesRequest], '3.1'>() },
    reply: changed,
    handle: (call) => call.command('loanRate.add', call.params.loanId),
  }),
  defineRoute({
    method: 'PUT', path: `${draw}/rates/{rateId}`, operation: 'changeDrawRate', tags, permission: 'rates:update',
    summary: 'Change a rate of a draw; of one that origination set, its end', query: syncQuery,
    body: { validate: typia.misc.createValidatePrune<ChangeRateRequest>(), schemas: typia.json.schemas<[ChangeRateRequest], '3.1'>() },
    reply: changed,
    handle: (call) => call.command('loanRate.change', call.params.loanId),
  }),
  defineRoute({
    method: 'DELETE', path: `${draw}/rates/{rateId}`, operation: 'removeDrawRate', tags, permission: 'rates:delete',
    summary: 'Remove a rate of a draw that was added after origination', query: removal, reply: changed,
    handle: (call) => call.command('loanRate.remove', call.params.loanId, { body: call.query }),
  }),
  defineRoute({
    method: 'GET', path: `${draw}/rates/{rateId}`, operation: 'getDrawRate', tags, permission: 'rates:list', summary: 'A rate of a draw', reply: one,
    handle: (call) => call.read('loan.rate', call.params.loanId),
  }),
  defineRoute({
    method: 'GET', path: `${draw}/rate-caps`, operation: 'listDrawRateCaps', tags, permission: 'rates:list', summary: 'The rate caps of a draw',
    reply: typia.json.schemas<[RateCapReply[]], '3.1'>(),
    handle: (call) => call.read('loan.rateCaps', call.params.loanId),
  }),
  defineRoute({
    method: 'POST', path: `${draw}/rate-caps`, operation: 'addDrawRateCap', tags, permission: 'rates:create', success: 201,
    summary: 'Bound the rate of a draw', query: syncQuery,
    body: { validate: typia.misc.createValidatePrune<AddRateCapRequest>(), schemas: typia.json.schemas<[AddRateCapRequest], '3.1'>() },
    reply: cap,
    handle: (call) => call.command('loanRateCap.add', call.params.loanId),
  }),
  defineRoute({
    method: 'GET', path: `${draw}/rate-caps/{rateCapId}`, operation: 'getDrawRateCap', tags, permission: 'rates:list', summary: 'A rate cap of a draw',
    reply: cap,
    handle: (call) => call.read('loan.rateCap', call.params.loanId),
  }),
  defineRoute({
    method: 'PUT', path: `${draw}/rate-caps/{rateCapId}`, operation: 'changeDrawRateCap', tags, permission: 'rates:update',
    summary: 'Change a rate cap of a draw', query: syncQuery,
    body: { validate: typia.misc.createValidatePrune<ChangeRateCapRequest>(), schemas: typia.json.schemas<[ChangeRateCapRequest], '3.1'>() },
    reply: cap,
    handle: (call) => call.command('loanRateCap.change', call.params.loanId),
  }),
  defineRoute({
    method: 'DELETE', path: `${draw}/rate-caps/{rateCapId}`, operation: 'removeDrawRateCap', tags, permission: 'rates:delete',
    summary: 'Remove a rate cap of a draw', query: removal, reply: cap,
    handle: (call) => call.command('loanRateCap.remove', call.params.loanId, { body: call.query }),
  }),
  defineRoute({
    method: 'POST', path: `${loan}/loc-payment-plan-scra`, operation: 'addLineScra', tags, permission: 'loan:paymentplan.scra.create',
    summary: 'SCRA terms of a line of credit and all its draws', query: syncQuery,
    body: { validate: typia.misc.createValidatePrune<AddScraRequest>(), schemas: typia.json.schemas<[AddScraRequest], '3.1'>() },
    reply: scra,
    handle: (call) => call.command('lineScra.add', call.params.loanId),
  }),
  defineRoute({
    method: 'PUT', path: `${loan}/loc-payment-plan-scra`, operation: 'changeLineScra', tags, permission: 'loan:paymentplan.scra.update',
    summary: 'Change the days or the rate of SCRA terms of a line of credit', query: syncQuery,
    body: { validate: typia.misc.createValidatePrune<ChangeScraRequest>(), schemas: typia.json.schemas<[ChangeScraRequest], '3.1'>() },
    reply: scra,
    handle: (call) => call.command('lineScra.change', call.params.loanId),
  }),
  defineRoute({
    method: 'DELETE', path: `${loan}/loc-payment-plan-scra`, operation: 'removeLineScra', tags, permission: 'loan:paymentplan.scra.delete',
    summary: 'Remove SCRA terms of a line of credit',
    query: { validate: typia.misc.createValidatePrune<RemoveScraQuery>(), schemas: typia.json.schemas<[RemoveScraQuery], '3.1'>() },
    reply: scra,
    handle: (call) => call.command('lineScra.remove', call.params.loanId, { body: call.query }),
  }),
];
