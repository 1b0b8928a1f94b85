import { companyOf } from '../../company/index.js';
import { type PersonState, personWithoutUser, type StoredContentBody } from '../../borrower/index.js';
import type { QuerySpec } from '../../kernel/actor.js';
import { dateText, toJsonText } from '../../wire.js';
import { recordOf, requirePerson } from '../context.js';
import type { PayoffLetterRequest } from '../requests.js';
import type { LoanState } from '../state.js';
import { payoffLetterHtml } from '../views/payoff-letter.js';
import { payoffReply } from './balances.js';

/** A letter before it is recorded: for the gateway alone, which makes pages of it. */
export interface PayoffLetterDraft {
  readonly html: string;
  /** The figures that it tells, as text: what is recorded must tell the same. */
  readonly figures: string;
}

/** What the gateway makes of a request: the letter lies where contents are. */
export interface PayoffLetterCommand extends PayoffLetterRequest, PayoffLetterDraft {
  readonly rendered: StoredContentBody;
}

/** What `POST L/payoff-letter` is about to record. */
export const draftPayoffLetter: QuerySpec<LoanState> = {
  kind: 'loan',
  type: 'loan.payoffLetter',
  on: 'target',
  read({ state, env, query, request }): PayoffLetterDraft {
    requirePerson(state, request.params['personId'], env);
    const { personId, zone } = recordOf(state);
    const figures = payoffReply(state, env, (query as PayoffLetterRequest).payoffDate);
    const { profile } = companyOf(env, state.tenant);
    const person = env.read<PersonState>('person', personId);
    const { name = null, businessDetails = null } = person ? personWithoutUser(person, env) : {};
    const borrower = businessDetails?.businessName ?? ([name?.firstName, name?.lastName].filter((part) => part != null).join(' ') || null);
    const html = payoffLetterHtml({
      lender: profile?.brandName ?? profile?.name ?? null,
      borrower,
      loanId: state.id,
      writtenOn: dateText(env.today(zone)),
      figures,
    });
    return { html, figures: toJsonText(figures) };
  },
};
