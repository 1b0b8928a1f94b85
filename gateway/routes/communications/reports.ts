import typia from 'typia';
import {
  csvLine,
  isPermitted,
  QUESTION_BOUNDS,
  type QuestionAnswer,
  type QuestionBody,
  type ReportAnswer,
  type ReportView,
} from '../../../actors/index.js';
import { csvReply } from '../../reply.js';
import { defineRoute, type Route } from '../../routing/route.js';

const TAGS = ['Reports'];

/** Ready-made questions about all loans of the company. */
export const reportRoutes: readonly Route[] = [
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
    path: '/reports/{name}',
    operation: 'getReport',
    summary: 'Make a report',
    description: 'Over the views of `docs/views.md`, as of now.',
    tags: TAGS,
    permission: 'report:read',
    waitsMs: QUESTION_BOUNDS.limitMs,
    textParameters: ['name'],
    reply: typia.json.schemas<[ReportAnswer], '3.1'>(),
    handle: (call) => call.read('report.run', null, { query: {} }),
  }),
  defineRoute({
    method: 'GET',
    path: '/reports/{name}/file',
    operation: 'downloadReport',
    summary: 'Make a report as CSV',
    tags: TAGS,
    permission: 'report:read',
    waitsMs: QUESTION_BOUNDS.limitMs,
    envelope: 'csv',
    textParameters: ['name'],
    handle: (call) =>
      csvReply(async () => {
        const { columns, rows } = (await call.read('report.run', null, { query: {} })).data as ReportAnswer;
        const lines = [columns, ...rows.map((row) => row.map((cell) => (cell === null ? '' : String(cell))))];
        return { text: lines.map((line) => `${csvLine(line)}\r\n`).join(''), parts: 1 };
      }),
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
];
