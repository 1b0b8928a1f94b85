import typia from 'typia';
import type {
  SendingDomainCreateBody,
  SendingDomainListQuery,
  SendingDomainUpdateBody,
  SendingDomainView,
  SendingNumberCreateBody,
  SendingNumberListQuery,
  SendingNumberUpdateBody,
  SendingNumberView,
  VerifyDomainBody,
} from '../../../actors/index.js';
import type { NameServers } from '../../outgoing.js';
import { type Call, defineRoute, type Route } from '../../routing/route.js';
import { declaredRoutes } from '../declared.js';
import { ownCompany } from '../own-company.js';

const TAGS = ['Communicator'];
const DOMAINS = '/companies/{companyId}/sending-domains';

const permissionsOf = (group: string): Record<'list' | 'read' | 'create' | 'update' | 'delete', string> => ({
  list: `${group}:read`,
  read: `${group}:read`,
  create: `${group}:create`,
  update: `${group}:update`,
  delete: `${group}:delete`,
});

const domainReply = typia.json.schemas<[SendingDomainView], '3.1'>();

/** The domains and numbers from which a company sends. */
export const sendingRoutes = (names: NameServers): readonly Route[] => [
  ...declaredRoutes({
    type: 'sendingDomain',
    name: 'SendingDomain',
    noun: 'mail domain',
    path: DOMAINS,
    param: 'sendingDomainId',
    tags: TAGS,
    permissions: permissionsOf('communicator.sendingdomain'),
    createStatus: 200,
    query: {
      validate: typia.misc.createValidatePrune<SendingDomainListQuery>(),
      schemas: typia.json.schemas<[SendingDomainListQuery], '3.1'>(),
    },
    create: {
      validate: typia.misc.createValidatePrune<SendingDomainCreateBody>(),
      schemas: typia.json.schemas<[SendingDomainCreateBody], '3.1'>(),
    },
    update: {
      validate: typia.misc.createValidatePrune<SendingDomainUpdateBody>(),
      schemas: typia.json.schemas<[SendingDomainUpdateBody], '3.1'>(),
    },
    reply: domainReply,
    listReply: typia.json.schemas<[SendingDomainView[]], '3.1'>(),
  }),
  defineRoute({
    method: 'POST',
    path: `${DOMAINS}/{sendingDomainId}/verify`,
    operation: 'verifySendingDomain',
    summary: 'Check the DNS records of a mail domain again',
    tags: TAGS,
    permission: 'communicator.sendingdomain:update',
    reply: domainReply,
    handle: async (call) => call.command('sendingDomain.verify', ownCompany(call), { body: await foundOf(names, call) }),
  }),
  ...declaredRoutes({
    type: 'sendingNumber',
    name: 'SendingNumber',
    noun: 'sending number',
    path: '/companies/{companyId}/sending-numbers',
    param: 'sendingNumberId',
    tags: TAGS,
    permissions: permissionsOf('communicator.sendingnumber'),
    createStatus: 200,
    query: {
      validate: typia.misc.createValidatePrune<SendingNumberListQuery>(),
      schemas: typia.json.schemas<[SendingNumberListQuery], '3.1'>(),
    },
    create: {
      validate: typia.misc.createValidatePrune<SendingNumberCreateBody>(),
      schemas: typia.json.schemas<[SendingNumberCreateBody], '3.1'>(),
    },
    update: {
      validate: typia.misc.createValidatePrune<SendingNumberUpdateBody>(),
      schemas: typia.json.schemas<[SendingNumberUpdateBody], '3.1'>(),
    },
    reply: typia.json.schemas<[SendingNumberView], '3.1'>(),
    listReply: typia.json.schemas<[SendingNumberView[]], '3.1'>(),
  }),
];

/** The DNS records of the domain, read here because decisions must not call name servers. */
async function foundOf(
  names: NameServers,
  call: Call<{ readonly companyId: string; readonly sendingDomainId: string }>,
): Promise<VerifyDomainBody> {
  const { data } = await call.read('sendingDomain.get', ownCompany(call), { query: {} });
  const { dnsRecords } = data;
  const found = await Promise.all(dnsRecords.map(async (record) => [record.host, await names.texts(record, call.caller.mode)] as const));
  return { found: Object.fromEntries(found) };
}
