import { resolveId } from '../../../kernel/any-id.js';
import { must } from '../../../../engine/index.js';
import { refuse, refuseProperty } from '../../../errors.js';
import { doneToLoans } from '../at-loans.js';
import { decided, fact, onCase, showing } from '../context.js';
import { caseOfLoans } from '../loans-meant.js';
import { loansNamed } from '../references.js';
import type { CaseAssociationsRequest } from '../requests.js';
import { associationView } from '../view.js';

/** `POST .../associations`: loans that the case is about; those that it knows already stay. */
export const associateLoans = onCase('caseAssociation.create', 'work', ({ state, body, env }) => {
  const { loanId, loanIds } = body as CaseAssociationsRequest;
  if (loanId === undefined && loanIds === undefined) refuseProperty('loanId', 'the id of a loan, or loanIds', 'No loan is named.');
  const named = loansNamed(env, env.tenant, state.personId, [...(loanId === undefined ? [] : [loanId]), ...(loanIds ?? [])], (index) =>
    loanId !== undefined && index === 0 ? 'loanId' : `loanIds[${loanId === undefined ? index : index - 1}]`,
  );
  const known = new Set(state.associations.map(({ objectId }) => objectId));
  const objectIds = named.filter((id) => !known.has(id));
  const before = caseOfLoans(state);
  const atLoans = doneToLoans(env, before, { ...before, loanIds: [...before.loanIds, ...objectIds] });
  const facts = objectIds.length === 0 ? [] : [fact('CaseAssociated', { objectType: 'loan', objectIds }), ...atLoans];
  return decided(state.personId, facts, (after) =>
    after.associations.filter(({ objectId }) => named.includes(objectId)).map((association) => associationView(after, association)),
  );
});

/** `DELETE .../associations/{loanId}`. */
export const endAssociation = onCase('caseAssociation.delete', 'work', (context) => {
  const { state, env, command } = context;
  const anyId = must(command.params['loanId'], 'the path names a loan');
  const objectId = resolveId(env, env.tenant, 'loan', anyId);
  if (objectId === undefined || !state.associations.some((association) => association.objectId === objectId))
    refuse('notFound', `The case is not about a loan ${anyId}.`);
  const before = caseOfLoans(state);
  const atLoans = doneToLoans(env, before, { ...before, loanIds: before.loanIds.filter((id) => id !== objectId) });
  return showing(context, [fact('CaseAssociationEnded', { objectType: 'loan', objectId }), ...atLoans]);
});
