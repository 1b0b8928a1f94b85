import typia from 'typia';
import {
  contentAs,
  messageOf,
  type PreviewFreeformBody,
  type PreviewMessageBody,
  type RenderFormat,
  type RenderTemplateBody,
  type RenderTemplateQuery,
  type SubjectVariables,
  type TemplateVariablesQuery,
  variablesOf,
} from '../../../actors/index.js';
import { type MessageOrder, type RenderedMessage, must, textIn } from '../../../engine/index.js';
import type { Renderer } from '../../rendering/renderer.js';
import { type Answered, type Call, defineRoute, type Reply, type Route } from '../../routing/route.js';

const TAGS = ['Communicator'];
const messageReply = typia.json.schemas<[RenderedMessage], '3.1'>();

/** Previews of messages: nothing is recorded, and the compliance guard is not asked. */
export const renderingRoutes = (renderer: Renderer): readonly Route[] => [
  defineRoute({
    method: 'POST',
    path: '/communicator/preview',
    operation: 'previewMessage',
    summary: 'Preview a message',
    tags: TAGS,
    permission: 'communicator:preview',
    envelope: 'bare',
    body: { validate: typia.misc.createValidatePrune<PreviewMessageBody>(), schemas: typia.json.schemas<[PreviewMessageBody], '3.1'>() },
    reply: messageReply,
    handle: async (call) => ({ data: await rendered(renderer, call, await preview(call)) }),
  }),
  defineRoute({
    method: 'POST',
    path: '/communicator/preview-free-form-email',
    operation: 'previewFreeFormEmail',
    summary: 'Preview the mail of an agent in the frame of the brand',
    tags: TAGS,
    permission: 'communicator:preview',
    envelope: 'bare',
    body: { validate: typia.misc.createValidatePrune<PreviewFreeformBody>(), schemas: typia.json.schemas<[PreviewFreeformBody], '3.1'>() },
    reply: messageReply,
    handle: async (call) => ({
      data: await rendered(renderer, call, await call.read('message.previewFreeForm', call.caller.company, { query: call.body })),
    }),
  }),
  defineRoute({
    method: 'POST',
    path: '/communicator/render',
    operation: 'renderTemplate',
    summary: 'Preview a template for its subject',
    tags: ['Templates'],
    permission: 'communicator.template:read',
    envelope: 'file',
    query: { validate: typia.misc.createValidatePrune<RenderTemplateQuery>(), schemas: typia.json.schemas<[RenderTemplateQuery], '3.1'>() },
    body: { validate: typia.misc.createValidatePrune<RenderTemplateBody>(), schemas: typia.json.schemas<[RenderTemplateBody], '3.1'>() },
    handle: (call) => render(renderer, call),
  }),
  defineRoute({
    method: 'GET',
    path: '/communicator/template-variables',
    operation: 'listTemplateVariables',
    summary: 'List the variables that templates of a subject can read',
    tags: ['Templates'],
    permission: 'communicator.template:read',
    query: {
      validate: typia.misc.createValidatePrune<TemplateVariablesQuery>(),
      schemas: typia.json.schemas<[TemplateVariablesQuery], '3.1'>(),
    },
    reply: typia.json.schemas<[SubjectVariables[]], '3.1'>(),
    handle: (call) => ({ data: variablesOf(call.query.subject) }),
  }),
];

/** Reads the preview on the shard of the borrower, who may be found through a loan or a case. */
async function preview(call: Call<object, unknown, PreviewMessageBody>): Promise<Answered<MessageOrder>> {
  const {
    body: query,
    caller: { company },
  } = call;
  const personId = query.personId ?? (await borrowerOf(call));
  return personId === null ? call.read('message.previewOfCompany', company, { query }) : call.read('message.preview', personId, { query });
}

async function borrowerOf(call: Call<object, unknown, PreviewMessageBody>): Promise<string | null> {
  const { loanId, loanIds = [], caseId } = call.body;
  const loan = loanId ?? loanIds[0];
  if (loan != null)
    return must(textIn((await call.read('loan.get', loan, { query: {} })).data, 'mainBorrowerId'), 'a loan has a main borrower');
  return caseId == null
    ? null
    : must(textIn((await call.read('case.get', caseId, { query: {} })).data, 'personId'), 'a case has a borrower');
}

const CONTENT_TYPES: Readonly<Record<RenderFormat, string>> = {
  text: 'text/plain; charset=utf-8',
  html: 'text/html; charset=utf-8',
  pdf: 'application/pdf',
};

/** A browser that opens the HTML of a template runs nothing in it. */
const HARMLESS = {
  'Content-Security-Policy': "default-src 'none'; img-src https: data:; style-src 'unsafe-inline'; sandbox",
  'X-Content-Type-Options': 'nosniff',
};

async function rendered(
  renderer: Renderer,
  { caller: { company } }: Pick<Call, 'caller'>,
  { data: order }: Answered<MessageOrder>,
): Promise<RenderedMessage> {
  return messageOf(await renderer.render<'message'>(company, { type: 'message', order }));
}

async function render(renderer: Renderer, call: Call<object, RenderTemplateQuery, RenderTemplateBody>): Promise<Reply> {
  const fmt = call.query.fmt ?? 'html';
  const { company } = call.caller;
  const message = await rendered(renderer, call, await call.read('message.render', company, { query: { ...call.body, fmt } }));
  const content = contentAs(fmt, message);
  return {
    data: Buffer.from(fmt === 'pdf' ? await renderer.render<'letter'>(company, { type: 'letter', html: content }) : content),
    headers: { 'Content-Type': CONTENT_TYPES[fmt], ...HARMLESS },
  };
}
