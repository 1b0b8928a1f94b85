import { type CardNetwork, type Day, networkOfBin, parseDay, parseRate, type Rate } from '../engine/index.js';
import { localNames, type NameServers } from './outgoing/name-servers.js';

/** What the world outside tells: an installation that has a directory of cards or a source of rates puts it here. */
export interface Lookups {
  /** Values of public indexes, in any order. */
  readonly indexRates: readonly PublicIndexRate[];
  /** Undefined for numbers that no card has. */
  cardBin(bin: string): CardBinFacts | undefined;
  /** Of the domains that companies send from. */
  readonly names: NameServers;
}

/** A value holds from its day until the next one of its index. */
export interface PublicIndexRate {
  readonly indexName: string;
  readonly from: Day;
  readonly rate: Rate;
}

/** Null: not known. */
export interface CardBinFacts {
  readonly network: CardNetwork;
  readonly cardType: 'debit' | 'credit' | 'prepaid' | null;
  readonly issuerName: string | null;
  readonly countryCode: string | null;
  readonly isCommercial: boolean | null;
}

/** No values of indexes, of cards what their first digits tell by themselves, and of name servers nothing. */
export const OWN_LOOKUPS: Lookups = {
  indexRates: [],
  names: localNames(new Map()),
  cardBin(bin) {
    const network = networkOfBin(bin);
    return network === undefined ? undefined : { network, cardType: null, issuerName: null, countryCode: null, isCommercial: null };
  },
};

const INDEX_RATES_HEADER = 'indexName,effectiveDate,rate';

/**
 * Reads values of indexes: lines as `prime,2025-12-11,0.0675` under their header.
 *
 * @throws TypeError that names the line that is none.
 */
export function parseIndexRates(text: string): readonly PublicIndexRate[] {
  const [header, ...lines] = text.split(/\r?\n/).map((line) => line.trim());
  if (header !== INDEX_RATES_HEADER) throw new TypeError(`line 1 must be ${INDEX_RATES_HEADER}`);
  return lines.flatMap((line, index) => (line === '' ? [] : [valueOf(line, index + 2)]));
}

function valueOf(line: string, number: number): PublicIndexRate {
  const [indexName = '', date = '', value = '', ...more] = line.split(',');
  const from = parseDay(date);
  const rate = parseRate(value);
  if (indexName === '' || from === undefined || rate === undefined || more.length > 0)
    throw new TypeError(`line ${number} is no value of an index: ${line}`);
  return { indexName, from, rate };
}
