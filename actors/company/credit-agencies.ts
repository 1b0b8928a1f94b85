import type { tags } from 'typia';
import { type Fault, Refusal } from '../errors.js';
import type { CommandSpec, QuerySpec } from '../kernel/actor.js';
import {
  type Change,
  type Declaration,
  declaredCommands,
  declaredQueries,
  findRecord,
  recordsOf,
  type ResourceHost,
  type ResourceRecord,
} from '../kernel/resources/index.js';
import type { PageQuery } from '../list-order.js';
import type { AnyId, DateTimeText } from '../wire.js';
import {
  type HostKey,
  keptHostKey,
  MASK,
  openSecrets,
  type Sealed,
  sealedSecrets,
  type Secret,
  type SftpAddress,
} from './campaigns/sftp.js';
import { changedReceiverKey, type EncryptionBody, encryptionView, type EncryptionView, type WithKeyFault } from './pgp.js';
import {
  completeSftpAccess,
  keysWithoutServer,
  type ServiceKeyPair,
  type SftpAccess,
  type SftpAccessBody,
  sftpAccessView,
  type SftpAccessView,
  type WithServiceKeyPair,
} from './sftp-access.js';
import type { CompanyState } from './state.js';

export type AgencyName = 'experian' | 'equifax' | 'transUnion' | 'innovis';

/** A credit agency and how its files reach it. Loan types name the agencies to which their loans are reported. */
export interface CreditAgency {
  readonly agencyName: AgencyName;
  readonly country: string;
  readonly nameFilePerAgencyConvention: boolean;
  readonly fileNamePrefix: string | null;
  /** Null: the lender uploads the file itself. */
  readonly sftp: (SftpAddress & SftpAccess) | null;
  /** Days of the month on which the file of the month before is made. */
  readonly specificDays: readonly number[];
  readonly useLoanExternalId: boolean;
  readonly enrollExistingLoans: boolean;
  /** The last day of the month that was reported last; null before the first file. */
  readonly reportedThrough: string | null;
  /** The agency's, for which files are encrypted; absent or null: they leave in clear. */
  readonly publicKey?: string | null;
  readonly secrets: Sealed | null;
}

const CREDIT_AGENCY_TYPE = 'creditAgency';

export type CreditAgencyRecord = ResourceRecord<CreditAgency>;

export const creditAgenciesOf = (host: ResourceHost): ReadonlyMap<string, CreditAgencyRecord> =>
  recordsOf<CreditAgency>(host, CREDIT_AGENCY_TYPE);

export const creditAgencyOf = (host: ResourceHost, id: string): CreditAgencyRecord | undefined =>
  findRecord<CreditAgency>(host, CREDIT_AGENCY, id);

type Country = string & tags.Pattern<'^[A-Z]{2}$'>;
type Prefix = string & tags.Pattern<'^[A-Za-z0-9_-]+$'> & tags.MaxLength<40>;
type Host = string & tags.Pattern<'^[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?(:\\d{1,5})?$'> & tags.MaxLength<260>;
type Login = string & tags.MinLength<1> & tags.MaxLength<200>;
type DaysOfMonth = readonly (number & tags.Type<'uint32'> & tags.Minimum<1> & tags.Maximum<31>)[] & tags.MinItems<1> & tags.MaxItems<31>;

interface CreditAgencyBody extends EncryptionBody, SftpAccessBody {
  readonly nameFilePerAgencyConvention?: boolean;
  /** Of Experian's file names. */
  readonly fileNamePrefix?: Prefix | null;
  /** Only false. */
  readonly isServiceAggregator?: boolean;
  /** `name` or `name:port`; null: the lender uploads the file itself. */
  readonly sftpHostname?: Host | null;
  readonly sftpUsername?: Login | null;
  /** Write only. Left out in a change it stays; the mask that replies show leaves it, too. */
  readonly sftpPassword?: Secret | null;
  readonly sftpCdDir?: (string & tags.MaxLength<500>) | null;
  /** The fingerprint of the server's key: nothing goes to another server. Left out in a change it stays; null removes it. */
  readonly sftpHostKey?: HostKey | null;
  readonly uploadFrequency?: 'monthly' | 'weekly';
  readonly specificDays?: DaysOfMonth;
  /** The loan's external id is its account number at the agency. */
  readonly useLoanExternalId?: boolean;
}

