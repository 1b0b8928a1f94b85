import { isGone, type PersonState } from '../../borrower/index.js';
import { refuse, refuseProperty } from '../../errors.js';
import type { CommandContext, CommandSpec, Decision } from '../../kernel/actor.js';
import { resolveId } from '../../kernel/ids.js';
import { dayOfText, orNull } from '../../wire.js';
import { beginAction } from '../commands/order.js';
import { recordOf, todayOf } from '../context.js';
import type { LoanUpdated } from '../facts.js';
import type { ActionRequest } from '../requests.js';
import type { LoanState } from '../state.js';
import { type AdditionalPerson, loanPersonOf, mayBeOn } from './person.js';
import type { AddLoanPersonRequest, UpdateLoanPersonRequest } from './types.js';
import { loanPersonView } from './view.js';

/** Most additional people on one loan. */
const MAX_LOAN_PEOPLE = 50;

const addPerson: CommandSpec<LoanState, AddLoanPersonRequest> = {
  kind: 'loan',
  type: 'loanPerson.add',
  place: { on: 'target' },
  decide(context) {
    const request = beginAction(context, 'update');
    const { state, env } = context;
    const person: AdditionalPerson = {
      id: env.newId('LP'),
      personId: newPersonId(context, request),
      loanRelationType: request.loanRelationType,
      startDay: request.startDate == null ? todayOf(env, state) : dayOfText(request.startDate),
      endDay: orNull(dayOfText, request.endDate),
      receivesNotices: request.receivesNotices ?? false,
      createdAt: env.now,
    };
    checkDays(person);
    return replaced(request, [...recordOf(state).additionalPeople, person], person);
  },
};

const updatePerson: CommandSpec<LoanState, UpdateLoanPersonRequest> = {
  kind: 'loan',
  type: 'loanPerson.update',
  place: { on: 'target' },
  decide(context) {
    const request = beginAction(context, 'update');
    const { state, command, env } = context;
    const before = loanPersonOf(state, command.params['loanPersonId']);
    const person: AdditionalPerson = {
      ...before,
      loanRelationType: request.loanRelationType ?? before.loanRelationType,
      startDay: request.startDate === undefined ? before.startDay : dayOfText(request.startDate),
      endDay: request.endDate === undefined ? before.endDay : orNull(dayOfText, request.endDate),
      receivesNotices: request.receivesNotices ?? before.receivesNotices,
    };
    checkDays(person);
    const borrower = env.read<PersonState>('person', person.personId);
    if (borrower === undefined || !mayBeOn(borrower, person, before, todayOf(env, state))) refuseStranger(person.personId);
    return replaced(
      request,
      recordOf(state).additionalPeople.map((known) => (known === before ? person : known)),
      person,
    );
  },
};

const removePerson: CommandSpec<LoanState, ActionRequest> = {
  kind: 'loan',
  type: 'loanPerson.remove',
  place: { on: 'target' },
  decide(context) {
    const request = beginAction(context, 'update');
    const { state, command } = context;
    const person = loanPersonOf(state, command.params['loanPersonId']);
    return {
      facts: [peopleFact(recordOf(state).additionalPeople.filter((known) => known !== person))],
      preview: request.previewMode === true,
      reply: () => ({ data: null, message: `The person ${person.personId} is no longer on the loan.` }),
    };
  },
};

export const peopleCommands: readonly CommandSpec<LoanState>[] = [addPerson, updatePerson, removePerson];

/** A borrower of the company who is not on the loan yet. */
function newPersonId({ state, env }: CommandContext<LoanState>, { personId }: AddLoanPersonRequest): string {
  const record = recordOf(state);
  const id = resolveId(env, state.tenant, 'person', personId);
  if (id === record.personId) refuseProperty('personId', 'another borrower', '`personId` must not be the main borrower.');
  const person = id === undefined ? undefined : env.read<PersonState>('person', id);
  if (id === undefined || person === undefined || isGone(person)) return refuseStranger(personId);
  if (record.additionalPeople.some((known) => known.personId === id)) {
    refuse('duplicate', `The person ${id} is already on the loan.`, {
      errors: [{ path: 'personId', expected: 'a borrower who is not on the loan', message: 'is already on the loan' }],
    });
  }
  if (record.additionalPeople.length >= MAX_LOAN_PEOPLE) {
    refuse('ruleViolation', `A loan can have at most ${MAX_LOAN_PEOPLE} people beside its main borrower.`);
  }
  return id;
}

const refuseStranger = (personId: string): never =>
  refuse('ruleViolation', `There is no borrower ${personId}.`, {
    errors: [{ path: 'personId', expected: 'a borrower', message: 'there is no such object' }],
  });

function checkDays({ startDay, endDay }: AdditionalPerson): void {
  if (endDay !== null && endDay < startDay) refuseProperty('endDate', 'startDate or later', '`endDate` must not be before `startDate`.');
}

function replaced(request: ActionRequest, people: readonly AdditionalPerson[], person: AdditionalPerson): Decision<LoanState> {
  return { facts: [peopleFact(people)], preview: request.previewMode === true, reply: () => ({ data: loanPersonView(person) }) };
}

function peopleFact(additionalPeople: readonly AdditionalPerson[]): { readonly type: 'LoanUpdated'; readonly body: LoanUpdated } {
  return { type: 'LoanUpdated', body: { additionalPeople } };
}
