import { addDays, type Day, must } from '../../../engine/index.js';
import { type Fault, Refusal, refuse } from '../../errors.js';
import type { CommandContext, CommandSpec, Decision, DecideEnv } from '../../kernel/actor.js';
import { zoneOf } from '../directory.js';
import { type CompanyFacts, type CompanyState, EVER, type LoanType, type LoanTypeFields } from '../state.js';
import { LOAN_TYPE_DEFAULTS, mergeSettings } from '../loan-type-sections.js';
import { checkSent, checkSettings } from '../loan-type-rules.js';
import type { LoanTypeCreateBody, LoanTypeUpdateBody } from '../loan-type-wire.js';
import { standardReminders } from '../reminders.js';
import { checkTimezone } from '../profile.js';
import { type PaymentType, paymentTypesOf } from '../processors/card-connection.js';
import { processorsOf } from '../processors/processor.js';
import { loanTypeView } from '../views.js';

type Context<Body = unknown> = CommandContext<CompanyState, Body>;

/** Statuses of loans that will still take their terms from the loan type. */
const UNDECIDED: readonly string[] = ['pending', 'originated'];

export const loanTypeCommands: readonly CommandSpec<CompanyState>[] = [
  spec('loanType.create', ({ state, body, env }: Context<LoanTypeCreateBody>) => {
    const wire = body;
    const fields = fieldsOf(wire, null);
    const settings = mergeSettings(LOAN_TYPE_DEFAULTS, withProcessors(state, wire));
    checkSent(wire, fields.type);
    checkSettings(settings, fields.type);
    const created: CompanyFacts['LoanTypeCreated'] = { id: env.newId('LT'), fields, settings };
    return {
      facts: [{ type: 'LoanTypeCreated', body: created }, ...standardReminders(env, created.id)],
      reply: (after) => ({ status: 201, data: loanTypeView(after, loanTypeIn(after, created.id)) }),
    };
  }),
  spec('loanType.update', (context: Context<LoanTypeUpdateBody>) => {
    const before = loanTypeOfPath(context);
    const body = context.body;
    const fields = fieldsOf(body, before);
    refuseFixed(before, fields, context.env);
    if (fields.status === 'inactive' && before.status === 'active') refuseUndecided(before, context.env);
    const current = must(before.versions.at(-1), 'a loan type without settings').settings;
    const merged = mergeSettings(current, withProcessors(context.state, body));
    checkSent(body, fields.type);
    checkSettings(merged, fields.type);
    const settings = JSON.stringify(merged) === JSON.stringify(current) ? null : merged;
    const from = firstDayOfEdit(context.state, before, context.env);
    const updated: CompanyFacts['LoanTypeUpdated'] = { id: before.id, fields, settings, from };
    return decision('LoanTypeUpdated', updated);
  }),
  spec('loanType.deactivate', (context) => {
    const before = loanTypeOfPath(context);
    refuseUndecided(before, context.env);
    const { id, createdAt: _created, updatedAt: _updated, versions: _versions, ...fields } = before;
    const from = firstDayOfEdit(context.state, before, context.env);
    const updated: CompanyFacts['LoanTypeUpdated'] = { id, fields: { ...fields, status: 'inactive' }, settings: null, from };
    return decision('LoanTypeUpdated', updated);
  }),
];

function spec<Body>(type: string, decide: (context: Context<Body>) => Decision<CompanyState>): CommandSpec<CompanyState, Body> {
  return { kind: 'company', type, place: { on: 'target' }, catchesUp: false, decide };
}

/** Kinds of payments for which a loan type may name a processor. */
const BY_PROCESSOR: readonly PaymentType[] = ['ach', 'debitCard', 'creditCard'];

