import { refuse } from '../../errors.js';
import { pageOf } from '../../page.js';
import type { QuerySpec } from '../../kernel/actor.js';
import { requirePerson } from '../context.js';
import type { LoanState } from '../state.js';
import { isLive, livePlan } from './plan.js';
import type { AutopayPaymentStatus, ListAutopayPaymentsQuery, ListAutopayPlansQuery } from './requests.js';
import { allPaymentViews, autopayView } from './view.js';

const COMING: readonly AutopayPaymentStatus[] = ['booked', 'processing'];

/** `GET L/autopay`, the plans before it, and its payments. */
export const autopayQueries: readonly QuerySpec<LoanState>[] = [
  {
    kind: 'loan',
    type: 'autopay.get',
    on: 'target',
    read({ state, request, env }) {
      requirePerson(state, request.params['personId'], env);
      const plan = livePlan(state) ?? refuse('notFound', `The loan ${state.id} has no autopay plan.`);
      return autopayView(state, env, plan);
    },
  },
  {
    kind: 'loan',
    type: 'autopay.history',
    on: 'target',
    read({ state, query, request, env }) {
      requirePerson(state, request.params['personId'], env);
      const ended = state.autopay.filter((plan) => !isLive(plan)).reverse();
      return pageOf(ended, query as ListAutopayPlansQuery, (plan) => autopayView(state, env, plan));
    },
  },
  {
    kind: 'loan',
    type: 'autopay.expectedPayments',
    on: 'target',
    read({ state, query, request, env }) {
      requirePerson(state, request.params['personId'], env);
      const { status = COMING, ...page } = query as ListAutopayPaymentsQuery;
      const plan = livePlan(state);
      const payments = plan === null ? [] : allPaymentViews(state, env, plan);
      return pageOf(
        payments.filter((payment) => status.includes(payment.status)),
        page,
        (payment) => payment,
      );
    },
  },
];
