import { blank, constant, date, identity, type Layout, layout, money, number, text } from './fields.js';

/*
 * The records of a NACHA file, a field a row. Widths add up to 94; positions follow from them. Source: Nacha Operating Rules, appendix
 * "ACH Record Format Specifications".
 */

type ValuesIn<Declared> = Declared extends Layout<infer Values> ? Values : never;

export const FILE_HEADER = layout(
  '1',
  text('priority', 2),
  identity('immediateDestination', 10),
  identity('immediateOrigin', 10),
  date('creationDate'),
  text('creationTime', 4),
  text('fileIdModifier', 1),
  text('recordSize', 3),
  text('blockingFactor', 2),
  text('formatCode', 1),
  text('destinationName', 23),
  text('originName', 23),
  text('reference', 8),
);

export const BATCH_HEADER = layout(
  '5',
  text('serviceClass', 3),
  text('companyName', 16),
  text('discretionaryData', 20),
  text('companyId', 10),
  text('sec', 3),
  text('entryDescription', 10),
  text('descriptiveDate', 6),
  date('effectiveEntryDate'),
  text('settlementDay', 3),
  text('originatorStatus', 1),
  text('odfi', 8),
  number('batchNumber', 7),
);

/** PPD, WEB, CCD, TEL and whatever has no layout of its own. */
const ENTRY = layout(
  '6',
  text('transactionCode', 2),
  text('routingNumber', 9),
  text('accountNumber', 17),
  money('amountCents', 10),
  text('individualId', 15),
  text('receiverName', 22),
  text('discretionaryData', 2),
  text('addendaIndicator', 1),
  text('trace', 15),
);

/** Corporate entries with many addenda: the name is shorter, and their number stands before it. */
const CTX_ENTRY = layout(
  '6',
  text('transactionCode', 2),
  text('routingNumber', 9),
  text('accountNumber', 17),
  money('amountCents', 10),
  text('individualId', 15),
  number('addendaCount', 4),
  text('receiverName', 16),
  blank(2),
  text('discretionaryData', 2),
  text('addendaIndicator', 1),
  text('trace', 15),
);

/** International entries: the account has 35 characters, the name stands in an addenda record. */
const IAT_ENTRY = layout(
  '6',
  text('transactionCode', 2),
  text('routingNumber', 9),
  number('addendaCount', 4),
  blank(13),
  money('amountCents', 10),
  text('accountNumber', 35),
  blank(2),
  text('screening', 2),
  text('addendaIndicator', 1),
  text('trace', 15),
);

/** Payment information. */
const ADDENDA_05 = layout('7', constant('05'), text('information', 80), number('sequence', 4), text('entryTrace', 7));

/** A return. */
const ADDENDA_99 = layout(
  '7',
  constant('99'),
  text('code', 3),
  text('originalTrace', 15),
  date('dateOfDeath'),
  text('originalReceivingBank', 8),
  text('information', 44),
  text('trace', 15),
);

/** A return that the originating bank sends back: R61, R62, R67 to R70. */
const ADDENDA_99_DISHONORED = layout(
  '7',
  constant('99'),
  text('code', 3),
  text('originalTrace', 15),
  blank(6),
  text('originalReceivingBank', 8),
  blank(3),
  text('returnTrace', 15),
  text('returnSettlementDay', 3),
  text('returnReason', 2),
  text('information', 21),
  text('trace', 15),
);

/** A dishonored return that the receiving bank contests: R71 to R77. */
const ADDENDA_99_CONTESTED = layout(
  '7',
  constant('99'),
  text('code', 3),
  text('originalTrace', 15),
  date('originalEntryReturned'),
  text('originalReceivingBank', 8),
  text('originalSettlementDay', 3),
  text('returnTrace', 15),
  text('returnSettlementDay', 3),
  text('returnReason', 2),
  text('dishonoredReturnTrace', 15),
  text('dishonoredReturnSettlementDay', 3),
  text('dishonoredReturnReason', 2),
  blank(1),
  text('trace', 15),
);

/** A notification of change. */
const ADDENDA_98 = layout(
  '7',
  constant('98'),
  text('code', 3),
  text('originalTrace', 15),
  blank(6),
  text('originalReceivingBank', 8),
  text('correctedData', 29),
  blank(15),
  text('trace', 15),
);

/** A notification of change that the originating bank sends back: C61 to C69. */
const ADDENDA_98_REFUSED = layout(
  '7',
  constant('98'),
  text('code', 3),
  text('originalTrace', 15),
  blank(6),
  text('originalReceivingBank', 8),
  text('correctedData', 29),
  text('changeCode', 3),
  text('changeTrace', 7),
  blank(5),
  text('trace', 15),
);

/** Any other addenda record: 02 of terminals, 10 to 18 of international entries. It is kept as it is. */
const ADDENDA_OTHER = layout('7', text('addendaType', 2), text('content', 91));

export const BATCH_CONTROL = layout(
  '8',
  text('serviceClass', 3),
  number('entryAddendaCount', 6),
  number('entryHash', 10),
  money('debitCents', 12),
  money('creditCents', 12),
  text('companyId', 10),
  text('authenticationCode', 19),
  blank(6),
  text('odfi', 8),
  number('batchNumber', 7),
);

export const FILE_CONTROL = layout(
  '9',
  number('batchCount', 6),
  number('blockCount', 6),
  number('entryAddendaCount', 8),
  number('entryHash', 10),
  money('debitCents', 12),
  money('creditCents', 12),
  blank(39),
);

