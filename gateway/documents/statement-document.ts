import { messageOf } from '../../actors/index.js';
import type { Renderer } from '../rendering/renderer.js';
import type { Call } from '../routing/route.js';

interface Asked {
  readonly personId: string;
  readonly loanId: string;
  readonly statementId: string;
}

/** The document of a statement as HTML. It is made of what the statement and its template said when it was issued: always the same. */
export async function statementHtml(call: Pick<Call, 'read' | 'caller'>, renderer: Renderer, asked: Asked): Promise<string> {
  const { personId, loanId, statementId } = asked;
  const page = (await call.read('statement.page', loanId, { query: { statementId } })).data;
  if ('html' in page) return page.html;
  const { templateVersionId } = page;
  const order = (await call.read('message.document', personId, { query: { templateVersionId, loanId, statementId } })).data;
  return messageOf(await renderer.render<'message'>(call.caller.company, { type: 'message', order })).contentHtml;
}

/** The same as pages of a PDF. */
export async function statementPdf(call: Pick<Call, 'read' | 'caller'>, renderer: Renderer, asked: Asked): Promise<Buffer> {
  const html = await statementHtml(call, renderer, asked);
  return Buffer.from(await renderer.render<'letter'>(call.caller.company, { type: 'letter', html }));
}