export interface CreditAgencyCreateBody extends CreditAgencyBody {
  readonly agencyName: AgencyName;
  readonly country: Country;
  readonly dataFormat: 'metro2';
  readonly uploadFrequency: 'monthly' | 'weekly';
  /** Existing active loans of the loan types that name the agency are reported from their activation on. */
  readonly enrollExistingLoans?: boolean;
  /** With `sftpAccessMethod` keys: the agency whose pair of keys this one has, too. */
  readonly copyKeysFrom?: AnyId;
}

export interface CreditAgencyUpdateBody extends CreditAgencyBody {
  readonly dataFormat?: 'metro2';
}

export interface CreditAgencyListQuery extends PageQuery {
  readonly agencyName?: AgencyName;
  readonly isUploadedByLender?: boolean;
}

export interface CreditAgencyView extends EncryptionView, SftpAccessView {
  readonly id: string;
  readonly object: 'creditAgency';
  readonly companyId: string;
  readonly agencyName: AgencyName;
  readonly country: string;
  readonly dataFormat: 'metro2';
  readonly nameFilePerAgencyConvention: boolean;
  readonly fileNamePrefix: string | null;
  readonly isServiceAggregator: boolean;
  readonly sftpHostname: string | null;
  readonly sftpUsername: string | null;
  readonly sftpPassword: string | null;
  readonly sftpCdDir: string | null;
  readonly sftpHostKey: string | null;
  readonly uploadFrequency: 'monthly';
  readonly specificDays: readonly number[];
  readonly useLoanExternalId: boolean;
  readonly enrollExistingLoans: boolean;
  readonly createdAt: DateTimeText;
  readonly updatedAt: DateTimeText | null;
  readonly deletedAt: null;
}

/** What another check adds: whether anything was reported to an agency. It belongs to a later domain. */
const CREDIT_AGENCY: Declaration<CreditAgencyCreateBody, CreditAgencyUpdateBody, CreditAgency> = {
  type: CREDIT_AGENCY_TYPE,
  prefix: 'CA',
  param: 'creditAgencyId',
  unique: [{ name: 'agencyName', of: ({ agencyName, country }) => `${agencyName}/${country}` }],
  create: ({ agencyName, country, enrollExistingLoans = false, copyKeysFrom, ...body }, at) =>
    changedBy(
      { ...EMPTY, agencyName, country, enrollExistingLoans },
      copyKeysFrom === undefined ? body : { ...body, serviceKeyPair: pairOf(copyKeysFrom, body, at) },
      at,
    ),
  change: (before, body, at) => changedBy(before, body, at),
  assertRemovable({ reportedThrough }, { id }) {
    if (reportedThrough !== null) throw new Refusal('invalidState', `Loans have been reported to the agency ${id}. It cannot be removed.`);
  },
  matches({ stored }, query: CreditAgencyListQuery) {
    const { agencyName, isUploadedByLender } = query;
    return (
      (agencyName === undefined || stored.agencyName === agencyName) &&
      (isUploadedByLender === undefined || (stored.sftp === null) === isUploadedByLender)
    );
  },
  view: ({ sftp, secrets, publicKey, reportedThrough: _through, ...stored }): Omit<CreditAgencyView, CommonFields> => ({
    ...stored,
    dataFormat: 'metro2',
    isServiceAggregator: false,
    ...sftpAccessView(sftp),
    sftpHostname: sftp?.host ?? null,
    sftpUsername: sftp?.username ?? null,
    sftpPassword: secrets?.holds.includes('sftpPassword') === true ? MASK : null,
    sftpCdDir: sftp?.cdDir ?? null,
    sftpHostKey: sftp?.hostKey ?? null,
    ...encryptionView(publicKey),
    uploadFrequency: 'monthly',
  }),
};

type CommonFields = 'id' | 'object' | 'companyId' | 'createdAt' | 'updatedAt' | 'deletedAt';

const EMPTY: Omit<CreditAgency, 'agencyName' | 'country' | 'enrollExistingLoans'> = {
  nameFilePerAgencyConvention: true,
  fileNamePrefix: null,
  sftp: null,
  specificDays: [1],
  useLoanExternalId: false,
  reportedThrough: null,
  secrets: null,
};

