import typia from 'typia';
import type { PairingConfigCreateBody, PairingConfigListQuery, PairingConfigUpdateBody, PairingConfigView } from '../../../actors/index.js';
import { defineRoute, type Route } from '../../routing/route.js';
import { declaredRoutes } from '../declared.js';
import { ownCompany } from '../own-company.js';

const TAGS = ['Tasks'];
const PATH = '/companies/{companyId}/task-worker-pairing-configs';
const [READ, WRITE] = ['pairingconfig:read', 'pairingconfig:update'] as const;

interface PairingSyncView {
  readonly object: 'taskWorkerPairingSync';
  readonly companyId: string;
  /** In the order of evaluation. */
  readonly syncedConfigIds: readonly string[];
}

/** Rules that assign tasks to workers. */
export const pairingRoutes: readonly Route[] = [
  ...declaredRoutes({
    type: 'taskWorkerPairingConfig',
    name: 'TaskWorkerPairingConfig',
    noun: 'task-worker pairing configuration',
    path: PATH,
    param: 'id',
    tags: TAGS,
    permissions: { list: READ, read: READ, create: WRITE, update: WRITE, delete: WRITE },
    createStatus: 200,
    query: {
      validate: typia.misc.createValidatePrune<PairingConfigListQuery>(),
      schemas: typia.json.schemas<[PairingConfigListQuery], '3.1'>(),
    },
    create: {
      validate: typia.misc.createValidatePrune<PairingConfigCreateBody>(),
      schemas: typia.json.schemas<[PairingConfigCreateBody], '3.1'>(),
    },
    update: {
      validate: typia.misc.createValidatePrune<PairingConfigUpdateBody>(),
      schemas: typia.json.schemas<[PairingConfigUpdateBody], '3.1'>(),
    },
    reply: typia.json.schemas<[PairingConfigView], '3.1'>(),
    listReply: typia.json.schemas<[PairingConfigView[]], '3.1'>(),
  }),
  defineRoute({
    method: 'POST',
    path: `${PATH}/sync`,
    operation: 'syncTaskWorkerPairingConfigs',
    summary: 'Publish the pairing configurations',
    tags: TAGS,
    permission: WRITE,
    reply: typia.json.schemas<[PairingSyncView], '3.1'>(),
    handle: (call) => call.command('taskWorkerPairingConfig.sync', ownCompany(call)),
  }),
];
