import typia from 'typia';
import {
  type ContentLocation,
  type DocumentCreateBody,
  type DocumentDownloadQuery,
  type DocumentListQuery,
  type DocumentUpdateBody,
  type DocumentView,
  Refusal,
  type StatementContent,
  messageOf,
  listResult,
} from '../../../actors/index.js';
import { type ContentStore, recorded, recordedLetter } from '../../documents/content-store.js';
import { contentTypeOf, dispositionOf } from '../../documents/content-types.js';
import { statementPdf } from '../../documents/statement-document.js';
import { objectionTo } from '../../rendering/convertible.js';
import type { Renderer } from '../../rendering/renderer.js';
import { type Call, defineRoute, type Reply, type Route } from '../../routing/route.js';
import { UploadedFile } from '../../wire/upload.js';

const TAGS = ['Documents'];
const LIST = '/people/{personId}/documents';
const ONE = '/people/{personId}/documents/{documentId}';
const reply = typia.json.schemas<[DocumentView], '3.1'>();
const listed = {
  query: { validate: typia.misc.createValidatePrune<DocumentListQuery>(), schemas: typia.json.schemas<[DocumentListQuery], '3.1'>() },
  reply: typia.json.schemas<[DocumentView[]], '3.1'>(),
};

/** Documents of a borrower, and their contents. */
export const documentRoutes = (contents: ContentStore, renderer: Renderer): readonly Route[] => [
  defineRoute({
    method: 'GET',
    path: LIST,
    operation: 'listDocuments',
    summary: 'List the documents of a borrower, newest first',
    tags: TAGS,
    permission: 'document:list',
    envelope: 'bare',
    ...listed,
    handle: async (call) => itemsAlone(await call.read('document.list', call.params.personId)),
  }),
  defineRoute({
    method: 'GET',
    path: '/people/{personId}/loans/{loanId}/documents',
    operation: 'listLoanDocuments',
    summary: 'List the documents of a loan, newest first',
    tags: TAGS,
    permission: 'document:list',
    envelope: 'list',
    ...listed,
    handle: (call) => call.read('document.list', call.params.personId),
  }),
  defineRoute({
    method: 'POST',
    path: LIST,
    operation: 'createDocument',
    summary: 'Create the description of a document',
    tags: TAGS,
    permission: 'document:create',
    envelope: 'bare',
    description: 'With `templateVersionId` the content is rendered from the template as a PDF. Without it, upload the content next.',
    body: { validate: typia.misc.createValidatePrune<DocumentCreateBody>(), schemas: typia.json.schemas<[DocumentCreateBody], '3.1'>() },
    reply,
    handle: (call) => create(call, contents, renderer),
  }),
  defineRoute({
    method: 'GET',
    path: ONE,
    operation: 'getDocument',
    summary: 'Get the description of a document',
    tags: TAGS,
    permission: 'document:read',
    envelope: 'bare',
    reply,
    handle: (call) => call.read('document.get', call.params.personId),
  }),
  defineRoute({
    method: 'PUT',
    path: ONE,
    operation: 'updateDocument',
    summary: 'Update the description of a document',
    tags: TAGS,
    permission: 'document:update',
    envelope: 'bare',
    body: { validate: typia.misc.createValidatePrune<DocumentUpdateBody>(), schemas: typia.json.schemas<[DocumentUpdateBody], '3.1'>() },
    reply,
    handle: (call) => call.command('document.update', call.params.personId),
  }),
  defineRoute({
    method: 'DELETE',
    path: ONE,
    operation: 'archiveDocument',
    summary: 'Archive a document',
    tags: TAGS,
    permission: 'document:update',
    handle: (call) => call.command('document.delete', call.params.personId),
  }),
  defineRoute({
    method: 'POST',
    path: `${ONE}/content`,
    operation: 'uploadDocument',
    summary: 'Upload the content of a document',
    tags: TAGS,
    permission: 'document:create',
    envelope: 'bare',
    description: 'The part `file` of a multipart body, or the file as the body. At most 25 MB. The type is detected from the content.',
    takesFile: true,
    reply,
    handle: (call) => upload(call, contents, renderer),
  }),
  defineRoute({
    method: 'GET',
    path: `${ONE}/content`,
    operation: 'downloadDocument',
    summary: 'Download the content of a document',
    tags: TAGS,
    permission: 'document:read',
    envelope: 'file',
    query: {
      validate: typia.misc.createValidatePrune<DocumentDownloadQuery>(),
      schemas: typia.json.schemas<[DocumentDownloadQuery], '3.1'>(),
    },
    handle: async (call) => {
      const location = await locationOf(call);
      const { contentType, fileName, documentId } = location;
      const disposition = dispositionOf(contentType, call.query.disposition ?? 'attachment', fileName ?? documentId);
      return {
        data: await contentOf(call, location, contents, renderer),
        headers: { 'Content-Type': withCharset(contentType), 'Content-Disposition': disposition },
      };
    },
  }),
  defineRoute({
    method: 'POST',
    path: `${ONE}/convert`,
    operation: 'convertDocument',
    summary: 'Create a PDF copy of a document',
    tags: TAGS,
    permission: 'document:create',
    envelope: 'bare',
    description: 'Supported for PNG, JPEG and text.',
    reply,
    handle: (call) => convert(call, contents, renderer),
  }),
];

