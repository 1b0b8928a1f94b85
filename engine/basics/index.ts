/** What is no rule of money. Programs that do one thing import this: they start in a tenth of the time that the whole engine takes. */
export { assert, must } from '../assert.js';
export { csvLine } from '../csv.js';
export { fieldOf, fieldsOf, isRecord, namesOf, ownJson, recordsIn, textIn } from '../records.js';
