import { dayAt, must } from '../../../engine/index.js';
import { isReachable, type PersonState } from '../../borrower/index.js';
import { chooseTemplate, companyOf, zoneOf } from '../../company/index.js';
import { refuse } from '../../errors.js';
import type { CommandSpec, DecideEnv, Decision } from '../../kernel/actor.js';
import type { LoanState } from '../../loan/index.js';
import type { InteractionState } from '../interactions/index.js';
import { loanTypeIdOf } from '../messages/index.js';
import { readOrder, sending, type Sending, type SendOrder, type SendRequest } from '../sending/index.js';

/** One row of a campaign on one channel. */
export interface SendRowBody {
  readonly request: SendRequest;
  /** A channel without a template for the subject is passed over, and nothing is recorded. */
  readonly onlyWithTemplate: boolean;
}

export interface SendRowReply {
  readonly outcome: 'sent' | 'blocked' | 'failed' | 'noTemplate';
  readonly interactionId: string | null;
  readonly reason: string | null;
}

/** The service's own command: what a bulk sender sends to the borrower of a row. A variable that its template lacks fails it. */
export const sendRow: CommandSpec<InteractionState, SendRowBody> = {
  kind: 'interaction',
  type: 'interaction.sendRow',
  place: { on: 'beside', kind: 'person' },
  decide({ env, id, besideId, body }): Decision<InteractionState> {
    const person = env.read<PersonState>('person', must(besideId, 'a message goes to a borrower'));
    if (!person || !isReachable(person)) return refuse('notFound', 'There is no such borrower.');
    const { request, onlyWithTemplate } = body;
    const order: SendOrder = { ...readOrder(env, id, person, request), undefinedVariables: 'strict' };
    if (onlyWithTemplate && !hasTemplate(env, order)) return replied([], { outcome: 'noTemplate', interactionId: null, reason: null });
    const { facts, failure } = withinDay(env, sending(env, person, order, id), (sendAt) => sending(env, person, { ...order, sendAt }, id));
    if (failure === null) return replied(facts, { outcome: 'sent', interactionId: id, reason: null });
    const { blockReason, message, interactionId } = failure;
    const isBlocked = !NO_BLOCKS.has(blockReason);
    return replied(facts, { outcome: isBlocked ? 'blocked' : 'failed', interactionId, reason: `${blockReason}: ${message}` });
  },
};

const replied = (facts: Decision<InteractionState>['facts'], data: SendRowReply): Decision<InteractionState> => ({
  facts,
  reply: () => ({ data }),
});

/** Reasons that no rule has. */
const NO_BLOCKS: ReadonlySet<string> = new Set(['noContact', 'templateMissing', 'templateDisabled', 'templateError']);

/** What only its time stands against is sent at the moment that the guard names, where that is still on the company's day. */
function withinDay(env: DecideEnv, first: Sending, later: (sendAt: number) => Sending): Sending {
  const sendAt = first.failure?.sendAt ?? null;
  const zone = zoneOf(companyOf(env, env.tenant));
  return sendAt !== null && sendAt > env.now && dayAt(zone, sendAt) === env.today(zone) ? later(sendAt) : first;
}

function hasTemplate(env: DecideEnv, { subject, channel, loanId, loanIds, useTemplate }: SendOrder): boolean {
  if (useTemplate !== null) return true;
  const loans = loanIds.map((id) => env.read<LoanState>('loan', id)).filter((state) => state !== undefined);
  const productId = loanTypeIdOf({ loan: loans.find(({ id }) => id === loanId) ?? null, loans });
  return typeof chooseTemplate(companyOf(env, env.tenant), { subject, channel, productId, language: null }) !== 'string';
}
