import typia from 'typia';
import {
  isPermitted,
  QUESTION_BOUNDS,
  type QuestionAnswer,
  type QuestionBody,
  reportText,
  type ReportAnswer,
  type ReportFileQuery,
  type ReportView,
  type SavedQuestionCreateBody,
  type SavedQuestionListQuery,
  type SavedQuestionUpdateBody,
  type SavedQuestionView,
} from '../../../actors/index.js';
import type { ContentStore } from '../../documents/content-store.js';
import { defineRoute, type Reply, type Route } from '../../routing/route.js';
import { declaredRoutes } from '../declared.js';
import { withCheckedSql } from './checked-sql.js';

const TAGS = ['Reports'];

/** Ready-made questions about all loans of the company. */
export const reportRoutes = (contents: ContentStore): readonly Route[] => [
  defineRoute({
    method: 'GET',
    path: '/reports',
    operation: 'listReports',
    summary: 'List the reports, each with its SQL',
    tags: TAGS,
    permission: 'report:read',
    envelope: 'list',
    reply: typia.json.schemas<[ReportView[]], '3.1'>(),
    handle: (call) => call.read('report.list', null, { query: {} }),
  }),
  defineRoute({
    method: 'GET',
    path: '/reports/{reportName}',
    operation: 'getReport',
    summary: 'Make a report',
    description: 'Over the views of `docs/views.md`, as of now.',
    tags: TAGS,
    permission: 'report:read',
    waitsMs: QUESTION_BOUNDS.limitMs,
    textParameters: ['reportName'],
    reply: typia.json.schemas<[ReportAnswer], '3.1'>(),
    handle: (call) => call.read('report.run', null, { query: {} }),
  }),
  defineRoute({
    method: 'GET',
    path: '/reports/{reportName}/file',
    operation: 'downloadReport',
    summary: 'Make a report as a file: CSV or Parquet',
    tags: TAGS,
    permission: 'report:read',
    waitsMs: QUESTION_BOUNDS.limitMs,
    envelope: 'file',
    textParameters: ['reportName'],
    query: { validate: typia.misc.createValidatePrune<ReportFileQuery>(), schemas: typia.json.schemas<[ReportFileQuery], '3.1'>() },
    handle: async (call): Promise<Reply> => {
      const { format = 'csv' } = call.query;
      const headersOf = (type: string): Readonly<Record<string, string>> => ({
        'Content-Type': type,
        'Content-Disposition': `attachment; filename="${call.params.reportName}.${format}"`,
      });
      if (format === 'csv') {
        const { columns, rows } = (await call.read('report.run', null, { query: {} })).data;
        return { data: Buffer.from(reportText(columns, rows)), headers: headersOf('text/csv; charset=utf-8') };
      }
      const file = (await call.read('report.file', null, { query: {} })).data;
      try {
        return { data: await contents.get(file), headers: headersOf('application/vnd.apache.parquet') };
      } finally {
        await contents.drop(file.contentId);
      }
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/questions',
    operation: 'askQuestion',
    summary: 'Ask a question in SQL over the views of the company',
    description: 'One SELECT over the views of `docs/views.md`; personal columns for callers with `person:read` alone. It changes nothing.',
    tags: TAGS,
    permission: 'report:ask',
    waitsMs: QUESTION_BOUNDS.limitMs,
    body: { validate: typia.misc.createValidatePrune<QuestionBody>(), schemas: typia.json.schemas<[QuestionBody], '3.1'>() },
    reply: typia.json.schemas<[QuestionAnswer], '3.1'>(),
    handle: (call) =>
      call.read('question.ask', null, {
        query: { sql: call.body.sql, seesPersonalData: isPermitted(call.caller.permissions, 'person:read') },
      }),
  }),
  ...withCheckedSql(
    'sql',
    declaredRoutes({
      type: 'savedQuestion',
      name: 'SavedQuestion',
      noun: 'saved question',
      path: '/saved-questions',
      param: 'savedQuestionId',
      tags: TAGS,
      permissions: { list: 'report:read', read: 'report:read', create: 'report:ask', update: 'report:ask', delete: 'report:ask' },
      createStatus: 201,
      query: {
        validate: typia.misc.createValidatePrune<SavedQuestionListQuery>(),
        schemas: typia.json.schemas<[SavedQuestionListQuery], '3.1'>(),
      },
      create: {
        validate: typia.misc.createValidatePrune<SavedQuestionCreateBody>(),
        schemas: typia.json.schemas<[SavedQuestionCreateBody], '3.1'>(),
      },
      update: {
        validate: typia.misc.createValidatePrune<SavedQuestionUpdateBody>(),
        schemas: typia.json.schemas<[SavedQuestionUpdateBody], '3.1'>(),
      },
      reply: typia.json.schemas<[SavedQuestionView], '3.1'>(),
      listReply: typia.json.schemas<[SavedQuestionView[]], '3.1'>(),
    }),
  ),
];