export type FileHeader = ValuesIn<typeof FILE_HEADER>;
export type BatchHeader = ValuesIn<typeof BATCH_HEADER>;
export type BatchControl = ValuesIn<typeof BATCH_CONTROL>;
export type FileControl = ValuesIn<typeof FILE_CONTROL>;
type PlainEntry = ValuesIn<typeof ENTRY>;

/** An entry of any kind. What its kind does not have is empty. */
export interface EntryRecord extends PlainEntry {
  /** CTX and IAT: the number of addenda that the entry states. */
  readonly addendaCount?: number;
}

export type Addenda =
  | ({ readonly type: 'information' } & ValuesIn<typeof ADDENDA_05>)
  | ({ readonly type: 'return' } & ValuesIn<typeof ADDENDA_99>)
  | ({ readonly type: 'dishonoredReturn' } & ValuesIn<typeof ADDENDA_99_DISHONORED>)
  | ({ readonly type: 'contestedReturn' } & ValuesIn<typeof ADDENDA_99_CONTESTED>)
  | ({ readonly type: 'change' } & ValuesIn<typeof ADDENDA_98>)
  | ({ readonly type: 'refusedChange' } & ValuesIn<typeof ADDENDA_98_REFUSED>)
  | ({ readonly type: 'other' } & ValuesIn<typeof ADDENDA_OTHER>);

/** Which kind an addenda record is, by its type and its code. */
function addendaTypeOf(record: string): Addenda['type'] {
  const code = record.slice(3, 6);
  switch (record.slice(1, 3)) {
    case '05':
      return 'information';
    case '98':
      return /^C6[1-9]$/.test(code) ? 'refusedChange' : 'change';
    case '99':
      return DISHONORED.has(code) ? 'dishonoredReturn' : /^R7[1-7]$/.test(code) ? 'contestedReturn' : 'return';
    default:
      return 'other';
  }
}

const DISHONORED = new Set(['R61', 'R62', 'R67', 'R68', 'R69', 'R70']);

interface FoundAddenda {
  readonly addenda: Addenda;
  readonly unreadable: readonly string[];
}

export function readAddenda(record: string): FoundAddenda {
  const type = addendaTypeOf(record);
  const found = <Kind extends Addenda['type'], Values>(kind: Kind, layoutOf: Layout<Values>) => {
    const { values, unreadable } = layoutOf.read(record);
    return { addenda: { ...values, type: kind }, unreadable };
  };
  switch (type) {
    case 'information':
      return found(type, ADDENDA_05);
    case 'return':
      return found(type, ADDENDA_99);
    case 'dishonoredReturn':
      return found(type, ADDENDA_99_DISHONORED);
    case 'contestedReturn':
      return found(type, ADDENDA_99_CONTESTED);
    case 'change':
      return found(type, ADDENDA_98);
    case 'refusedChange':
      return found(type, ADDENDA_98_REFUSED);
    case 'other':
      return found(type, ADDENDA_OTHER);
  }
}

export function writeAddenda(addenda: Addenda): string {
  switch (addenda.type) {
    case 'information':
      return ADDENDA_05.write(addenda);
    case 'return':
      return ADDENDA_99.write(addenda);
    case 'dishonoredReturn':
      return ADDENDA_99_DISHONORED.write(addenda);
    case 'contestedReturn':
      return ADDENDA_99_CONTESTED.write(addenda);
    case 'change':
      return ADDENDA_98.write(addenda);
    case 'refusedChange':
      return ADDENDA_98_REFUSED.write(addenda);
    case 'other':
      return ADDENDA_OTHER.write(addenda);
  }
}

/** What an entry has no field for: an international one names its receiver in an addenda record. */
const NOT_IN_IAT = { individualId: '', receiverName: '', discretionaryData: '' };

interface EntryLayout {
  write(entry: EntryRecord): string;
  read(record: string): { readonly values: EntryRecord; readonly unreadable: readonly string[] };
  /** The characters of its amount. */
  rawAmount(record: string): string;
}

const PLAIN_LAYOUT: EntryLayout = {
  write: (entry) => ENTRY.write(entry),
  read: (record) => ENTRY.read(record),
  rawAmount: (record) => ENTRY.raw(record, 'amountCents'),
};

const CTX_LAYOUT: EntryLayout = {
  write: (entry) => CTX_ENTRY.write({ addendaCount: 0, ...entry }),
  read: (record) => CTX_ENTRY.read(record),
  rawAmount: (record) => CTX_ENTRY.raw(record, 'amountCents'),
};

const IAT_LAYOUT: EntryLayout = {
  write: (entry) => IAT_ENTRY.write({ addendaCount: 0, screening: '', ...entry }),
  read(record) {
    const { values, unreadable } = IAT_ENTRY.read(record);
    const { screening: _screening, ...entry } = values;
    return { values: { ...NOT_IN_IAT, ...entry }, unreadable };
  },
  rawAmount: (record) => IAT_ENTRY.raw(record, 'amountCents'),
};

/** The layout of the entries of an SEC code. IAT and CTX have their own. */
export const entryLayoutOf = (sec: string): EntryLayout => (sec === 'IAT' ? IAT_LAYOUT : sec === 'CTX' ? CTX_LAYOUT : PLAIN_LAYOUT);
