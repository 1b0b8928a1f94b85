import { isDeepStrictEqual } from 'node:util';
import { must } from '../../../../engine/index.js';
import { isReachable, type PersonState } from '../../../borrower/index.js';
import type { CaseOutcome } from '../../../company/index.js';
import { beside, failedSend, orderForCase, refusalOf, type SaidOrder, sending } from '../../../contact/index.js';
import { refuse, refuseProperty } from '../../../errors.js';
import type { Decision } from '../../../kernel/actor.js';
import { resolveId } from '../../../kernel/ids.js';
import { associating } from '../associations.js';
import { blockFrom, type DoNotInteractRequest, fieldsOf, partBeside, widened } from '../blocks.js';
import { type Context, decided, fact, onCase, withCaseReply } from '../context.js';
import { caseOfLoans, factsForLoans, loansNamed } from '../loans.js';
import { isClosed } from '../machine.js';
import type { CaseAssociationsRequest } from '../requests.js';
import { activeBlock, type CaseState } from '../state.js';
import { associationView, sealText } from '../view.js';
import { closing, requireCompletable } from './update.js';

/** Commands of mass work for each subcase of a supercase. Subcases to which the command does not apply are unchanged. */

const nothing: Decision<CaseState> = { facts: [], reply: () => ({ data: undefined }) };

const done = (facts: Decision<CaseState>['facts']): Decision<CaseState> => ({ ...nothing, facts });

export interface CloseSubcase {
  readonly outcome: CaseOutcome;
  readonly note: string | null;
}

/** A closed subcase is unchanged. One that cannot be completed by hand without force is not completed here either. */
export const closeSubcase = onCase('case.closeInBulk', null, (context: Context<CloseSubcase>) => {
  const { state, env } = context;
  if (isClosed(state.status)) return nothing;
  requireCompletable(context, state, false);
  const { outcome, note } = context.body;
  const { personId, id } = state;
  const outcomeNote = sealText(env, { personId, part: 'outcomeNote', id }, note);
  return done(closing(env, state, { status: 'completed', outcome, ...(outcomeNote === null ? {} : { outcomeNote }) }));
});

/** A case with a block keeps it, widened so that it covers the block for all subcases. */
export const blockSubcase = onCase('doNotInteract.createInBulk', null, ({ state, env, body }: Context<DoNotInteractRequest>) => {
  if (isClosed(state.status)) return nothing;
  const fields = blockFrom(env, state.personId, body);
  const known = activeBlock(state);
  if (known) {
    const wider = widened(fieldsOf(known), fields);
    if (isDeepStrictEqual(wider, fieldsOf(known))) return nothing;
    return done([fact('BlockChanged', { id: known.id, ...wider, withoutSupercase: partBeside(known) })]);
  }
  return done([fact('BlockSet', { id: env.newId('DN'), ...fields, source: 'supercase', doNotInteractTypeId: null })]);
});

/** Takes off only what was set in bulk: the block of an agent, or of a Do Not Interact type, stays as it would be without. */
export const liftSubcaseBlock = onCase('doNotInteract.deleteInBulk', null, ({ state, env }) => {
  const block = activeBlock(state);
  const isOfSupercase = block?.source === 'supercase' || block?.withoutSupercase != null;
  if (block === undefined || !isOfSupercase) return nothing;
  const left = partBeside(block);
  const isOver = left === null || (left.endsAt !== null && left.endsAt <= env.now);
  if (isOver) return done([fact('BlockEnded', { id: block.id, status: 'lifted' })]);
  return done([fact('BlockChanged', { id: block.id, ...left, withoutSupercase: null })]);
});

/** The message for each subcase, by the order for all. */
export type SendToSubcase = SaidOrder;

/**
 * Sends one message to the borrower of a subcase, about the loans of the case. A blocked message is recorded and counts as failed in
 * the operation; if there is nothing to record, the command is refused.
 */
export const sendForSubcase = onCase('case.sendInBulk', null, ({ state, env, body, command }: Context<SendToSubcase>) => {
  const person = env.read<PersonState>('person', state.personId);
  if (!person || !isReachable(person)) return refuse('notFound', `There is no borrower ${state.personId}.`);
  const order = orderForCase(state, body, {
    channel: 'email',
    origin: 'request',
    supercaseBulkOperationId: command.commandId,
  });
  const sent = sending(env, person, order);
  const { failure } = sent;
  if (failure === null) return { facts: beside(sent), reply: () => ({ data: undefined }) };
  const data = failedSend(failure);
  if (sent.facts.length === 0) throw refusalOf(data);
  return {
    facts: beside(sent),
    reply: () => ({ data: undefined }),
    failure: { errorType: 'businessValidation', message: `${failure.blockReason}: ${failure.message}` },
  };
});

/** `POST .../associations`: adds loans to the case; loans that it has already are unchanged. */
export const associateLoans = onCase('caseAssociation.create', 'work', ({ state, body, env }: Context<CaseAssociationsRequest>) => {
  const { loanId, loanIds } = body;
  if (loanId === undefined && loanIds === undefined)
    refuseProperty('loanId', 'the id of a loan, or loanIds', 'Send `loanId` or `loanIds`.');
  const named = loansNamed(env, state.personId, [...(loanId === undefined ? [] : [loanId]), ...(loanIds ?? [])], (index) =>
    loanId !== undefined && index === 0 ? 'loanId' : `loanIds[${loanId === undefined ? index : index - 1}]`,
  );
  return decided(state.personId, associating(env, state, named, loanIds === undefined ? 'loanId' : 'loanIds'), (after) =>
    after.associations.filter(({ objectId }) => named.includes(objectId)).map((association) => associationView(after, association)),
  );
});

/** `DELETE .../associations/{loanId}`. */
export const endAssociation = onCase('caseAssociation.delete', 'work', (context) => {
  const { state, env, command } = context;
  const anyId = must(command.params['loanId'], 'the path names a loan');
  const objectId = resolveId(env, env.tenant, 'loan', anyId);
  if (objectId === undefined || !state.associations.some((association) => association.objectId === objectId))
    refuse('notFound', `The case does not have the loan ${anyId}.`);
  const before = caseOfLoans(state);
  const atLoans = factsForLoans(env, before, { ...before, loanIds: before.loanIds.filter((id) => id !== objectId) });
  return withCaseReply(context, [fact('CaseAssociationEnded', { objectType: 'loan', objectId }), ...atLoans]);
});
