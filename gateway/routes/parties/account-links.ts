import typia from 'typia';
import {
  type AccountLinkBody,
  type AccountLinkUpdateBody,
  type AccountLinkView,
  type BankLinkTokenBody,
  type BankLinkTokenView,
  dateTimeText,
  type LinkAccess,
  type LinkCommandBody,
  type LinkedBalanceView,
  type Mode,
  Refusal,
} from '../../../actors/index.js';
import { ask } from '../../answers.js';
import { type BankLinkVendor, vendorOf } from '../../bank-link.js';
import type { Lookups } from '../../lookups.js';
import { type Call, defineRoute, type Route } from '../../routing/route.js';

const TAGS = ['Payment instruments'];
const ONE = '/people/{personId}/payment-instruments/{paymentInstrumentId}';
const linkReply = typia.json.schemas<[AccountLinkView], '3.1'>();
const balanceReply = typia.json.schemas<[LinkedBalanceView], '3.1'>();

/** A link token can be used for so long, in milliseconds. */
const TOKEN_MS = 1_800_000;

/** Links of bank accounts at a vendor of bank data. */
export const accountLinkRoutes = ({ bankLink }: Pick<Lookups, 'bankLink'>): readonly Route[] => {
  const vendorFor = (mode: Mode): BankLinkVendor => {
    const vendor = vendorOf(mode, bankLink);
    if (vendor === null) throw new Refusal('ruleViolation', 'No vendor of bank data is connected to this installation.');
    return vendor;
  };
  return [
    defineRoute({
      method: 'POST',
      path: '/people/{personId}/payment-instruments/bank-link-token',
      operation: 'createBankLinkToken',
      summary: 'Create the token with which a borrower signs in at a bank',
      tags: TAGS,
      permission: 'payment.instrument:create',
      success: 201,
      body: { validate: typia.misc.createValidatePrune<BankLinkTokenBody>(), schemas: typia.json.schemas<[BankLinkTokenBody], '3.1'>() },
      reply: typia.json.schemas<[BankLinkTokenView], '3.1'>(),
      async handle(call) {
        const { redirectUri = null, paymentInstrumentId = null } = call.body;
        await call.read('person.get', call.params.personId, { query: {} });
        const known = paymentInstrumentId === null ? null : await accessOf(call, paymentInstrumentId);
        const linkToken = await vendorFor(call.caller.mode).linkToken({ redirectUri, accessToken: known?.accessToken ?? null });
        const data: BankLinkTokenView = { object: 'bankLinkToken', linkToken, expiresAt: dateTimeText(Date.now() + TOKEN_MS) };
        return { data };
      },
    }),
    defineRoute({
      method: 'GET',
      path: `${ONE}/account-link`,
      operation: 'getAccountLink',
      summary: 'Get the link of a bank account',
      tags: TAGS,
      permission: 'payment.instrument:read',
      reply: linkReply,
      handle: (call) => call.read('paymentInstrument.getLink', call.params.personId),
    }),
    defineRoute({
      method: 'POST',
      path: `${ONE}/account-link`,
      operation: 'createAccountLink',
      summary: 'Link a bank account, instead of a former link',
      description: 'With the data service `accountInfo` the vendor is asked for the account: the same one is verified by the link.',
      tags: TAGS,
      permission: 'payment.instrument:update',
      body: { validate: typia.misc.createValidatePrune<AccountLinkBody>(), schemas: typia.json.schemas<[AccountLinkBody], '3.1'>() },
      reply: linkReply,
      async handle(call) {
        const { body } = call;
        const { personId, paymentInstrumentId } = call.params;
        const asks = body.dataServices?.includes('accountInfo') ?? true;
        const known = await accessOf(call, paymentInstrumentId);
        const found = asks ? await vendorFor(call.caller.mode).account(body) : null;
        const isSame = found !== null && found.accountNumber === known.accountNumber && found.routingNumber === known.routingNumber;
        const command: LinkCommandBody = { ...body, isSameAccount: asks ? isSame : null };
        return call.command('paymentInstrument.link', personId, { body: command });
      },
    }),
    defineRoute({
      method: 'PUT',
      path: `${ONE}/account-link`,
      operation: 'updateAccountLink',
      summary: 'Update the link of a bank account',
      tags: TAGS,
      permission: 'payment.instrument:update',
      body: {
        validate: typia.misc.createValidatePrune<AccountLinkUpdateBody>(),
        schemas: typia.json.schemas<[AccountLinkUpdateBody], '3.1'>(),
      },
      reply: linkReply,
      handle: (call) => call.command('paymentInstrument.changeLink', call.params.personId),
    }),
    defineRoute({
      method: 'DELETE',
      path: `${ONE}/account-link`,
      operation: 'deleteAccountLink',
      summary: 'Drop the link of a bank account',
      tags: TAGS,
      permission: 'payment.instrument:update',
      handle: (call) => call.command('paymentInstrument.unlink', call.params.personId),
    }),
    defineRoute({
      method: 'GET',
      path: `${ONE}/balance`,
      operation: 'getLinkedBalance',
      summary: 'Get the balance of a linked account as it was fetched last',
      tags: TAGS,
      permission: 'payment.instrument:read',
      reply: balanceReply,
      handle: (call) => call.read('paymentInstrument.getBalance', call.params.personId),
    }),
    defineRoute({
      method: 'POST',
      path: `${ONE}/balance`,
      operation: 'fetchLinkedBalance',
      summary: 'Fetch the balance of a linked account',
      tags: TAGS,
      permission: 'payment.instrument:update',
      reply: balanceReply,
      async handle(call) {
        const { personId, paymentInstrumentId } = call.params;
        const { accessToken, accountId, dataServices } = await accessOf(call, paymentInstrumentId);
        if (accountId === '') throw new Refusal('notFound', `The payment instrument ${paymentInstrumentId} has no account link.`);
        if (!dataServices.includes('balance'))
          throw new Refusal('ruleViolation', 'The link does not include the data service `balance`. Add it to the link first.');
        const body = await vendorFor(call.caller.mode).balance({ accessToken, accountId });
        return call.command('paymentInstrument.recordBalance', personId, { body });
      },
    }),
  ];
};

/** With what the vendor lets the service in. It stays inside of the service. */
function accessOf(
  call: Pick<Call, 'engine' | 'caller'> & { readonly params: { readonly personId: string } },
  paymentInstrumentId: string,
): Promise<LinkAccess> {
  const { company, mode, permissions } = call.caller;
  const { personId } = call.params;
  const params = { personId, paymentInstrumentId };
  return ask(call.engine, {
    company,
    mode,
    type: 'paymentInstrument.linkAccess',
    target: personId,
    params,
    query: {},
    permissions,
  });
}
