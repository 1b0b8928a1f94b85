import typia from 'typia';
import {
  checkDigitFaults,
  type InstrumentCreateBody,
  type InstrumentListQuery,
  type InstrumentUpdateBody,
  type InstrumentView,
  type InstrumentWriteQuery,
  textOf,
  type VerifyBody,
} from '../../../actors/index.js';
import type { AddressRules } from '../../outgoing.js';
import { defineRoute, type Reply, type Route } from '../../routing/route.js';
import { verifyCardNow } from '../../runners/verify-card.js';

const TAGS = ['Payment instruments'];
const PATH = '/people/{personId}/payment-instruments';
const ONE = '/people/{personId}/payment-instruments/{paymentInstrumentId}';

const instrumentReply = typia.json.schemas<[InstrumentView], '3.1'>();
const instrumentsReply = typia.json.schemas<[InstrumentView[]], '3.1'>();
const listQuery = {
  validate: typia.misc.createValidatePrune<InstrumentListQuery>(),
  schemas: typia.json.schemas<[InstrumentListQuery], '3.1'>(),
};
const writeQuery = {
  validate: typia.misc.createValidatePrune<InstrumentWriteQuery>(),
  schemas: typia.json.schemas<[InstrumentWriteQuery], '3.1'>(),
};

/** The instrument of the reply, which may be the stored one of an earlier try. */
function madeIn({ data }: Reply): readonly [InstrumentView] {
  const made: readonly [InstrumentView] = JSON.parse(textOf(data));
  return made;
}

/** Payment instruments of borrowers. */
export const paymentInstrumentRoutes = (addresses: AddressRules): readonly Route[] => [
  defineRoute({
    method: 'GET',
    path: '/payment-instruments',
    operation: 'listAllPaymentInstruments',
    summary: 'List the payment instruments of all borrowers',
    tags: TAGS,
    permission: 'payment.instrument:list',
    envelope: 'list',
    query: listQuery,
    reply: instrumentsReply,
    handle: (call) => call.read('paymentInstrument.listAll', null),
  }),
  defineRoute({
    method: 'GET',
    path: PATH,
    operation: 'listPaymentInstruments',
    summary: 'List the payment instruments of a borrower',
    tags: TAGS,
    permission: 'payment.instrument:list',
    envelope: 'list',
    query: listQuery,
    reply: instrumentsReply,
    handle: (call) => call.read('paymentInstrument.list', call.params.personId),
  }),
  defineRoute({
    method: 'POST',
    path: PATH,
    operation: 'createPaymentInstrument',
    summary: 'Add a payment instrument',
    tags: TAGS,
    description:
      'Returns a list of one. A bank account is verified by two deposits (in test mode 32 and 45 cents); with `force`, ' +
      '`verified` and the permission payment.instrument:force it is active at once. A card is verified by its processor: with ' +
      '`sync` before the reply, if the processor can be asked, else afterwards and without its security code.',
    permission: 'payment.instrument:create',
    success: 201,
    query: writeQuery,
    body: {
      validate: typia.misc.createValidatePrune<InstrumentCreateBody>(),
      schemas: typia.json.schemas<[InstrumentCreateBody], '3.1'>(),
    },
    faultsOf: checkDigitFaults,
    reply: instrumentsReply,
    async handle(call) {
      const { body, query, caller, engine, params } = call;
      const reply = await call.command('paymentInstrument.create', params.personId);
      if (query.sync !== true || body.instrumentType !== 'card' || body.isExternal === true) return reply;
      const [{ id, personId, status }] = madeIn(reply);
      const tenant = { company: caller.company, mode: caller.mode };
      const asked = { tenant, personId, instrumentId: id, cvv: body.cvv ?? null };
      if (status !== 'pending' || !(await verifyCardNow(engine, addresses, asked))) return reply;
      const one = { personId, paymentInstrumentId: id };
      const after = await engine.query({
        ...tenant,
        type: 'paymentInstrument.get',
        target: personId,
        params: one,
        query: {},
        permissions: caller.permissions,
      });
      return { ...reply, data: [after] };
    },
  }),
  defineRoute({
    method: 'GET',
    path: ONE,
    operation: 'getPaymentInstrument',
    summary: 'Get a payment instrument',
    tags: TAGS,
    permission: 'payment.instrument:read',
    reply: instrumentReply,
    handle: (call) => call.read('paymentInstrument.get', call.params.personId),
  }),
  defineRoute({
    method: 'PUT',
    path: ONE,
    operation: 'updatePaymentInstrument',
    summary: 'Update a payment instrument',
    tags: TAGS,
    permission: 'payment.instrument:update',
    query: writeQuery,
    body: {
      validate: typia.misc.createValidatePrune<InstrumentUpdateBody>(),
      schemas: typia.json.schemas<[InstrumentUpdateBody], '3.1'>(),
    },
    reply: instrumentReply,
    handle: (call) => call.command('paymentInstrument.update', call.params.personId),
  }),
  defineRoute({
    method: 'DELETE',
    path: ONE,
    operation: 'deletePaymentInstrument',
    summary: 'Remove a payment instrument',
    tags: TAGS,
    permission: 'payment.instrument:delete',
    handle: (call) => call.command('paymentInstrument.delete', call.params.personId),
  }),
  defineRoute({
    method: 'POST',
    path: `${ONE}/verify`,
    operation: 'verifyPaymentInstrument',
    summary: 'Verify a bank account by the amounts of two deposits',
    tags: TAGS,
    permission: 'payment.instrument:update',
    body: { validate: typia.misc.createValidatePrune<VerifyBody>(), schemas: typia.json.schemas<[VerifyBody], '3.1'>() },
    reply: instrumentReply,
    handle: (call) => call.command('paymentInstrument.verify', call.params.personId),
  }),
  defineRoute({
    method: 'POST',
    path: `${ONE}/micro-deposits`,
    operation: 'sendMicroDeposits',
    summary: 'Send new deposits to verify a bank account',
    tags: TAGS,
    permission: 'payment.instrument:update',
    success: 202,
    reply: instrumentReply,
    handle: (call) => call.command('paymentInstrument.sendMicroDeposits', call.params.personId),
  }),
  defineRoute({
    method: 'POST',
    path: `${ONE}/prenote`,
    operation: 'orderPrenote',
    summary: 'Order a prenote of a bank account',
    tags: TAGS,
    description:
      'An entry of zero goes out with the next file of the processor. Payments with the account wait for the days that the processor ' +
      'names (`achPrenoteWaitDays`). If its bank sends the entry back, the account becomes inactive.',
    permission: 'payment.instrument:update',
    success: 202,
    reply: instrumentReply,
    handle: (call) => call.command('paymentInstrument.orderPrenote', call.params.personId),
  }),
];
