/** Digits and letters of the ids of the interface. */
const DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

const SEEDS = [0x811c9dc5, 0x9747b28c, 0x2545f491, 0x6c078965];

const MULTIPLIERS = [0x01000193, 0x85ebca6b, 0xc2b2ae35, 0x27d4eb2f];

/** The id of an entry: 100 bits of its key, so that two keys of a company never share one in practice. */
export const entryId = (key: string): string => `GE-${hashed(key)}`;

function hashed(text: string): string {
  const lanes = SEEDS.map((seed, at) => lane(text, seed, MULTIPLIERS[at] ?? 1));
  return lanes.map(fiveDigits).join('');
}

/** One multiplicative lane of 32 bits over the characters, mixed at the end. */
function lane(text: string, seed: number, multiplier: number): number {
  let value = seed;
  for (let at = 0; at < text.length; at += 1) {
    value = Math.imul(value ^ text.charCodeAt(at), multiplier);
    value ^= value >>> 15;
  }
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return (value ^ (value >>> 16)) >>> 0;
}

/** 25 bits of a lane. */
function fiveDigits(value: number): string {
  let text = '';
  for (let shift = 0; shift < 25; shift += 5) text += DIGITS[(value >>> shift) & 31] ?? '';
  return text;
}
