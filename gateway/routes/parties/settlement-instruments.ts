import typia from 'typia';
import type {
  SettlementInstrumentCreateBody,
  SettlementInstrumentListQuery,
  SettlementInstrumentUpdateBody,
  SettlementInstrumentView,
  SettlementInstrumentWriteQuery,
} from '../../../actors/index.js';
import { defineRoute, type Route } from '../../routing/route.js';
import { declaredRoutes } from '../declared.js';
import { ownCompany } from '../own-company.js';

const TAGS = ['Settlement instruments'];
const query = {
  validate: typia.misc.createValidatePrune<SettlementInstrumentListQuery>(),
  schemas: typia.json.schemas<[SettlementInstrumentListQuery], '3.1'>(),
};
const listReply = typia.json.schemas<[SettlementInstrumentView[]], '3.1'>();

/** Bank accounts of investors, to which their part of payments goes. */
export const settlementInstrumentRoutes: readonly Route[] = [
  ...declaredRoutes({
    type: 'settlementInstrument',
    name: 'SettlementInstrument',
    noun: 'settlement instrument',
    path: '/companies/{companyId}/investors/{investorId}/settlement-instruments',
    param: 'settlementInstrumentId',
    tags: TAGS,
    permissions: {
      list: 'settlement.instrument:list',
      read: 'settlement.instrument:read',
      create: 'settlement.instrument:create',
      update: 'settlement.instrument:update',
      delete: 'settlement.instrument:update',
    },
    createStatus: 201,
    deleteStatus: 204,
    query,
    writeQuery: {
      validate: typia.misc.createValidatePrune<SettlementInstrumentWriteQuery>(),
      schemas: typia.json.schemas<[SettlementInstrumentWriteQuery], '3.1'>(),
    },
    create: {
      validate: typia.misc.createValidatePrune<SettlementInstrumentCreateBody>(),
      schemas: typia.json.schemas<[SettlementInstrumentCreateBody], '3.1'>(),
    },
    update: {
      validate: typia.misc.createValidatePrune<SettlementInstrumentUpdateBody>(),
      schemas: typia.json.schemas<[SettlementInstrumentUpdateBody], '3.1'>(),
    },
    reply: typia.json.schemas<[SettlementInstrumentView], '3.1'>(),
    listReply,
  }),
  defineRoute({
    method: 'GET',
    path: '/companies/{companyId}/settlement-instruments',
    operation: 'listAllSettlementInstruments',
    summary: 'List the settlement instruments of all investors',
    tags: TAGS,
    permission: 'settlement.instrument:list',
    envelope: 'list',
    query,
    reply: listReply,
    handle: (call) => call.read('settlementInstrument.listAll', ownCompany(call)),
  }),
];
