import { metro2 } from '../../../engine/index.js';
import { type CreditAgencyRecord, currentSettings } from '../../company/index.js';
import { loanTypeOf, recordOf } from '../context.js';
import type { CreditEnv } from '../questions.js';
import type { LoanState } from '../state.js';
import type { ReportAsked } from './derive.js';
import type { CreditRecord } from './types.js';

const ACCOUNT_LENGTH = 30;
const IDENTIFICATION_LENGTH = 20;

/** What a segment L1 changes. */
const ONLY_ACCOUNT = '1';
const ONLY_IDENTIFICATION = '2';
const BOTH = '3';

/** Under which numbers an agency knows an account. */
type Numbers = Pick<metro2.Base, 'consumerAccountNumber' | 'identificationNumber'>;

export interface ReportedNumbers {
  readonly base: Numbers;
  /** The segment L1: the numbers have changed. The base segment has the old ones once more, and the new ones from the next month on. */
  readonly change: metro2.NumberChange | null;
}

/** The numbers of a record, and what of them is new to the agency. A deletion names the account as the agency knows it. */
export function numbersOf(env: CreditEnv, state: LoanState, asked: ReportAsked): ReportedNumbers {
  const known = numbersAtAgency(state, asked);
  const account = ownNumber(env, state, { asked, known: known.consumerAccountNumber });
  const identification = identificationOf(env, state, asked.agency);
  const newAccount = known.consumerAccountNumber === null || known.consumerAccountNumber === account ? null : account;
  const newIdentification = known.identificationNumber === null || known.identificationNumber === identification ? null : identification;
  const base: Numbers = {
    consumerAccountNumber: newAccount === null ? account : known.consumerAccountNumber,
    identificationNumber: newIdentification === null ? identification : known.identificationNumber,
  };
  const isChanged = newAccount !== null || newIdentification !== null;
  if (!isChanged || asked.status.status === 'deleting') return { base, change: null };
  const changeIndicator = newIdentification === null ? ONLY_ACCOUNT : newAccount === null ? ONLY_IDENTIFICATION : BOTH;
  return { base, change: { changeIndicator, newConsumerAccountNumber: newAccount, newIdentificationNumber: newIdentification } };
}

interface Reported extends Pick<CreditRecord, 'numberChange' | 'fields'> {
  readonly agency: CreditAgencyRecord;
}

/** The segment L1 of a record that was reported. */
export function changeIn(state: LoanState, { numberChange, fields, agency }: Reported): metro2.NumberChange | null {
  if (numberChange !== undefined) return numberChange;
  // Records of earlier releases: only the first one of a loan that came with another number had the segment.
  if (fields.consumerAccountNumber !== migratedNumber(state)) return null;
  return { changeIndicator: ONLY_ACCOUNT, newConsumerAccountNumber: wantedNumber(state, agency), newIdentificationNumber: null };
}

/** What was sent last, or with the last change announced; before the first report, the number of the servicer before. */
function numbersAtAgency(state: LoanState, { agency, activityDay }: ReportAsked): Numbers {
  const last = state.creditReporting.records.findLast(
    (record) => record.creditAgencyId === agency.id && record.outcome === 'reported' && record.activityDay < activityDay,
  );
  if (last === undefined) return { consumerAccountNumber: migratedNumber(state), identificationNumber: null };
  const { fields, numberChange } = last;
  const change = changeIn(state, { fields, numberChange, agency });
  return {
    consumerAccountNumber: change?.newConsumerAccountNumber ?? fields.consumerAccountNumber,
    identificationNumber: change?.newIdentificationNumber ?? fields.identificationNumber,
  };
}

const migratedNumber = (state: LoanState): string | null =>
  metro2.fieldText(state.migration?.creditReporting?.oldConsumerAccountNumber, ACCOUNT_LENGTH);

/** Keys of the loan type by agency. */
const KEYS = { experian: 'Experian', equifax: 'Equifax', transUnion: 'TransUnion', innovis: 'Innovis' } as const;

function identificationOf(env: CreditEnv, state: LoanState, { stored }: CreditAgencyRecord): string | null {
  const keys = currentSettings(loanTypeOf(env, state)).creditReporting.metro2;
  return metro2.fieldText(keys[`metro2${KEYS[stored.agencyName]}IdentificationNumber`], IDENTIFICATION_LENGTH);
}

interface OfOwn {
  readonly asked: ReportAsked;
  readonly known: string | null;
}

/**
 * The loan's id, or its external id if the agency wants that. In the file it is in capitals: of two external ids that differ in nothing
 * else, only one that the agency knows already is used.
 */
function ownNumber(env: CreditEnv, state: LoanState, { asked, known }: OfOwn): string {
  const wanted = wantedNumber(state, asked.agency);
  if (wanted === state.id || wanted === known) return wanted;
  const isTaken = [wanted, wanted.toLowerCase()].some((externalId) => {
    const id = env.findExternal(env.tenant, 'loan', externalId);
    return id !== undefined && id !== state.id;
  });
  return isTaken ? state.id : wanted;
}

/** The external id only if the field keeps all of it: no more than its length, no blanks, and letters of one case. */
function wantedNumber(state: LoanState, { stored }: CreditAgencyRecord): string {
  const { externalId } = recordOf(state);
  if (!stored.useLoanExternalId || externalId === null || /\s/.test(externalId)) return state.id;
  const capitals = externalId.toUpperCase();
  const isOneCase = externalId === capitals || externalId === externalId.toLowerCase();
  const isLikeId = capitals.startsWith(state.id.slice(0, 3));
  return isOneCase && !isLikeId && metro2.fieldText(externalId, ACCOUNT_LENGTH) === capitals ? capitals : state.id;
}
