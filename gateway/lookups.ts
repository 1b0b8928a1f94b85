import { type CardNetwork, type Day, networkOfBin, parseDay, parseRate, type Rate } from '../engine/index.js';
import type { BankLinkVendor } from './bank-link.js';
import { localNames, type NameServers } from './outgoing.js';

/** Data from outside the service. An installation with a directory of cards or a source of rates connects it here. */
export interface Lookups {
  /** Values of public indexes, in any order. */
  readonly indexRates: readonly PublicIndexRate[];
  /** Undefined for digits with which no card number begins. */
  readonly cardBin: (bin: string) => CardBinFacts | undefined;
  /** Name servers, for the domains from which companies send. */
  readonly names: NameServers;
  /** The vendor of bank data in live mode; null: none is connected. */
  readonly bankLink: BankLinkVendor | null;
}

/** A value of an index, which applies from its day until the next value. */
export interface PublicIndexRate {
  readonly indexName: string;
  readonly from: Day;
  readonly rate: Rate;
}

/** Facts about the cards of a range of numbers; null = unknown. */
export interface CardBinFacts {
  readonly network: CardNetwork;
  readonly cardType: 'debit' | 'credit' | 'prepaid' | null;
  readonly issuerName: string | null;
  readonly countryCode: string | null;
  readonly isCommercial: boolean | null;
}

/** Used where nothing is connected: no index values, the network of a card from its first digits, and no name servers. */
export const OWN_LOOKUPS: Lookups = {
  indexRates: [],
  names: localNames(new Map()),
  bankLink: null,
  cardBin(bin) {
    const network = networkOfBin(bin);
    return network === undefined ? undefined : { network, cardType: null, issuerName: null, countryCode: null, isCommercial: null };
  },
};

const INDEX_RATES_HEADER = 'indexName,effectiveDate,rate';

/**
 * Reads index values: a header, then lines such as `prime,2025-12-11,0.0675`.
 *
 * @throws TypeError that names the malformed line.
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
    throw new TypeError(`line ${number} must be an index name, a date and a rate, such as prime,2025-12-11,0.0675: ${line}`);
  return { indexName, from, rate };
}
