export * from './file.js';
export type { FieldFault } from './layout.js';
export * from './records.js';
export { dateText } from './fields.js';
export type { Trailer } from './trailer.js';
export type { AccountCheck, Check, Checked, MonthCheck, Use } from './check.js';
export { checkedOf } from './check.js';
export * from './validate.js';