function refuseAgency(errors: readonly Fault[]): never {
  throw new Refusal('validationError', 'The credit agency cannot be reported to like this.', { errors });
}

/** The pair of keys of another agency. */
function pairOf(agencyId: string, { sftpAccessMethod }: SftpAccessBody, { host, env }: Change): ServiceKeyPair {
  const path = 'copyKeysFrom';
  if (sftpAccessMethod !== 'keys')
    return refuseAgency([{ path, expected: 'no value, without sftpAccessMethod keys', message: 'the service does not log in with keys' }]);
  const source = creditAgencyOf(host, agencyId);
  const publicKey = source?.stored.sftp?.publicKey;
  const privateKey = source && openSecrets(env, source.id, source.stored.secrets).sftpPrivateKey;
  if (publicKey == null || privateKey == null)
    return refuseAgency([{ path, expected: 'an agency with sftpAccessMethod keys', message: `${agencyId} has no pair of keys` }]);
  return { publicKey, privateKey };
}

type WithMade = WithKeyFault & WithServiceKeyPair;

function changedBy(before: CreditAgency, body: CreditAgencyBody & WithMade, at: Change): CreditAgency {
  const host = body.sftpHostname === undefined ? (before.sftp?.host ?? null) : body.sftpHostname;
  const username = body.sftpUsername === undefined ? (before.sftp?.username ?? null) : body.sftpUsername;
  const cdDir = body.sftpCdDir === undefined ? (before.sftp?.cdDir ?? null) : body.sftpCdDir;
  const login =
    host === null
      ? { access: {}, secrets: {}, faults: keysWithoutServer(body, 'usernamePassword, without sftpHostname') }
      : completeSftpAccess(before.sftp, openSecrets(at.env, at.id, before.secrets), body, 'a password, with sftpHostname');
  const { publicKey, faults: keyFaults } = changedReceiverKey(before.publicKey, body);
  const agency: CreditAgency = {
    ...before,
    publicKey,
    nameFilePerAgencyConvention: body.nameFilePerAgencyConvention ?? before.nameFilePerAgencyConvention,
    fileNamePrefix: body.fileNamePrefix === undefined ? before.fileNamePrefix : body.fileNamePrefix,
    sftp:
      host === null
        ? null
        : { host, username: username ?? '', cdDir, ...login.access, ...keptHostKey('sftpHostKey', body.sftpHostKey, before.sftp) },
    specificDays: body.specificDays === undefined ? before.specificDays : [...new Set(body.specificDays)].sort((a, b) => a - b),
    useLoanExternalId: body.useLoanExternalId ?? before.useLoanExternalId,
  };
  const faults = [...faultsOf(agency, username), ...login.faults, ...notOffered(body), ...keyFaults];
  if (faults.length > 0) return refuseAgency(faults);
  return { ...agency, secrets: sealedSecrets(at.env, at.id, login.secrets) };
}

function faultsOf(agency: CreditAgency, username: string | null): readonly Fault[] {
  const faults: Fault[] = [];
  if (agency.agencyName === 'experian' && agency.nameFilePerAgencyConvention && agency.fileNamePrefix === null)
    faults.push({ path: 'fileNamePrefix', expected: 'the prefix of the names of files', message: 'Experian names files by a prefix' });
  if (agency.sftp !== null && username === null)
    faults.push({ path: 'sftpUsername', expected: 'a user name, with sftpHostname', message: 'is missing' });
  return faults;
}

/** What the contract names and the service cannot honor: it is refused, so that no file leaves in another way than was asked for. */
function notOffered(body: CreditAgencyBody): readonly Fault[] {
  const faults: Fault[] = [];
  if (body.isServiceAggregator === true) faults.push({ path: 'isServiceAggregator', expected: 'false', message: 'is deprecated' });
  if (body.uploadFrequency === 'weekly')
    faults.push({ path: 'uploadFrequency', expected: 'monthly', message: 'weekly files are not offered' });
  return faults;
}

export const creditAgencyCommands: readonly CommandSpec<CompanyState>[] = declaredCommands<CompanyState>('company', CREDIT_AGENCY);

export const creditAgencyQueries: readonly QuerySpec<CompanyState>[] = declaredQueries<CompanyState>('company', CREDIT_AGENCY);
