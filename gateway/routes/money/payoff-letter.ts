import typia from 'typia';
import type { PayoffLetterReply, PayoffLetterRequest } from '../../../actors/index.js';
import { type ContentStore, recordedLetter } from '../../documents/content-store.js';
import type { Renderer } from '../../rendering/renderer.js';
import { defineRoute, type Route } from '../../routing/route.js';

/** The letter that states the payoff amount of a loan. */
export const payoffLetterRoutes = (contents: ContentStore, renderer: Renderer): readonly Route[] => [
  defineRoute({
    method: 'POST',
    path: '/people/{personId}/loans/{loanId}/payoff-letter',
    operation: 'createPayoffLetter',
    tags: ['Loan ledger'],
    permission: 'loan.payoff:create',
    success: 201,
    summary: 'Create and send a payoff letter',
    description:
      'The letter is a document of the borrower. With `channels` it is also sent, with the `freeFormBranded` template of the company for ' +
      'each channel. The reply shows channels that were refused; the letter stays.',
    body: { validate: typia.misc.createValidatePrune<PayoffLetterRequest>(), schemas: typia.json.schemas<[PayoffLetterRequest], '3.1'>() },
    reply: typia.json.schemas<[PayoffLetterReply], '3.1'>(),
    async handle(call) {
      const {
        body,
        params: { loanId },
      } = call;
      const { html, figures } = (await call.read('loan.payoffLetter', loanId, { query: { payoffDate: body.payoffDate } })).data;
      return recordedLetter({ contents, renderer, company: call.caller.company }, html, 'payoff-letter.pdf', (rendered) =>
        call.command('loan.payoffLetter', loanId, { body: { ...body, html, figures, rendered } }),
      );
    },
  }),
];