type OneDocument = Call<{ readonly personId: string; readonly documentId: string }>;

/** With a template the content is rendered first, so that a document never exists without its content. */
async function create(
  call: Call<{ readonly personId: string }, unknown, DocumentCreateBody>,
  contents: ContentStore,
  renderer: Renderer,
): Promise<Reply> {
  const {
    body,
    params: { personId },
  } = call;
  const { templateVersionId, loanId, caseId, context } = body;
  if (templateVersionId == null) return call.command('document.create', personId);
  const { company } = call.caller;
  const order = (await call.read('message.document', personId, { query: { templateVersionId, loanId, caseId, context } })).data;
  const { contentHtml } = messageOf(await renderer.render<'message'>(company, { type: 'message', order }));
  return recordedLetter({ contents, renderer, company }, contentHtml, body.fileName ?? `${body.type}.pdf`, (rendered) =>
    call.command('document.create', personId, { body: { ...body, rendered } }),
  );
}

async function upload(call: OneDocument, contents: ContentStore, renderer: Renderer): Promise<Reply> {
  const file = call.body;
  if (!(file instanceof UploadedFile)) throw new TypeError('the route takes a file');
  const { replaces, fileName } = (await call.read('document.mayAttach', call.params.personId)).data;
  // A large PDF takes seconds to read: not on the thread that serves all.
  const pdfActs = (content: Buffer): Promise<boolean> => renderer.render<'pdf'>(call.caller.company, { type: 'pdf', content });
  const contentType = await contentTypeOf(file, fileName, pdfActs).catch((cause: unknown) => refusedUpload(call, cause));
  const kept = await keep(call, contents, file.content, { type: 'document.attach', contentType, fileName: file.fileName });
  if (replaces !== null && kept.replayed !== true) await contents.drop(replaces);
  return kept;
}

/** The borrower hears that the file was not taken, also where an app hides the answer. */
async function refusedUpload(call: OneDocument, cause: unknown): Promise<never> {
  if (cause instanceof Refusal) await call.command('document.failUpload', call.params.personId, { body: {}, step: 'refused' });
  throw cause;
}

async function convert(call: OneDocument, contents: ContentStore, renderer: Renderer): Promise<Reply> {
  const location = await locationOf(call);
  const { contentType } = location;
  if ('statement' in location) throw new Refusal('businessValidation', 'The document is a PDF already.');
  const objection = objectionTo(contentType, location.contentLength);
  if (objection !== null) throw new Refusal('businessValidation', objection);
  const content = await contents.get(location);
  const pdf = Buffer.from(await renderer.render<'converted'>(call.caller.company, { type: 'converted', contentType, content }));
  const fileName = location.fileName && `${location.fileName.replace(/\.[^.]*$/, '')}.pdf`;
  return keep(call, contents, pdf, { type: 'document.copyConverted', contentType: 'application/pdf', fileName });
}

interface Kept {
  readonly type: 'document.attach' | 'document.copyConverted';
  readonly contentType: string;
  readonly fileName: string | null;
}

const keep = (call: OneDocument, contents: ContentStore, content: Buffer, { type, ...about }: Kept): Promise<Reply> =>
  recorded(contents, content, (stored) =>
    call.command(type, call.params.personId, { body: { ...stored, ...about, contentLength: content.length } }),
  );

const locationOf = async (call: OneDocument): Promise<ContentLocation | StatementContent> =>
  (await call.read('document.place', call.params.personId, { query: undefined })).data;

/** What is stored, or made of the statement. */
const contentOf = (
  call: OneDocument,
  location: ContentLocation | StatementContent,
  contents: ContentStore,
  renderer: Renderer,
): Promise<Buffer> =>
  'statement' in location
    ? statementPdf(call, renderer, { personId: call.params.personId, ...location.statement })
    : contents.get(location);

const itemsAlone = (answer: Reply): Reply => ({ ...answer, data: listResult(answer.data).items });

const withCharset = (contentType: string): string => (contentType.startsWith('text/') ? `${contentType}; charset=utf-8` : contentType);
