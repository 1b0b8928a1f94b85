import type { Trace } from '../moves/traces.js';

/** A short text as MessagePack and as JSON. */
const packed = (text: string): readonly string[] => [String.fromCharCode(0xa0 + text.length) + text, `"${text}"`];

export const BORROWERS = ['b-1', 'b-2'];
export const LOANS = [
  ['b-1', 'l-1'],
  ['b-1', 'c-1'],
  ['b-2', 'l-2'],
] as const;

/** Stored unencrypted before names and texts were sealed: external ids, names of merchants, numbers of accounts and checks. */
export const CLEAR = [
  ...['b-1', 'b-2', 'l-1', 'l-2', 'c-1', 'd-1', 'k-1', 'k-2', 'p-1', 'p-4', 'fee-1'],
  ...['Corner Shop', '2233', '101', '021000021'],
];
/** What those releases sealed, and what the present code has recorded of the same borrower. */
export const SEALED = [
  'Verde',
  'Berg',
  '1971-11-30',
  '4 Mill Lane',
  '7700112233',
  'The copy was sent.',
  'asks for large print',
  'the roof of Tom',
];

export const TRACES: readonly Trace[] = [...CLEAR, ...SEALED].map((text) => [text, packed(text)]);
