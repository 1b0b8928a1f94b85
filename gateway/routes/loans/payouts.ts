import typia from 'typia';
import type {
  ListPayoutsQuery,
  MerchantReserveNow,
  PayoutAtBankRequest,
  PayoutReply,
  ReleaseReserveRequest,
} from '../../../actors/index.js';
import { defineRoute, type Route } from '../../routing/route.js';

const tags = ['Loan payouts'];
const PAYOUTS = '/people/{personId}/loans/{loanId}/payouts';
const PAYOUT = '/people/{personId}/loans/{loanId}/payouts/{payoutId}';
const reply = typia.json.schemas<[PayoutReply], '3.1'>();
const body = {
  validate: typia.misc.createValidatePrune<PayoutAtBankRequest>(),
  schemas: typia.json.schemas<[PayoutAtBankRequest], '3.1'>(),
};

/** Money that was sent: the loan's activation, advances, cash advances and reimbursements, and what the bank says of them. */
export const payoutRoutes: readonly Route[] = [
  defineRoute({
    method: 'GET',
    path: PAYOUTS,
    operation: 'listLoanPayouts',
    summary: 'List the payouts of a loan and what the bank has paid of them, newest first',
    tags,
    permission: 'loan.payout:read',
    envelope: 'list',
    query: { validate: typia.misc.createValidatePrune<ListPayoutsQuery>(), schemas: typia.json.schemas<[ListPayoutsQuery], '3.1'>() },
    reply: typia.json.schemas<[PayoutReply[]], '3.1'>(),
    handle: (call) => call.read('payout.list', call.params.loanId),
  }),
  defineRoute({
    method: 'POST',
    path: `${PAYOUT}/confirm`,
    operation: 'confirmLoanPayout',
    summary: 'Record that the bank has paid a payout',
    description: 'It leaves the clearing account of the books. Reimbursements are recorded by themselves when they have succeeded.',
    tags,
    permission: 'loan.payout:update',
    textParameters: ['payoutId'],
    body,
    reply,
    handle: (call) => call.command('payout.confirm', call.params.loanId),
  }),
  defineRoute({
    method: 'POST',
    path: `${PAYOUT}/return`,
    operation: 'returnLoanPayout',
    summary: 'Record that a payout has come back to the bank',
    description: 'The loan stays as it is: an advance that nobody has got is canceled, or paid out again.',
    tags,
    permission: 'loan.payout:update',
    textParameters: ['payoutId'],
    body,
    reply,
    handle: (call) => call.command('payout.return', call.params.loanId),
  }),
  defineRoute({
    method: 'POST',
    path: '/people/{personId}/loans/{loanId}/merchant-reserve/release',
    operation: 'releaseMerchantReserve',
    summary: 'Release what is held back of the money of a merchant for a loan',
    description:
      'It adds to the payout of the activation. What the merchant owes by refunds of the loan is kept from it, unless ' +
      '`reserveNetsRefunds` of the merchant was false at activation.',
    tags,
    permission: 'loan.payout:update',
    body: {
      validate: typia.misc.createValidatePrune<ReleaseReserveRequest>(),
      schemas: typia.json.schemas<[ReleaseReserveRequest], '3.1'>(),
    },
    reply: typia.json.schemas<[MerchantReserveNow], '3.1'>(),
    handle: (call) => call.command('merchantReserve.release', call.params.loanId),
  }),
];
