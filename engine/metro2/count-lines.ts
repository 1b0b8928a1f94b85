import type { AnyField } from './fields.js';
import { assert } from '../assert.js';
import { BASE, isSegment, J1, J2, RECORD_LENGTH, SEGMENTS } from './records.js';

/** Where a field begins in its record. */
function offsetIn({ fields }: { readonly fields: readonly AnyField[] }, name: string): number {
  let at = 0;
  for (const one of fields) {
    if (one.name === name) return at;
    at += one.name === null ? one.text.length : one.length;
  }
  return at;
}

interface ConsumerOffsets {
  readonly ssn: number;
  readonly birthDate: number;
  readonly phone: number;
  readonly ecoaCode: number;
}

const consumerIn = (layout: { readonly fields: readonly AnyField[] }): ConsumerOffsets => ({
  ssn: offsetIn(layout, 'ssn'),
  birthDate: offsetIn(layout, 'birthDate'),
  phone: offsetIn(layout, 'phone'),
  ecoaCode: offsetIn(layout, 'ecoaCode'),
});

const IN_BASE = consumerIn(BASE);
const IN_J1 = consumerIn(J1);
const IN_J2 = consumerIn(J2);
const STATUS = offsetIn(BASE, 'accountStatus');

const isThere = (text: string, at: number, length: number): boolean => /[1-9]/.test(text.slice(at, at + length));

/**
 * What a written account adds to the trailer, by the names of its counters. The same as counting the record, for a writer that has only
 * its line.
 */
export function countersOfLine(line: string): readonly string[] {
  const counters = ['totalBaseRecords', `totalStatus${line.slice(STATUS, STATUS + 2)}`];
  const consumer = (from: number, at: ConsumerOffsets, kind: 'Base' | 'J1' | 'J2'): void => {
    if (isThere(line, from + at.ssn, 9)) counters.push(`totalSsn${kind}`, 'totalSsnAll');
    if (isThere(line, from + at.birthDate, 8)) counters.push(`totalBirth${kind}`, 'totalBirthAll');
    if (isThere(line, from + at.phone, 10)) counters.push('totalPhoneAll');
    if (line[from + at.ecoaCode] === 'Z') counters.push('totalEcoaZ');
  };
  consumer(0, IN_BASE, 'Base');
  for (let at = RECORD_LENGTH; at < line.length; ) {
    const name = line.slice(at, at + 2);
    assert(isSegment(name), 'an appended segment begins with its name');
    counters.push(`total${name}`);
    if (name === 'J1') consumer(at, IN_J1, 'J1');
    if (name === 'J2') consumer(at, IN_J2, 'J2');
    at += SEGMENTS[name].length;
  }
  return counters;
}
