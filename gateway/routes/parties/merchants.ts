import typia from 'typia';
import {
  type MerchantCreateBody,
  type MerchantListQuery,
  type MerchantUpdateBody,
  type MerchantView,
  type PartyWriteQuery,
  type RemittanceEntryView,
  type RemittanceQuery,
  toJsonText,
} from '../../../actors/index.js';
import { csvLine } from '../../../engine/index.js';
import { type Call, defineRoute, type Reply, type Route } from '../../routing/route.js';
import { declaredRoutes } from '../declared.js';
import { ownCompany } from '../own-company.js';

const tags = ['Merchants'];
const MERCHANTS = '/companies/{companyId}/merchants';

/** Merchants of loans and purchases. */
const declared: readonly Route[] = declaredRoutes({
  type: 'merchant',
  name: 'Merchant',
  noun: 'merchant',
  path: MERCHANTS,
  param: 'merchantId',
  tags,
  permissions: {
    list: 'merchant:list',
    read: 'merchant:read',
    create: 'merchant:create',
    update: 'merchant:update',
    delete: 'merchant:delete',
  },
  createStatus: 200,
  deleteStatus: 204,
  query: { validate: typia.misc.createValidatePrune<MerchantListQuery>(), schemas: typia.json.schemas<[MerchantListQuery], '3.1'>() },
  writeQuery: { validate: typia.misc.createValidatePrune<PartyWriteQuery>(), schemas: typia.json.schemas<[PartyWriteQuery], '3.1'>() },
  create: { validate: typia.misc.createValidatePrune<MerchantCreateBody>(), schemas: typia.json.schemas<[MerchantCreateBody], '3.1'>() },
  update: { validate: typia.misc.createValidatePrune<MerchantUpdateBody>(), schemas: typia.json.schemas<[MerchantUpdateBody], '3.1'>() },
  reply: typia.json.schemas<[MerchantView], '3.1'>(),
  listReply: typia.json.schemas<[MerchantView[]], '3.1'>(),
});

/** Merchants, and what they get for loans. */
export const merchantRoutes: readonly Route[] = [
  ...declared,
  defineRoute({
    method: 'GET',
    path: `${MERCHANTS}/{merchantId}/remittance`,
    operation: 'getMerchantRemittance',
    summary: 'List what a merchant gets for its loans, and what is held back and released, as JSON or CSV',
    description:
      'Of loans that name it at origination, those of the newest loans first. The amounts sum to what it is still to be paid: above zero ' +
      'are those in its favor.',
    tags,
    permission: 'merchant:read',
    envelope: 'list',
    query: { validate: typia.misc.createValidatePrune<RemittanceQuery>(), schemas: typia.json.schemas<[RemittanceQuery], '3.1'>() },
    reply: typia.json.schemas<[RemittanceEntryView[]], '3.1'>(),
    handle: async (call): Promise<Reply> => {
      ownCompany(call);
      return call.query.format === 'csv' ? csvOf(call) : call.read('loan.merchantRemittance', null);
    },
  }),
];

/** Entries of a page of the file. */
const PAGE = 500;
const HEAD = 'id,loanId,loanExternalId,type,date,amount';

const lineOf = ({ id, loanId, loanExternalId, type, date, amount }: RemittanceEntryView): string =>
  csvLine([id, loanId, loanExternalId ?? '', type, date, amount.toFixed(2)]);

async function csvOf(call: Call<{ readonly companyId: string; readonly merchantId: string }, RemittanceQuery>): Promise<Reply> {
  const { fromDate, toDate } = call.query;
  const span = { ...(fromDate === undefined ? {} : { fromDate }), ...(toDate === undefined ? {} : { toDate }) };
  const lines = [HEAD];
  for (let startingAfter: string | undefined; ; ) {
    const query = { ...span, limit: PAGE, ...(startingAfter === undefined ? {} : { startingAfter }) };
    const { items, hasMore } = (await call.read('loan.merchantRemittance', null, { query })).data;
    const entries: readonly RemittanceEntryView[] = JSON.parse(toJsonText(items));
    for (const entry of entries) lines.push(lineOf(entry));
    startingAfter = items.at(-1)?.id;
    if (!hasMore || startingAfter === undefined) break;
  }
  return {
    data: Buffer.from(lines.map((line) => `${line}\r\n`).join('')),
    isFile: true,
    headers: {
      'Content-Type': 'text/csv; charset=utf-8',
      'Content-Disposition': `attachment; filename="remittance_${call.params.merchantId}.csv"`,
    },
  };
}
