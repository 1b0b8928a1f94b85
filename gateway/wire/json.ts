import { Refusal } from '../../actors/index.js';
import { LIMITS } from '../limits.js';

/**
 * Reads a JSON body so that every number is exact. A number of at most 15 significant digits survives as a binary float: printing it gives
 * back its text. Numbers with more digits, or beyond the range of floats, are refused.
 * Throws `Refusal` for malformed JSON, such numbers, deep nesting and `__proto__`.
 */
export function parseJson(text: string): unknown {
  checkTokens(text);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new Refusal('badRequest', 'The body is not valid JSON.', { cause, errors: [fault('JSON', positionOf(cause))] });
  }
  if (MAY_NAME_PROTOTYPE.test(text)) refusePrototypeKeys(value);
  return value;
}

const fault = (expected: string, message: string) => ({ path: 'body', expected, message });

function positionOf(cause: unknown): string {
  const at = /at position \d+/.exec(cause instanceof Error ? cause.message : '');
  return at ? `unexpected token ${at[0]}` : 'unexpected end or token';
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const ZERO = 0x30;

/** One pass over the text outside of strings: limits the nesting and the values, and checks the digits of each number. */
function checkTokens(text: string): void {
  let depth = 0;
  let values = 0;
  let index = 0;
  while (index < text.length) {
    const code = text.charCodeAt(index);
    if (code === QUOTE) {
      index = endOfString(text, index + 1);
    } else if (isNumberStart(code)) {
      const end = endOfNumber(text, index);
      if (end - index > LIMITS.numberDigits || hasExponent(text, index, end)) checkNumber(text.slice(index, end));
      index = end;
    } else {
      if (code === 0x2c || code === 0x3a || code === 0x5b || code === 0x7b) {
        values += 1;
        if (values > LIMITS.bodyValues) {
          const most = `at most ${LIMITS.bodyValues.toLocaleString('en-US')} names and values`;
          const message = 'the body has too many names and values';
          throw new Refusal('badRequest', `The body must have ${most}.`, { errors: [fault(most, message)] });
        }
      }
      if (code === 0x5b || code === 0x7b) {
        depth += 1;
        if (depth > LIMITS.bodyDepth) {
          const most = `at most ${LIMITS.bodyDepth} levels`;
          throw new Refusal('badRequest', `The body is nested too deeply: ${most} are allowed.`, {
            errors: [fault(most, 'the body is nested too deeply')],
          });
        }
      } else if (code === 0x5d || code === 0x7d) {
        depth -= 1;
      }
      index += 1;
    }
  }
}

/** The position after the closing quote. */
function endOfString(text: string, start: number): number {
  for (let quote = text.indexOf('"', start); quote >= 0; quote = text.indexOf('"', quote + 1)) {
    let escapes = quote;
    while (escapes > start && text.charCodeAt(escapes - 1) === BACKSLASH) escapes -= 1;
    if ((quote - escapes) % 2 === 0) return quote + 1;
  }
  return text.length;
}

const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39;
const isNumberStart = (code: number): boolean => isDigit(code) || code === 0x2d;

/** The position after the digits, signs, point and exponent. */
function endOfNumber(text: string, start: number): number {
  let index = start;
  while (index < text.length) {
    const code = text.charCodeAt(index);
    if (!isDigit(code) && code !== 0x2d && code !== 0x2b && code !== 0x2e && code !== 0x45 && code !== 0x65) break;
    index += 1;
  }
  return index;
}

function hasExponent(text: string, start: number, end: number): boolean {
  for (let index = start; index < end; index++) {
    const code = text.charCodeAt(index);
    if (code === 0x45 || code === 0x65) return true;
  }
  return false;
}

function checkNumber(token: string): void {
  if (isExactNumber(token)) return;
  const expected = `numbers of at most ${LIMITS.numberDigits} significant digits`;
  throw new Refusal('badRequest', `The body has a number that cannot be stored exactly. Send ${expected}.`, {
    errors: [fault(expected, 'a number has too many digits or is out of range')],
  });
}

/** Whether a decimal text and the float that is read from it are the same number. */
export function isExactNumber(token: string): boolean {
  const digits = significantDigits(token);
  if (digits === 0) return true;
  const size = Math.abs(Number(token));
  return digits <= LIMITS.numberDigits && size >= SMALLEST_NORMAL && size < Infinity;
}

/** From the first digit that is not zero to the last one. One pass, since the text may be long. */
function significantDigits(token: string): number {
  let digits = 0;
  let first = 0;
  let last = 0;
  for (let index = 0; index < token.length; index++) {
    const code = token.charCodeAt(index);
    if (code === 0x45 || code === 0x65) break;
    if (!isDigit(code)) continue;
    digits += 1;
    if (code === ZERO) continue;
    if (first === 0) first = digits;
    last = digits;
  }
  return last === 0 ? 0 : last - first + 1;
}

/** Spelled out or hidden in escapes. */
const MAY_NAME_PROTOTYPE = /__proto__|\\u00/;

/** Below it floats lose digits. */
const SMALLEST_NORMAL = 2 ** -1022;

function refusePrototypeKeys(value: unknown): void {
  if (value === null || typeof value !== 'object') return;
  for (const [key, property] of Object.entries(value)) {
    if (key === '__proto__') {
      throw new Refusal('badRequest', 'The body must not have a property `__proto__`.', {
        errors: [fault('other property names', '__proto__ is not allowed')],
      });
    }
    refusePrototypeKeys(property);
  }
}
