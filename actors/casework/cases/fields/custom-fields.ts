import { type CustomField, faultsOfCustomFields } from '../../../company/index.js';
import { type Fault, refuse } from '../../../errors.js';
import type { Values } from '../state.js';
import type { FieldChanges } from './read-fields.js';

const isSealed = ({ dataType }: CustomField): boolean => dataType === 'string' || dataType === 'text';

/** The custom fields of a body, texts apart: they may tell of a person. Refuses all faults at once. */
export function readCustomFields(schemas: readonly CustomField[], values: Values): FieldChanges {
  const errors = faultsOfCustomFields(schemas, values);
  if (errors.length > 0) refuse('validationError', 'Custom fields do not fit the type of the case.', { errors });
  const sealedNames = new Set(schemas.filter(isSealed).map(({ fieldName }) => fieldName));
  const [sealed, plain] = [true, false].map((wanted) =>
    Object.fromEntries(Object.entries(values).filter(([name]) => sealedNames.has(name) === wanted)),
  );
  return { plain: plain ?? {}, sealed: sealed ?? {} };
}

/** What the fields hold before anybody fills them in. */
export const defaultsOf = (schemas: readonly CustomField[]): Values =>
  Object.fromEntries(schemas.flatMap(({ fieldName, default: value }) => (value === null ? [] : [[fieldName, value]])));

/** Required fields that have no value. */
export function refuseMissing(schemas: readonly CustomField[], valueOf: (fieldName: string) => unknown): void {
  const errors = schemas
    .filter(({ required, fieldName }) => required && valueOf(fieldName) == null)
    .map(
      ({ fieldName }): Fault => ({
        path: `customFields.${fieldName}`,
        expected: 'a value before the case is completed',
        message: 'is missing',
      }),
    );
  if (errors.length > 0) refuse('validationError', 'A completed case has a value in each required field.', { errors });
}