/** The body with the service ids of the processors that it names. 422 for what is none, or is used no more. */
function withProcessors<Body extends LoanTypeUpdateBody>(company: CompanyState, body: Body): Body {
  const { processors } = body;
  if (processors === undefined) return body;
  const faults: Fault[] = [];
  const named: Record<string, string | null> = {};
  for (const [kind, anyId] of Object.entries(processors)) {
    const path = `processors.${kind}`;
    const found = [...processorsOf(company).values()].find(({ id, stored }) => id === anyId || `ext-${stored.externalId ?? ''}` === anyId);
    const type = BY_PROCESSOR.find((each) => each === kind);
    if (type === undefined) faults.push({ path, expected: `one of ${BY_PROCESSOR.join(', ')}`, message: 'names no kind of payment' });
    else if (anyId !== null && found === undefined)
      faults.push({ path, expected: 'a payment processor', message: 'there is no such object' });
    else if (found && !paymentTypesOf(found.stored).includes(type))
      faults.push({ path, expected: `a processor of ${type} payments`, message: 'makes no such payments' });
    else if (found?.stored.status === 'deprecated') faults.push({ path, expected: 'a processor in use', message: 'is deprecated' });
    named[kind] = found?.id ?? null;
  }
  if (faults.length > 0)
    throw new Refusal('ruleViolation', 'The processors of the loan type are not valid: see `errors`.', { errors: faults });
  return { ...body, processors: named };
}

function loanTypeOfPath({ state, command }: Context): LoanType {
  const id = command.params['loanTypeId'] ?? '';
  return state.loanTypes.get(id) ?? refuse('notFound', `There is no loan type ${id}.`);
}

const loanTypeIn = (state: CompanyState, id: string): LoanType => must(state.loanTypes.get(id), 'the loan type is there');

function decision(type: 'LoanTypeUpdated', body: CompanyFacts['LoanTypeUpdated']): Decision<CompanyState> {
  return { facts: [{ type, body }], reply: (after) => ({ data: loanTypeView(after, loanTypeIn(after, body.id)) }) };
}

const DEFAULT_ASSET = { installment: 'personalClosedEndUnsecured', lineOfCredit: 'personalOpenEndUnsecured' } as const;

function fieldsOf(body: LoanTypeUpdateBody, before: LoanType | null): LoanTypeFields {
  checkTimezone(body.timezone);
  const type = must(body.type ?? before?.type, 'a loan type has a type');
  const name = body.name === undefined ? (before?.name ?? null) : body.name;
  const assetDisplayName = body.assetDisplayName ?? before?.assetDisplayName ?? name;
  if (assetDisplayName === null || assetDisplayName === '') {
    const fault: Fault = { path: 'assetDisplayName', expected: 'a text, or a name', message: '`assetDisplayName` or `name` is required.' };
    throw new Refusal('validationError', fault.message, { errors: [fault] });
  }
  return {
    name,
    assetDisplayName,
    type,
    description: body.description === undefined ? (before?.description ?? null) : body.description,
    assetType: body.assetType ?? before?.assetType ?? DEFAULT_ASSET[type],
    status: body.status ?? before?.status ?? 'active',
    timezone: body.timezone === undefined ? (before?.timezone ?? null) : body.timezone,
    currency: body.currency ?? before?.currency ?? 'USD',
    managedByService: body.managedByService ?? before?.managedByService ?? false,
    extraFields: body.extraFields ?? before?.extraFields ?? {},
  };
}

/** Refuses with 409 while loans in these statuses exist. */
function refuseUndecided({ id }: LoanType, env: DecideEnv): void {
  if (hasLoans(env, id, UNDECIDED))
    refuse('invalidState', `The loan type ${id} cannot be deactivated: it has loans that are pending or originated.`);
}

/** Refuses to change fields on which dates, amounts and ledgers of existing loans depend. */
function refuseFixed(before: LoanType, fields: LoanTypeFields, env: DecideEnv): void {
  const changed = (['type', 'currency', 'timezone'] as const).filter((field) => fields[field] !== before[field]);
  if (changed.length === 0 || !hasLoans(env, before.id)) return;
  const errors = changed.map((path) => ({ path, expected: String(before[path]), message: 'cannot change once a loan exists' }));
  throw new Refusal('invalidState', `The loan type ${before.id} has loans. These fields can no longer change: ${changed.join(', ')}.`, {
    errors,
  });
}

/** An edit takes effect on the next day. Before the first loan it takes effect for all time, since there is no past to change. */
function firstDayOfEdit(state: CompanyState, loanType: LoanType, env: DecideEnv): Day {
  return hasLoans(env, loanType.id) ? addDays(env.today(zoneOf(state, loanType)), 1) : EVER;
}

const hasLoans = (env: DecideEnv, loanTypeId: string, statuses: readonly string[] = ['all']): boolean =>
  env.count({ kind: 'loan', filter: { loanTypeId, statuses } }) > 0;
