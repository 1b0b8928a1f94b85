import typia from 'typia';
import type {
  AccelerateLoanRequest,
  ActionRequest,
  ActivateLoanRequest,
  ActivationReply,
  Amount,
  CancelLoanQuery,
  CancelLoanRequest,
  ChargeOffLoanRequest,
  CloseLoanRequest,
  LoanView,
  ScheduleReply,
  UnfreezeLoanRequest,
} from '../../../actors/index.js';
import { defineRoute, type Route } from '../../routing/route.js';
import { syncQuery } from '../../routing/shared-queries.js';

interface Accelerated {
  readonly acceleratedAmount: Amount;
}

interface AccelerationReversed {
  readonly reversedAcceleratedAmount: Amount;
}

interface ChargedOff {
  readonly chargeOffAmount: Amount;
}

interface ChargeOffReversed {
  readonly reversedChargeOffAmount: Amount;
}

const group = ['Loan actions'];
const action = { validate: typia.misc.createValidatePrune<ActionRequest>(), schemas: typia.json.schemas<[ActionRequest], '3.1'>() };
const loanReply = typia.json.schemas<[LoanView], '3.1'>();

/** Actions that change the status of a loan. */
export const loanActionRoutes: readonly Route[] = [
  defineRoute({
    method: 'POST',
    path: '/people/{personId}/loans/{loanId}/activate',
    operation: 'activateLoan',
    tags: group,
    permission: 'loan:activate',
    summary: 'Activate an originated loan',
    query: syncQuery,
    body: { validate: typia.misc.createValidatePrune<ActivateLoanRequest>(), schemas: typia.json.schemas<[ActivateLoanRequest], '3.1'>() },
    reply: typia.json.schemas<[ActivationReply], '3.1'>(),
    handle: (call) => call.command('loan.activate', call.params.loanId),
  }),
  defineRoute({
    method: 'POST',
    path: '/people/{personId}/loans/{loanId}/cancel',
    operation: 'cancelLoan',
    tags: group,
    permission: 'loan:cancel',
    summary: 'Cancel a loan from its beginning',
    query: { validate: typia.misc.createValidatePrune<CancelLoanQuery>(), schemas: typia.json.schemas<[CancelLoanQuery], '3.1'>() },
    body: { validate: typia.misc.createValidatePrune<CancelLoanRequest>(), schemas: typia.json.schemas<[CancelLoanRequest], '3.1'>() },
    handle: (call) => call.command('loan.cancel', call.params.loanId),
  }),
  defineRoute({
    method: 'POST',
    path: '/people/{personId}/loans/{loanId}/close',
    operation: 'closeLoan',
    tags: group,
    permission: 'loan:close',
    summary: 'Close a loan to further advances',
    body: { validate: typia.misc.createValidatePrune<CloseLoanRequest>(), schemas: typia.json.schemas<[CloseLoanRequest], '3.1'>() },
    reply: loanReply,
    handle: (call) => call.command('loan.close', call.params.loanId),
  }),
  defineRoute({
    method: 'POST',
    path: '/people/{personId}/loans/{loanId}/freeze',
    operation: 'freezeLoan',
    tags: group,
    permission: 'loan:freeze',
    summary: 'Freeze an active loan',
    query: syncQuery,
    body: action,
    reply: loanReply,
    handle: (call) => call.command('loan.freeze', call.params.loanId),
  }),
  defineRoute({
    method: 'POST',
    path: '/people/{personId}/loans/{loanId}/unfreeze',
    operation: 'unfreezeLoan',
    tags: group,
    permission: 'loan:unfreeze',
    summary: 'Unfreeze a frozen loan',
    query: syncQuery,
    body: { validate: typia.misc.createValidatePrune<UnfreezeLoanRequest>(), schemas: typia.json.schemas<[UnfreezeLoanRequest], '3.1'>() },
    reply: typia.json.schemas<[Omit<ScheduleReply, 'isLocked'>], '3.1'>(),
    handle: (call) => call.command('loan.unfreeze', call.params.loanId),
  }),
  defineRoute({
    method: 'POST',
    path: '/people/{personId}/loans/{loanId}/accelerate',
    operation: 'accelerateLoan',
    tags: group,
    permission: 'loan:accelerate',
    summary: 'Accelerate a loan: its whole balance becomes due',
    query: syncQuery,
    body: {
      validate: typia.misc.createValidatePrune<AccelerateLoanRequest>(),
      schemas: typia.json.schemas<[AccelerateLoanRequest], '3.1'>(),
    },
    reply: typia.json.schemas<[Accelerated], '3.1'>(),
    handle: (call) => call.command('loan.accelerate', call.params.loanId),
  }),
  defineRoute({
    method: 'POST',
    path: '/people/{personId}/loans/{loanId}/reverse-accelerate',
    operation: 'reverseAccelerateLoan',
    tags: group,
    permission: 'loan:accelerate.reverse',
    summary: 'Reverse an acceleration',
    query: syncQuery,
    body: action,
    reply: typia.json.schemas<[AccelerationReversed], '3.1'>(),
    handle: (call) => call.command('loan.reverseAccelerate', call.params.loanId),
  }),
  defineRoute({
    method: 'POST',
    path: '/people/{personId}/loans/{loanId}/charge-off',
    operation: 'chargeOffLoan',
    tags: group,
    permission: 'loan:chargeoff',
    summary: 'Charge a loan off',
    query: syncQuery,
    body: {
      validate: typia.misc.createValidatePrune<ChargeOffLoanRequest>(),
      schemas: typia.json.schemas<[ChargeOffLoanRequest], '3.1'>(),
    },
    reply: typia.json.schemas<[ChargedOff], '3.1'>(),
    handle: (call) => call.command('loan.chargeOff', call.params.loanId),
  }),
  defineRoute({
    method: 'POST',
    path: '/people/{personId}/loans/{loanId}/reverse-charge-off',
    operation: 'reverseChargeOffLoan',
    tags: group,
    permission: 'loan:chargeoff.reverse',
    summary: 'Reverse a charge-off',
    query: syncQuery,
    body: action,
    reply: typia.json.schemas<[ChargeOffReversed], '3.1'>(),
    handle: (call) => call.command('loan.reverseChargeOff', call.params.loanId),
  }),
  defineRoute({
    method: 'POST',
    path: '/people/{personId}/loans/{loanId}/refresh',
    operation: 'refreshLoan',
    tags: group,
    permission: 'loan:refresh',
    summary: 'Bring obligations, schedule and accrual of a loan up to today',
    query: syncQuery,
    body: action,
    reply: loanReply,
    handle: (call) => call.command('loan.refresh', call.params.loanId),
  }),
];
