import type { CatalogRow } from '../actor.js';

type Field = CatalogRow['fields'][string] | undefined;

/** The number in a field of a row; null where there is none. */
export const numberOf = (field: Field): number | null => (typeof field === 'number' ? field : null);

/** The texts that a field of a row lists; none where there is no list. */
export const textsIn = (field: Field): readonly string[] => (areTexts(field) ? field : NO_TEXTS);

/** A list is of texts or of numbers, so that its first entry says which. */
const areTexts = (field: Field): field is readonly string[] => Array.isArray(field) && typeof field[0] !== 'number';

const NO_TEXTS: readonly string[] = [];

/** Whether a field of a row is one of these texts. */
export const isIn = (field: Field, texts: ReadonlySet<string>): boolean => typeof field === 'string' && texts.has(field);

/** Whether a field of a row lists a text that passes. */
export const listsSome = (field: Field, passes: (text: string) => boolean): boolean =>
  typeof field === 'object' && field !== null && field.some((one: string | number) => typeof one === 'string' && passes(one));

/** Whether a field of a row lists this text. */
export const lists = (field: Field, text: string): boolean => listsSome(field, (one) => one === text);
