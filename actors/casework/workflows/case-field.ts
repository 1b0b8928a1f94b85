import { updateCase } from '../cases/commands/update.js';
import { typeOfCase } from '../cases/fields/case-type.js';
import type { CaseState } from '../cases/state.js';
import { companyOf, dataTypeOf, type FieldKind, TYPE_FIELDS } from '../../company/index.js';
import { refuse, refuseProperty } from '../../errors.js';
import type { CommandContext } from '../../kernel/actor.js';
import type { FactDraft } from '../../kernel/fact.js';

/** What a field of a case takes from an item; words are choices, and what is no single value is entered in the case itself. */
const TAKES: Readonly<Record<Extract<FieldKind, string>, { readonly expected: string; isOf(value: unknown): boolean }>> = {
  date: dataTypeOf('date'),
  boolean: dataTypeOf('boolean'),
  amount: {
    expected: 'an amount with two decimals at most',
    isOf: (value) => typeof value === 'number' && value >= 0 && Math.round(value * 100) / 100 === value,
  },
  number: { expected: 'a number from 0 to 100', isOf: (value) => typeof value === 'number' && value >= 0 && value <= 100 },
  id: { expected: 'an id', isOf: (value) => typeof value === 'string' && /^ext-|^[A-Z][A-Z0-9]-[A-Z0-9]+-[A-Z0-9]+|^\d+/.test(value) },
  text: { expected: 'a text of 1,000 characters at most', isOf: (value) => typeof value === 'string' && value.length <= 1000 },
  ids: { expected: 'nothing: it is entered in the case', isOf: () => false },
  object: { expected: 'nothing: it is entered in the case', isOf: () => false },
};

/** Writes a type field or a custom field as a change of the case would; refuses what the field does not take. */
export function fieldWritten(context: CommandContext<CaseState>, fieldName: string, value: unknown): readonly FactDraft[] {
  const { state, env } = context;
  const { customFields } = typeOfCase(companyOf(env, env.tenant), state);
  if (customFields.some((field) => field.fieldName === fieldName))
    return updateCase.decide({ ...context, body: { customFields: { [fieldName]: value } } }).facts;
  const kind = TYPE_FIELDS[state.caseType][fieldName] ?? refuse('businessValidation', `The case has no field ${fieldName}.`);
  if (typeof kind === 'string' && !TAKES[kind].isOf(value))
    refuseProperty('value', TAKES[kind].expected, `The field ${fieldName} takes ${TAKES[kind].expected}.`);
  return updateCase.decide({ ...context, body: { [fieldName]: value } }).facts;
}
