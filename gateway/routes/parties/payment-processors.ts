import typia from 'typia';
import type {
  ConnectionTestView,
  FundingBalanceCreateBody,
  FundingBalanceQuery,
  FundingBalanceView,
  FundingInstrumentCreateBody,
  FundingInstrumentQuery,
  FundingInstrumentUpdateBody,
  FundingInstrumentView,
  FundingInstrumentWriteQuery,
  PaymentProcessorCreateRequest,
  PaymentProcessorQuery,
  PaymentProcessorUpdateBody,
  PaymentProcessorUpdateRequest,
  PaymentProcessorView,
  PaymentProcessorWriteQuery,
} from '../../../actors/index.js';
import { fieldOf } from '../../../engine/index.js';
import type { AddressRules } from '../../outgoing.js';
import { faultOfPublicKey, newPgpPair } from '../../pgp/pgp.js';
import { withServiceKeyPair } from '../../runners/ssh-keys.js';
import { type Call, defineRoute, type Route } from '../../routing/route.js';
import { declaredRoutes } from '../declared.js';
import { ownCompany } from '../own-company.js';

const TAGS = ['Payment processors'];
const PATH = '/payment-processors';
const ONE = `${PATH}/{paymentProcessorId}`;

const processorReply = typia.json.schemas<[PaymentProcessorView], '3.1'>();
const writeQuery = {
  validate: typia.misc.createValidatePrune<PaymentProcessorWriteQuery>(),
  schemas: typia.json.schemas<[PaymentProcessorWriteQuery], '3.1'>(),
};

type Writing = Pick<Call, 'read' | 'caller'> & {
  readonly params: object;
  readonly query: PaymentProcessorWriteQuery;
  readonly body: PaymentProcessorUpdateRequest;
};

/** The keys that are made now are not at the bank yet, so that only another login can be tested. */
async function withTest(call: Writing, body: PaymentProcessorUpdateBody): Promise<void> {
  const { skipConnectionTest = false } = call.query;
  if (skipConnectionTest || body.serviceKeyPair !== undefined) return;
  await call.read('paymentProcessor.testConnection', ownCompany(call), { query: { change: body } });
}

/** With the pairs of keys that the body asks for and the processor does not have, and what is wrong with the bank's key. */
async function bodyOf(call: Writing, addresses: AddressRules): Promise<PaymentProcessorUpdateBody> {
  const { body } = call;
  const known = async (): Promise<unknown> =>
    'paymentProcessorId' in call.params ? (await call.read('paymentProcessor.get', ownCompany(call))).data : null;
  const needsPgp = body.signOutgoing === true || body.encryptionMethodIncoming === 'GPG';
  const fault = body.thirdPartyPublicKey == null ? null : await faultOfPublicKey(body.thirdPartyPublicKey);
  const cardApiUrlFault = body.cardApiUrl == null ? null : addresses.faultOf(body.cardApiUrl);
  return {
    ...(await withServiceKeyPair(body, known)),
    ...(cardApiUrlFault === null ? {} : { cardApiUrlFault }),
    ...(needsPgp && typeof fieldOf(await known(), 'gpgServicePublicKey') !== 'string' ? { gpgKeyPair: await newPgpPair() } : {}),
    ...(fault === null ? {} : { thirdPartyPublicKeyFault: fault }),
  };
}

