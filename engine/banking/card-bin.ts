/**
 * What the first digits of a card tell by themselves: its network, by the ranges that the networks publish (ISO/IEC 7812).
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
