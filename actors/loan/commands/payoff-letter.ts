import type { CommandSpec } from '../../runtime/actor.js';
import { checkContact } from '../check-contact.js';
import { payoffReply } from '../queries/balances.js';
import type { PayoffLetterRequest } from '../requests.js';
import type { LoanState } from '../state.js';
import type { PayoffLetterReply } from '../views/balance-types.js';
import { beginAction } from './order.js';

/** `POST L/payoff-letter`. There are no documents yet: the reply has the letter's figures, and no document. */
export const createPayoffLetter: CommandSpec<LoanState> = {
  kind: 'loan',
  type: 'loan.payoffLetter',
  place: { on: 'target' },
  decide(context) {
    const request = beginAction<PayoffLetterRequest>(context, 'quote');
    checkContact(context, request);
    const letter: PayoffLetterReply = {
      ...payoffReply(context.state, context.env, request.payoffDate),
      documentDescriptorId: null,
      isSent: false,
    };
    return { facts: [], reply: () => ({ data: letter, status: 201, message: 'No document was made: documents are not kept yet.' }) };
  },
};