/** The banks by which a lender moves money, and its accounts there. */
export const paymentProcessorRoutes = (addresses: AddressRules): readonly Route[] => [
  defineRoute({
    method: 'GET',
    path: PATH,
    operation: 'listPaymentProcessors',
    summary: 'List payment processors',
    tags: TAGS,
    permission: 'payment.processor:list',
    envelope: 'list',
    query: {
      validate: typia.misc.createValidatePrune<PaymentProcessorQuery>(),
      schemas: typia.json.schemas<[PaymentProcessorQuery], '3.1'>(),
    },
    reply: typia.json.schemas<[PaymentProcessorView[]], '3.1'>(),
    handle: (call) => call.read('paymentProcessor.list', ownCompany(call)),
  }),
  defineRoute({
    method: 'POST',
    path: PATH,
    operation: 'createPaymentProcessor',
    summary: 'Create a payment processor',
    tags: TAGS,
    description:
      'The SFTP connection is tested first, if there is a host: a failed test is answered with 400, and nothing is stored. With ' +
      '`sftpAccessMethod` keys the service makes a pair of keys: give the public one to the bank, then test the connection. With ' +
      '`signOutgoing` or `encryptionMethodIncoming` it makes an OpenPGP pair, too: `gpgServicePublicKey` is for the bank.',
    permission: 'payment.processor:create',
    success: 201,
    query: writeQuery,
    body: {
      validate: typia.misc.createValidatePrune<PaymentProcessorCreateRequest>(),
      schemas: typia.json.schemas<[PaymentProcessorCreateRequest], '3.1'>(),
    },
    reply: processorReply,
    async handle(call) {
      const body = await bodyOf(call, addresses);
      await withTest(call, body);
      return call.command('paymentProcessor.create', ownCompany(call), { body });
    },
  }),
  defineRoute({
    method: 'GET',
    path: ONE,
    operation: 'getPaymentProcessor',
    summary: 'Get a payment processor',
    tags: TAGS,
    permission: 'payment.processor:read',
    reply: processorReply,
    handle: (call) => call.read('paymentProcessor.get', ownCompany(call)),
  }),
  defineRoute({
    method: 'PUT',
    path: ONE,
    operation: 'updatePaymentProcessor',
    summary: 'Update a payment processor',
    tags: TAGS,
    permission: 'payment.processor:update',
    query: writeQuery,
    body: {
      validate: typia.misc.createValidatePrune<PaymentProcessorUpdateRequest>(),
      schemas: typia.json.schemas<[PaymentProcessorUpdateRequest], '3.1'>(),
    },
    reply: processorReply,
    async handle(call) {
      const body = await bodyOf(call, addresses);
      await withTest(call, body);
      return call.command('paymentProcessor.update', ownCompany(call), { body });
    },
  }),
  defineRoute({
    method: 'POST',
    path: `${ONE}/test-connection`,
    operation: 'testPaymentProcessorConnection',
    summary: 'Test the connection of a payment processor: its SFTP server, or the address of a processor of cards',
    tags: TAGS,
    permission: 'payment.processor:create',
    reply: typia.json.schemas<[ConnectionTestView], '3.1'>(),
    handle: (call) => call.read('paymentProcessor.testConnection', ownCompany(call), { query: { change: {}, isAsked: true } }),
  }),
  defineRoute({
    method: 'DELETE',
    path: ONE,
    operation: 'deletePaymentProcessor',
    summary: 'Delete a payment processor that is a draft',
    tags: TAGS,
    permission: 'payment.processor:update',
    success: 204,
    handle: (call) => call.command('paymentProcessor.delete', ownCompany(call)),
  }),
  defineRoute({
    method: 'GET',
    path: `${ONE}/funding-account-balances`,
    operation: 'listFundingAccountBalances',
    summary: "List the recorded balances of the lender's accounts",
    tags: TAGS,
    permission: 'funding.instrument:read',
    envelope: 'list',
    query: {
      validate: typia.misc.createValidatePrune<FundingBalanceQuery>(),
      schemas: typia.json.schemas<[FundingBalanceQuery], '3.1'>(),
    },
    reply: typia.json.schemas<[FundingBalanceView[]], '3.1'>(),
    handle: (call) => call.read('fundingAccountBalance.list', ownCompany(call)),
  }),
  defineRoute({
    method: 'POST',
    path: `${ONE}/funding-account-balances`,
    operation: 'createFundingAccountBalance',
    summary: 'Record the balance of an account of the lender',
    tags: TAGS,
    permission: 'funding.instrument:update',
    success: 201,
    body: {
      validate: typia.misc.createValidatePrune<FundingBalanceCreateBody>(),
      schemas: typia.json.schemas<[FundingBalanceCreateBody], '3.1'>(),
    },
    reply: typia.json.schemas<[FundingBalanceView], '3.1'>(),
    handle: (call) => call.command('fundingAccountBalance.create', ownCompany(call)),
  }),
  ...declaredRoutes({
    type: 'fundingInstrument',
    name: 'FundingInstrument',
    noun: 'funding instrument',
    path: `${ONE}/funding-instruments`,
    param: 'fundingInstrumentId',
    tags: TAGS,
    permissions: {
      list: 'funding.instrument:list',
      read: 'funding.instrument:read',
      create: 'funding.instrument:create',
      update: 'funding.instrument:update',
      delete: 'funding.instrument:update',
    },
    createStatus: 201,
    query: {
      validate: typia.misc.createValidatePrune<FundingInstrumentQuery>(),
      schemas: typia.json.schemas<[FundingInstrumentQuery], '3.1'>(),
    },
    create: {
      validate: typia.misc.createValidatePrune<FundingInstrumentCreateBody>(),
      schemas: typia.json.schemas<[FundingInstrumentCreateBody], '3.1'>(),
    },
    update: {
      validate: typia.misc.createValidatePrune<FundingInstrumentUpdateBody>(),
      schemas: typia.json.schemas<[FundingInstrumentUpdateBody], '3.1'>(),
    },
    writeQuery: {
      validate: typia.misc.createValidatePrune<FundingInstrumentWriteQuery>(),
      schemas: typia.json.schemas<[FundingInstrumentWriteQuery], '3.1'>(),
    },
    reply: typia.json.schemas<[FundingInstrumentView], '3.1'>(),
    listReply: typia.json.schemas<[FundingInstrumentView[]], '3.1'>(),
  }).map((route) => (route.method === 'DELETE' ? { ...route, success: 204 as const } : route)),
];
