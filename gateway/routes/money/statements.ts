import typia from 'typia';
import type {
  DrawInfoReply,
  GenerateStatementRequest,
  ListStatementsQuery,
  RecordStatementRequest,
  SendStatementRequest,
  StatementActivitiesQuery,
  StatementActivityReply,
  StatementDetailsReply,
  StatementDocumentQuery,
  StatementReply,
  StatementSentReply,
  UpdateStatementRequest,
} from '../../../actors/index.js';
import { statementHtml, statementPdf } from '../../documents/statement-document.js';
import type { Renderer } from '../../rendering/renderer.js';
import { defineRoute, type Route } from '../../routing/route.js';
import { pageQuery, syncQuery } from '../../routing/shared-queries.js';

const group = ['Statements'];
const one = typia.json.schemas<[StatementReply], '3.1'>();

/** Statements of loans with their versions, lines and documents. */
export const statementRoutes = (renderer: Renderer): readonly Route[] => [
  defineRoute({
    method: 'GET',
    path: '/people/{personId}/loans/{loanId}/statements',
    operation: 'listStatements',
    tags: group,
    permission: 'statement:list',
    envelope: 'list',
    summary: 'List the statements of a loan, newest first',
    query: { validate: typia.misc.createValidatePrune<ListStatementsQuery>(), schemas: typia.json.schemas<[ListStatementsQuery], '3.1'>() },
    reply: typia.json.schemas<[StatementReply[]], '3.1'>(),
    handle: (call) => call.read('statement.list', call.params.loanId),
  }),
  defineRoute({
    method: 'POST',
    path: '/people/{personId}/loans/{loanId}/statements',
    operation: 'recordStatement',
    tags: group,
    permission: 'statement:create',
    success: 201,
    summary: 'Record a statement that was made outside of the service',
    body: {
      validate: typia.misc.createValidatePrune<RecordStatementRequest>(),
      schemas: typia.json.schemas<[RecordStatementRequest], '3.1'>(),
    },
    reply: one,
    handle: (call) => call.command('statement.record', call.params.loanId),
  }),
  defineRoute({
    method: 'POST',
    path: '/people/{personId}/loans/{loanId}/periods/{periodId}/generate-statement',
    operation: 'generateStatement',
    tags: group,
    permission: 'statement:create',
    summary: 'Create the statement of a period, or a new version of it',
    query: syncQuery,
    body: {
      validate: typia.misc.createValidatePrune<GenerateStatementRequest>(),
      schemas: typia.json.schemas<[GenerateStatementRequest], '3.1'>(),
    },
    reply: one,
    handle: (call) => call.command('statement.generate', call.params.loanId),
  }),
  defineRoute({
    method: 'GET',
    path: '/people/{personId}/loans/{loanId}/statements/{statementId}',
    operation: 'getStatement',
    tags: group,
    permission: 'statement:read',
    summary: 'Get a statement',
    reply: one,
    handle: (call) => call.read('statement.get', call.params.loanId),
  }),
  defineRoute({
    method: 'PUT',
    path: '/people/{personId}/loans/{loanId}/statements/{statementId}',
    operation: 'updateStatement',
    tags: group,
    permission: 'statement:update',
    summary: 'Update the record of a statement',
    body: {
      validate: typia.misc.createValidatePrune<UpdateStatementRequest>(),
      schemas: typia.json.schemas<[UpdateStatementRequest], '3.1'>(),
    },
    reply: one,
    handle: (call) => call.command('statement.update', call.params.loanId),
  }),
  defineRoute({
    method: 'GET',
    path: '/people/{personId}/loans/{loanId}/statements/{statementId}/details',
    operation: 'getStatementDetails',
    tags: group,
    permission: 'statement:read',
    summary: 'Get all figures of a statement',
    reply: typia.json.schemas<[StatementDetailsReply], '3.1'>(),
    handle: (call) => call.read('statement.details', call.params.loanId),
  }),
  defineRoute({
    method: 'GET',
    path: '/people/{personId}/loans/{loanId}/statements/{statementId}/activities',
    operation: 'listStatementActivities',
    tags: group,
    permission: 'statement:read',
    envelope: 'list',
    summary: 'List the lines of a statement',
    query: {
      validate: typia.misc.createValidatePrune<StatementActivitiesQuery>(),
      schemas: typia.json.schemas<[StatementActivitiesQuery], '3.1'>(),
    },
    reply: typia.json.schemas<[StatementActivityReply[]], '3.1'>(),
    handle: (call) => call.read('statement.activities', call.params.loanId),
  }),
  defineRoute({
    method: 'GET',
    path: '/people/{personId}/loans/{loanId}/statements/{statementId}/draw-infos',
    operation: 'listStatementDrawInfos',
    tags: group,
    permission: 'statement:read',
    envelope: 'list',
    summary: 'List the figures of each draw',
    description: 'Empty for an installment loan.',
    query: pageQuery,
    reply: typia.json.schemas<[DrawInfoReply[]], '3.1'>(),
    handle: (call) => call.read('statement.drawInfos', call.params.loanId),
  }),
  defineRoute({
    method: 'GET',
    path: '/people/{personId}/loans/{loanId}/statements/{statementId}/document',
    operation: 'getStatementDocument',
    tags: group,
    permission: 'statement:read',
    envelope: 'file',
    summary: 'The document of a statement, as HTML or PDF',
    query: {
      validate: typia.misc.createValidatePrune<StatementDocumentQuery>(),
      schemas: typia.json.schemas<[StatementDocumentQuery], '3.1'>(),
    },
    async handle(call) {
      const { params, query } = call;
      if (query.contentType === 'pdf')
        return { data: await statementPdf(call, renderer, params), headers: { 'Content-Type': 'application/pdf' } };
      return { data: Buffer.from(await statementHtml(call, renderer, params)), headers: { 'Content-Type': 'text/html; charset=utf-8' } };
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/people/{personId}/loans/{loanId}/statements/{statementId}/send',
    operation: 'sendStatement',
    tags: group,
    permission: 'statement:update',
    summary: 'Send a statement to the borrower again',
    body: {
      validate: typia.misc.createValidatePrune<SendStatementRequest>(),
      schemas: typia.json.schemas<[SendStatementRequest], '3.1'>(),
    },
    reply: typia.json.schemas<[StatementSentReply], '3.1'>(),
    handle: (call) => call.command('statement.send', call.params.loanId),
  }),
];
