import typia from 'typia';
import {
  type CreateTapeFileBody,
  type LoanTapeCreateBody,
  type LoanTapeListQuery,
  type LoanTapeTypeCreateBody,
  type LoanTapeTypeListQuery,
  type LoanTapeTypeUpdateBody,
  type LoanTapeTypeView,
  type LoanTapeUpdateBody,
  type LoanTapeView,
  Refusal,
  type TapeFileListQuery,
  type TapeFileView,
} from '../../../actors/index.js';
import type { ContentStore } from '../../documents/content-store.js';
import { LIMITS } from '../../limits.js';
import { defineRoute, type Reply, type Route } from '../../routing/route.js';
import { declaredRoutes } from '../declared.js';
import { withKeyFault } from '../../pgp/pgp.js';
import { withNewServiceKeyPair, withServiceKeyPair } from '../../runners/ssh-keys.js';
import { ownCompany } from '../own-company.js';

const tags = ['Loan tapes'];
const FILES = '/companies/{companyId}/loan-tapes/{loanTapeId}/files';

const typeRoutes: readonly Route[] = declaredRoutes({
  type: 'loanTapeType',
  name: 'LoanTapeType',
  noun: 'loan tape type',
  path: '/companies/{companyId}/loan-tape-types',
  param: 'loanTapeTypeId',
  tags,
  permissions: {
    list: 'loan.tape.type:list',
    read: 'loan.tape.type:read',
    create: 'loan.tape.type:create',
    update: 'loan.tape.type:update',
    delete: 'loan.tape.type:update',
  },
  createStatus: 200,
  deleteStatus: 204,
  query: {
    validate: typia.misc.createValidatePrune<LoanTapeTypeListQuery>(),
    schemas: typia.json.schemas<[LoanTapeTypeListQuery], '3.1'>(),
  },
  create: {
    validate: typia.misc.createValidatePrune<LoanTapeTypeCreateBody>(),
    schemas: typia.json.schemas<[LoanTapeTypeCreateBody], '3.1'>(),
  },
  update: {
    validate: typia.misc.createValidatePrune<LoanTapeTypeUpdateBody>(),
    schemas: typia.json.schemas<[LoanTapeTypeUpdateBody], '3.1'>(),
  },
  reply: typia.json.schemas<[LoanTapeTypeView], '3.1'>(),
  listReply: typia.json.schemas<[LoanTapeTypeView[]], '3.1'>(),
});

const tapeRoutes: readonly Route[] = declaredRoutes({
  type: 'loanTape',
  name: 'LoanTape',
  noun: 'loan tape',
  path: '/companies/{companyId}/loan-tapes',
  param: 'loanTapeId',
  tags,
  permissions: {
    list: 'loan.tape:list',
    read: 'loan.tape:read',
    create: 'loan.tape:create',
    update: 'loan.tape:update',
    delete: 'loan.tape:update',
  },
  createStatus: 200,
  deleteStatus: 204,
  query: { validate: typia.misc.createValidatePrune<LoanTapeListQuery>(), schemas: typia.json.schemas<[LoanTapeListQuery], '3.1'>() },
  create: { validate: typia.misc.createValidatePrune<LoanTapeCreateBody>(), schemas: typia.json.schemas<[LoanTapeCreateBody], '3.1'>() },
  update: { validate: typia.misc.createValidatePrune<LoanTapeUpdateBody>(), schemas: typia.json.schemas<[LoanTapeUpdateBody], '3.1'>() },
  commandBody: async (body) => withNewServiceKeyPair(await withKeyFault(body)),
  updateBody: async (body, known) => withServiceKeyPair(await withKeyFault(body), known),
  reply: typia.json.schemas<[LoanTapeView], '3.1'>(),
  listReply: typia.json.schemas<[LoanTapeView[]], '3.1'>(),
});

/** Tapes of loans and payments: their types, their receivers and their files. */
export const loanTapeRoutes = (contents: ContentStore): readonly Route[] => [
  ...typeRoutes,
  ...tapeRoutes,
  defineRoute({
    method: 'GET',
    path: FILES,
    operation: 'listLoanTapeFiles',
    summary: 'List the files of a loan tape',
    tags,
    permission: 'loan.tape:read',
    envelope: 'list',
    query: { validate: typia.misc.createValidatePrune<TapeFileListQuery>(), schemas: typia.json.schemas<[TapeFileListQuery], '3.1'>() },
    reply: typia.json.schemas<[TapeFileView[]], '3.1'>(),
    handle: (call) => {
      ownCompany(call);
      return call.read('loanTapeFile.list', null);
    },
  }),
  defineRoute({
    method: 'POST',
    path: FILES,
    operation: 'createLoanTapeFile',
    summary: 'Make a file of a loan tape for a day, and send it',
    description:
      'A loans tape shows the loans at the end of the report date, or now if that is today, as far as it was recorded until ' +
      '`recordedAsOf`. A payments tape has the payments of the days before the report date, since the report date before. The file is ' +
      'made and sent in the background.',
    tags,
    permission: 'loan.tape:create',
    success: 201,
    body: { validate: typia.misc.createValidatePrune<CreateTapeFileBody>(), schemas: typia.json.schemas<[CreateTapeFileBody], '3.1'>() },
    reply: typia.json.schemas<[TapeFileView], '3.1'>(),
    handle: (call) => call.command('loanTapeFile.create', ownCompany(call)),
  }),
  defineRoute({
    method: 'GET',
    path: `${FILES}/{loanTapeFileId}/content`,
    operation: 'downloadLoanTapeFile',
    summary: 'Download a file of a loan tape, as it is sent',
    tags,
    permission: 'loan.tape:read',
    envelope: 'file',
    handle: async (call): Promise<Reply> => {
      ownCompany(call);
      const { data } = await call.read('loanTapeFile.contents', call.params.loanTapeFileId);
      const { name, bytes, pieces } = data;
      if (bytes > LIMITS.tapeFileBytes)
        throw new Refusal('ruleViolation', `The file has ${bytes} bytes; ${LIMITS.tapeFileBytes} can be downloaded. Get it by SFTP.`);
      const file: Buffer[] = [];
      for (const piece of pieces) file.push(await contents.get(piece));
      return {
        data: Buffer.concat(file),
        headers: { 'Content-Type': 'application/octet-stream', 'Content-Disposition': `attachment; filename="${name}"` },
      };
    },
  }),
];
