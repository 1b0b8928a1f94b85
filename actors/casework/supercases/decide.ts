import { caseTypeOf, companyOf, type CompanyState } from '../../company/index.js';
import { refuse, refuseProperty } from '../../errors.js';
import type { CommandSpec, DecideEnv } from '../../kernel/actor.js';
import type { FactDraft } from '../../kernel/fact.js';
import { millisecondsOf, orNull } from '../../wire.js';
import { requireNext, requireOutcome, type SubcaseFilter } from '../cases/index.js';
import { type Context, fact, onSupercase, requireActive, type SupercaseFields, type SupercaseState } from './state.js';
import { watchedAgain } from './gathering.js';
import type { CreateSupercaseRequest, UpdateSupercaseRequest } from './requests.js';
import { supercaseView } from './views.js';

/** `POST /supercases`. */
export const createSupercase: CommandSpec<SupercaseState, CreateSupercaseRequest> = {
  kind: 'supercase',
  type: 'supercase.create',
  place: { on: 'root' },
  catchesUp: false,
  decide({ body, env }) {
    const request = body;
    refuseTaken(env, request.externalId, null);
    const fields = { ...NO_FIELDS, supercaseType: request.supercaseType, name: request.name };
    return {
      facts: [fact('SupercaseOpened', { ...fields, ...changesOf(companyOf(env, env.tenant), request, request.supercaseType) })],
      reply: supercaseReply,
    };
  },
};

/** The optional fields of a supercase, without values. */
export const NO_FIELDS: Omit<SupercaseFields, 'supercaseType' | 'name'> = {
  externalId: null,
  description: null,
  eventStartedAt: null,
  subcaseTypeId: null,
  subcaseName: null,
  autoCreated: false,
  femaDisasterNumber: null,
  femaDisasterDetails: null,
  femaMonitoringEndDate: null,
};

/** `PUT /supercases/{supercaseId}`. */
export const updateSupercase = onSupercase('supercase.update', (context: Context<UpdateSupercaseRequest>) => {
  const { state, env, body: request } = context;
  const { status, outcome = null, force = false, name, ...others } = request;
  const isMove = status !== undefined && status !== state.status;
  if (!isMove || status !== 'reopened') requireActive(state);
  refuseTaken(env, request.externalId, state.id);
  const changes = { ...(name === undefined ? {} : { name }), ...changesOf(companyOf(env, env.tenant), others, state.supercaseType) };
  const facts: FactDraft[] = Object.keys(changes).length === 0 ? [] : [fact('SupercaseChanged', { changes })];
  if (isMove) {
    requireNext(state, status);
    requireOutcome(status, outcome);
    if (status === 'completed' && !force) refuseActiveSubcases(context);
    facts.push(fact('SupercaseMoved', { status, outcome }));
  } else if (outcome !== null) requireOutcome('initiated', outcome);
  facts.push(...watchedAgain(state, { ...state, ...changes, ...(isMove ? { status } : {}) }, env));
  return { facts, reply: supercaseReply };
});

/** `DELETE /supercases/{supercaseId}`. */
export const deleteSupercase = onSupercase('supercase.delete', ({ state }) => {
  if (state.populations.some(({ isDraft }) => !isDraft))
    refuse('invalidState', `The supercase ${state.id} cannot be deleted: it has subcases. Close them instead.`);
  return { facts: [fact('SupercaseDeleted', {})], reply: () => ({ data: undefined }) };
});

const supercaseReply = (after: SupercaseState): { readonly data: unknown } => ({ data: supercaseView(after) });

function refuseActiveSubcases({ state, env }: Context): void {
  const active = env.count({ kind: 'case', filter: { supercaseId: state.id, isActive: true } satisfies SubcaseFilter });
  if (active > 0) refuse('invalidState', `The supercase ${state.id} has ${active} active subcases. Close them first, or send force=true.`);
}

type OptionalFields = Omit<CreateSupercaseRequest, 'supercaseType' | 'name'>;

function changesOf(company: CompanyState, body: OptionalFields, supercaseType: SupercaseFields['supercaseType']): Partial<SupercaseFields> {
  const { eventStartedAt, subcaseTypeId, femaDisasterNumber, femaMonitoringEndDate, externalId, description, subcaseName } = body;
  if (supercaseType === 'generic') {
    if (femaDisasterNumber != null)
      refuseProperty(
        'femaDisasterNumber',
        'nothing: only a federal emergency has it',
        'A generic supercase cannot have fields of a disaster.',
      );
    if (femaMonitoringEndDate != null)
      refuseProperty(
        'femaMonitoringEndDate',
        'nothing: only a federal emergency has it',
        'A generic supercase cannot have fields of a disaster.',
      );
  }
  if (subcaseTypeId != null && !caseTypeOf(company, subcaseTypeId))
    refuseProperty('subcaseTypeId', 'the id of an active case type', `There is no active case type ${subcaseTypeId}.`);
  const named = { externalId, description, subcaseTypeId, subcaseName, femaDisasterNumber, femaMonitoringEndDate };
  const given = Object.fromEntries(Object.entries(named).filter(([, value]) => value !== undefined));
  return { ...given, ...(eventStartedAt === undefined ? {} : { eventStartedAt: orNull(millisecondsOf, eventStartedAt) }) };
}

function refuseTaken(env: DecideEnv, externalId: string | null | undefined, ownId: string | null): void {
  const holder = externalId == null ? undefined : env.findExternal(env.tenant, 'supercase', externalId);
  if (holder === undefined || holder === ownId) return;
  refuse('duplicate', `\`externalId\` is already used by the supercase ${holder}.`, {
    errors: [{ path: 'externalId', expected: 'an externalId that is not in use', message: 'is already in use' }],
  });
}
