/**
 * Routing transit numbers of US banks: nine digits, of which the first two name the issuer's group and the last
 * is a check digit.
 */

/** `3(d1+d4+d7) + 7(d2+d5+d8) + (d3+d6+d9)` must be a multiple of ten, and not zero. */
export function isRoutingNumber(text: string): boolean {
  if (!/^\d{9}$/.test(text)) return false;
  const digits = Array.from(text, Number);
  const total = digits.reduce((sum, digit, index) => sum + digit * (WEIGHTS[index % 3] ?? 0), 0);
  return total > 0 && total % 10 === 0;
}

const WEIGHTS = [3, 7, 1];

type RoutingGroup = 'government' | 'primary' | 'thrift' | 'electronic' | 'travelersCheque';

interface GroupRange {
  readonly from: number;
  readonly to: number;
  readonly group: RoutingGroup;
  /** The Federal Reserve district is the prefix minus this. Null: the group has no district. */
  readonly districtBase: number | null;
}

/** The first two digits (ABA routing number policy). Prefixes between the ranges are not issued. */
const GROUPS: readonly GroupRange[] = [
  { from: 0, to: 0, group: 'government', districtBase: null },
  { from: 1, to: 12, group: 'primary', districtBase: 0 },
  { from: 21, to: 32, group: 'thrift', districtBase: 20 },
  { from: 61, to: 72, group: 'electronic', districtBase: 60 },
  { from: 80, to: 80, group: 'travelersCheque', districtBase: null },
];

export interface RoutingFacts {
  readonly routingNumber: string;
  readonly group: RoutingGroup;
  /** 1 Boston to 12 San Francisco; null outside of the districts. */
  readonly federalReserveDistrict: number | null;
  readonly isAchParticipant: boolean;
  readonly isWireParticipant: boolean;
}

/** What the digits of the number say. Undefined for a malformed number and for prefixes that are not issued. */
export function routingFacts(text: string): RoutingFacts | undefined {
  if (!isRoutingNumber(text)) return undefined;
  const prefix = Number(text.slice(0, 2));
  const range = GROUPS.find(({ from, to }) => prefix >= from && prefix <= to);
  if (!range) return undefined;
  const takesPart = range.group !== 'travelersCheque';
  return {
    routingNumber: text,
    group: range.group,
    federalReserveDistrict: range.districtBase === null ? null : prefix - range.districtBase,
    isAchParticipant: takesPart,
    isWireParticipant: takesPart && range.group !== 'electronic',
  };
}

/**
 * The network of a card, by its first digits and the ranges that the networks publish (ISO/IEC 7812).
 */
export type CardNetwork = 'visa' | 'mastercard' | 'americanExpress' | 'discover' | 'dinersClub' | 'jcb' | 'unionPay' | 'maestro';

interface BinRange {
  /** Both of the same number of digits. */
  readonly from: number;
  readonly to: number;
  readonly network: CardNetwork;
}

/** The first range that holds a number counts. */
const RANGES: readonly BinRange[] = [
  { from: 4, to: 4, network: 'visa' },
  { from: 51, to: 55, network: 'mastercard' },
  { from: 2221, to: 2720, network: 'mastercard' },
  { from: 34, to: 34, network: 'americanExpress' },
  { from: 37, to: 37, network: 'americanExpress' },
  { from: 6011, to: 6011, network: 'discover' },
  { from: 644, to: 649, network: 'discover' },
  { from: 65, to: 65, network: 'discover' },
  { from: 300, to: 305, network: 'dinersClub' },
  { from: 36, to: 36, network: 'dinersClub' },
  { from: 38, to: 39, network: 'dinersClub' },
  { from: 3528, to: 3589, network: 'jcb' },
  { from: 62, to: 62, network: 'unionPay' },
  { from: 5018, to: 5018, network: 'maestro' },
  { from: 5020, to: 5020, network: 'maestro' },
  { from: 5038, to: 5038, network: 'maestro' },
  { from: 6304, to: 6304, network: 'maestro' },
  { from: 6759, to: 6759, network: 'maestro' },
  { from: 6761, to: 6763, network: 'maestro' },
];

/** Six to eight digits. */
export const isCardBin = (text: string): boolean => /^\d{6,8}$/.test(text);

/** Undefined for numbers that no network has. */
export function networkOfBin(bin: string): CardNetwork | undefined {
  return RANGES.find(({ from, to }) => {
    const first = Number(bin.slice(0, String(from).length));
    return first >= from && first <= to;
  })?.network;
}

/** The check digit of ISO/IEC 7812: every second digit from the right is doubled. */
export function hasLuhnDigit(number: string): boolean {
  let total = 0;
  for (const [index, digit] of Array.from(number).reverse().entries()) {
    const doubled = Number(digit) * (index % 2 === 1 ? 2 : 1);
    total += doubled > 9 ? doubled - 9 : doubled;
  }
  return total % 10 === 0;
}
