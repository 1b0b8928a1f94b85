import {
  type AchBatch,
  type AchEntry,
  type AchFile,
  achText,
  cents,
  type Cents,
  codeOf,
  type Day,
  HEADER_CONSTANTS,
  must,
  RETRY_DESCRIPTION,
  serviceClassFor,
} from '../../../engine/index.js';
import type { FileAccount } from '../../borrower/index.js';
import type { PaymentProcessor } from '../../company/index.js';
import type { OutgoingEntry } from './entries.js';

/** An entry before it has its trace number. */
export interface PlannedEntry {
  readonly account: FileAccount;
  readonly entry: Omit<OutgoingEntry, 'trace'>;
  /** The reference that comes back with a return: the id of the payment or of the instrument. */
  readonly reference: string;
  readonly isRecurring: boolean;
  readonly purpose: 'payment' | 'retry' | 'refund' | 'verification' | 'prenote';
}

/** What the receiver reads on the account statement. */
const DESCRIPTIONS: { readonly [Purpose in PlannedEntry['purpose']]: string } = {
  payment: 'LOAN PMT',
  retry: RETRY_DESCRIPTION,
  refund: 'REFUND',
  verification: 'ACCTVERIFY',
  prenote: 'PRENOTE',
};

export interface FilePlan {
  readonly processor: PaymentProcessor;
  readonly fileDay: Day;
  /** `HHMM` by the processor's clock. */
  readonly time: string;
  readonly modifier: string;
  readonly effectiveDay: Day;
  readonly firstSequence: number;
  readonly entries: readonly PlannedEntry[];
}

/** Trace numbers have so many own digits; then they begin again. */
export const MAX_SEQUENCE = 9_999_999;

/**
 * The class of an entry: CCD for accounts of businesses. Credits to persons are PPD: WEB and TEL are for debits that a person has
 * authorized.
 */
function secOf({ account, entry, purpose }: PlannedEntry, { secCode }: PaymentProcessor): string {
  if (account.holderType === 'business') return 'CCD';
  if (entry.direction === 'credit' || purpose === 'verification' || secCode === null || secCode === 'CCD') return 'PPD';
  return secCode;
}

/** The file and its entries with their trace numbers: batches by class, description and direction. */
export function fileOf(plan: FilePlan): { readonly file: AchFile; readonly entries: readonly OutgoingEntry[] } {
  const { processor, effectiveDay, fileDay, firstSequence } = plan;
  const { file } = processor;
  const odfi = known(file.odfi);
  const groups = new Map<string, PlannedEntry[]>();
  for (const planned of plan.entries) {
    const key = [secOf(planned, processor), DESCRIPTIONS[planned.purpose], planned.entry.direction].join('/');
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [planned]);
    else group.push(planned);
  }
  let sequence = firstSequence;
  const outgoing: OutgoingEntry[] = [];
  const batches = [...groups]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([key, group], at): AchBatch => {
      const [sec = '', entryDescription = ''] = key.split('/');
      const entries = group.map((planned): AchEntry => {
        const trace = `${odfi}${String(sequence++).padStart(7, '0')}`;
        outgoing.push({ ...planned.entry, trace });
        return entryOf(planned, trace, sec);
      });
      return {
        header: {
          serviceClass: serviceClassFor(entries),
          companyName: known(file.companyName),
          discretionaryData: '',
          companyId: known(file.companyId),
          sec,
          entryDescription,
          descriptiveDate: '',
          effectiveEntryDate: effectiveDay,
          settlementDay: '',
          originatorStatus: '1',
          odfi,
          batchNumber: at + 1,
        },
        entries,
      };
    });
  const header = {
    ...HEADER_CONSTANTS,
    immediateDestination: known(file.immediateDestination),
    immediateOrigin: known(file.immediateOrigin),
    creationDate: fileDay,
    creationTime: plan.time,
    fileIdModifier: plan.modifier,
    destinationName: known(file.destinationName),
    originName: known(file.originName),
    reference: '',
  };
  return { file: { header, batches }, entries: outgoing };
}

const known = (value: string | null): string => must(value, 'an active processor has all fields of its files');

function entryOf({ account, entry, reference, isRecurring, purpose }: PlannedEntry, trace: string, sec: string): AchEntry {
  const code = codeOf({ account: account.accountType, direction: entry.direction, use: purpose === 'prenote' ? 'prenote' : 'live' });
  return {
    transactionCode: must(code, 'every kind of account can be debited and credited'),
    routingNumber: account.routingNumber,
    accountNumber: account.accountNumber,
    amountCents: entry.amountCents,
    individualId: reference,
    receiverName: achText(account.holderName, 22) || 'ACCOUNT HOLDER',
    discretionaryData: sec === 'WEB' ? (isRecurring ? 'R' : 'S') : '',
    addendaIndicator: '0',
    trace,
    addenda: [],
  };
}

/** The most that an entry can move: ten digits. */
export const MAX_ENTRY_CENTS = 9_999_999_999;

/** Two credits of less than a dollar, and one debit that takes both back. */
export function verificationEntries(personId: string, instrumentId: string, account: FileAccount): readonly PlannedEntry[] {
  const deposits = account.deposits ?? [];
  const total = deposits.reduce((sum, each) => sum + each, 0);
  const planned = (direction: 'debit' | 'credit', amountCents: Cents): PlannedEntry => ({
    account,
    entry: { direction, amountCents, personId, instrumentId, payment: null },
    reference: instrumentId,
    isRecurring: false,
    purpose: 'verification',
  });
  return [...deposits.map((each) => planned('credit', cents(each))), planned('debit', cents(total))];
}

const MODIFIERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';

/** Makes files of one day distinct; undefined where there are too many. */
export const modifierOf = (filesOfDay: number): string | undefined => MODIFIERS[filesOfDay];
