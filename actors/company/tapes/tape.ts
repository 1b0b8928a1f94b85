import type { tags } from 'typia';
import { type Fault, Refusal } from '../../errors.js';
import { type Change, type Declaration, recordsOf, type ResourceHost, type ResourceRecord } from '../../kernel/resources/index.js';
import { bucketLocation } from '../../bucket.js';
import type { PageQuery } from '../../list-order.js';
import type { AnyId, DateTimeText } from '../../wire.js';
import {
  type HostKey,
  keptHostKey,
  keptSecret,
  MASK,
  openSecrets,
  type Sealed,
  sealedSecrets,
  type Secret,
  type Secrets,
  type SftpAddress,
} from '../campaigns/sftp.js';
import { investorOf } from '../parties/investors.js';
import { changedReceiverKey, type EncryptionBody, encryptionView, type EncryptionView, type WithKeyFault } from '../pgp.js';
import {
  completeSftpAccess,
  keysWithoutServer,
  type SftpAccess,
  type SftpAccessBody,
  sftpAccessView,
  type SftpAccessView,
  type WithServiceKeyPair,
} from '../sftp-access.js';
import { checkedFileName } from './file-name.js';
import { IDENTITY } from './fields.js';
import { hasIdentity, LOAN_TAPE_NAME, type LoanTapeType, loanTapeTypeOf, mayReadIdentity } from './tape-type.js';

/** Whose loans go where, as files of a tape type. */
export interface LoanTape {
  readonly loanTapeTypeId: string;
  /** Null: loans of all owners. */
  readonly investorId: string | null;
  /** Null: files go to a bucket. */
  readonly sftp: (SftpAddress & SftpAccess) | null;
  /** Absent or null: files go to an SFTP server. */
  readonly bucket?: TapeBucket | null;
  /** Null: the name of the tape and the report date. */
  readonly customFileName: string | null;
  /** `paused`: files are made by hand alone. */
  readonly status: 'active' | 'paused';
  /** The receiver's, for which files are encrypted; absent or null: they leave in clear. */
  readonly publicKey?: string | null;
  readonly secrets: Sealed | null;
}

/** A bucket of a store that speaks S3, without the secret of its key. */
export interface TapeBucket {
  /** `s3://bucket/prefix?region=eu-west-1&endpoint=https://minio.example`. */
  readonly address: string;
  readonly keyId: string;
}

export type LoanTapeRecord = ResourceRecord<LoanTape>;

type Host = string & tags.Pattern<'^[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?(:\\d{1,5})?$'> & tags.MaxLength<260>;
type Login = string & tags.MinLength<1> & tags.MaxLength<200>;

interface LoanTapeBody extends EncryptionBody, SftpAccessBody {
  /** Null: loans of all owners. */
  readonly investorId?: AnyId | null;
  readonly sftpUsername?: Login | null;
  /** Write only. Left out in a change it stays; the mask that replies show leaves it, too. */
  readonly sftpPassword?: Secret | null;
  readonly sftpCdDir?: (string & tags.MaxLength<500>) | null;
  /** The fingerprint of the server's key: nothing goes to another server. Left out in a change it stays; null removes it. */
  readonly sftpHostKey?: HostKey | null;
  /** Instead of an SFTP server: `s3://bucket/prefix?region=eu-west-1&endpoint=https://minio.example`; Amazon needs no endpoint. */
  readonly s3Address?: (string & tags.MaxLength<500>) | null;
  readonly s3KeyId?: Login | null;
  /** Write only, as the password. */
  readonly s3Secret?: Secret | null;
  /** With `%Y`, `%y`, `%m`, `%d`, `%j`, `{{loanTapeId}}`, `{{loanTapeTypeId}}` and `{{tapeName}}`. */
  readonly customFileName?: (string & tags.MinLength<1> & tags.MaxLength<200>) | null;
  readonly status?: 'active' | 'paused';
}

export interface LoanTapeCreateBody extends LoanTapeBody {
  readonly loanTapeTypeId: AnyId;
  /** `name` or `name:port`; without a port it is 22. Left out, or null, with `s3Address` alone. */
  readonly sftpHostname?: Host | null;
}

export interface LoanTapeUpdateBody extends LoanTapeBody {
  readonly loanTapeTypeId?: AnyId;
  readonly sftpHostname?: Host | null;
}

export interface LoanTapeListQuery extends PageQuery {
  readonly investorId?: AnyId;
}

export interface LoanTapeView extends EncryptionView, SftpAccessView {
  readonly id: string;
  readonly object: 'loanTape';
  readonly companyId: string;
  readonly investorId: string | null;
  readonly loanTapeTypeId: string;
  readonly sftpHostname: string | null;
  readonly sftpUsername: string | null;
  readonly sftpPassword: string | null;
  readonly sftpCdDir: string | null;
  readonly sftpHostKey: string | null;
  readonly s3Address: string | null;
  readonly s3KeyId: string | null;
  readonly s3Secret: string | null;
  readonly customFileName: string | null;
  readonly status: LoanTape['status'];
  readonly createdAt: DateTimeText;
  readonly updatedAt: DateTimeText | null;
  readonly deletedAt: null;
}

type CommonFields = 'id' | 'object' | 'companyId' | 'createdAt' | 'updatedAt' | 'deletedAt';

export const loanTapesOf = (host: ResourceHost): ReadonlyMap<string, LoanTapeRecord> => recordsOf<LoanTape>(host, LOAN_TAPE_NAME);

export const loanTapeOf = (host: ResourceHost, id: string): LoanTapeRecord | undefined => loanTapesOf(host).get(id);

export const LOAN_TAPE: Declaration<LoanTapeCreateBody, LoanTapeUpdateBody, LoanTape> = {
  type: LOAN_TAPE_NAME,
  prefix: 'TA',
  param: 'loanTapeId',
  unique: [],
  create: (body, at) => changedBy(EMPTY, body, at),
  change: (before, body, at) => changedBy(before, body, at),
  matches({ stored }, query: LoanTapeListQuery, host) {
    const { investorId } = query;
    return investorId === undefined || stored.investorId === (investorOf(host, investorId)?.id ?? investorId);
  },
  view: ({ sftp, bucket, secrets, publicKey, ...stored }): Omit<LoanTapeView, CommonFields> => ({
    ...stored,
    ...sftpAccessView(sftp),
    sftpHostname: sftp?.host ?? null,
    sftpUsername: sftp?.username ?? null,
    sftpPassword: secrets?.holds.includes('sftpPassword') === true ? MASK : null,
    sftpCdDir: sftp?.cdDir ?? null,
    sftpHostKey: sftp?.hostKey ?? null,
    s3Address: bucket?.address ?? null,
    s3KeyId: bucket?.keyId ?? null,
    s3Secret: secrets?.holds.includes('s3Secret') === true ? MASK : null,
    ...encryptionView(publicKey),
  }),
};

const EMPTY: LoanTape = {
  loanTapeTypeId: '',
  investorId: null,
  sftp: null,
  customFileName: null,
  status: 'active',
  secrets: null,
};

type WithMade = WithKeyFault & WithServiceKeyPair;

function changedBy(before: LoanTape, body: LoanTapeUpdateBody & WithMade, at: Change): LoanTape {
  const investor = body.investorId == null ? undefined : investorOf(at.host, body.investorId);
  const loanTapeTypeId = body.loanTapeTypeId ?? before.loanTapeTypeId;
  const { publicKey, faults: keyFaults } = changedReceiverKey(before.publicKey, body);
  const faults: Fault[] = [...keyFaults];
  const missing = (path: string, expected: string, message = 'is missing'): void => void faults.push({ path, expected, message });
  if (loanTapeTypeOf(at.host, loanTapeTypeId) === undefined)
    missing('loanTapeTypeId', 'the id of a loan tape type', `There is no loan tape type ${loanTapeTypeId}.`);
  if (body.investorId != null && investor === undefined) missing('investorId', 'an investor', `There is no investor ${body.investorId}.`);
  faults.push(...identityFaults(loanTapeTypeOf(at.host, loanTapeTypeId), publicKey, at));
  const { secrets, faults: targetFaults, ...target } = changedTarget(before, body, at);
  faults.push(...targetFaults);
  if (faults.length > 0) throw new Refusal('validationError', 'No tape can be delivered like this.', { errors: faults });
  return {
    loanTapeTypeId,
    investorId: body.investorId === undefined ? before.investorId : (investor?.id ?? null),
    ...target,
    customFileName: body.customFileName === undefined ? before.customFileName : body.customFileName && checkedFileName(body.customFileName),
    status: body.status ?? before.status,
    publicKey,
    secrets: sealedSecrets(at.env, at.id, secrets),
  };
}

/** Files with the number of a borrower leave encrypted, by the order of one who may read it. */
function identityFaults(type: LoanTapeType | undefined, publicKey: string | null, { command }: Change): readonly Fault[] {
  if (type === undefined || !hasIdentity(type)) return [];
  const message = `its files have ${IDENTITY}`;
  return [
    ...(publicKey === null ? [{ path: 'encryptionMethod', expected: 'GPG, with publicKey', message }] : []),
    ...(mayReadIdentity(command.permissions) ? [] : [{ path: 'loanTapeTypeId', expected: 'the permission identity:read', message }]),
  ];
}

interface Target extends Pick<LoanTape, 'sftp' | 'bucket'> {
  readonly secrets: Secrets;
  readonly faults: readonly Fault[];
}

/** A value after a change: what is left out stays. */
const kept = <Value>(sent: Value | null | undefined, before: Value | null | undefined): Value | null =>
  sent === undefined ? (before ?? null) : sent;

/** Where files go: to a server or to a bucket. */
function changedTarget(before: LoanTape, body: LoanTapeUpdateBody & WithServiceKeyPair, { env, id }: Change): Target {
  const faults: Fault[] = [];
  const missing = (path: string, expected: string, message = 'is missing'): void => void faults.push({ path, expected, message });
  const known = openSecrets(env, id, before.secrets);
  const [host, address] = [kept(body.sftpHostname, before.sftp?.host), kept(body.s3Address, before.bucket?.address)];
  if ((host === null) === (address === null))
    missing('sftpHostname', 'exactly one of sftpHostname and s3Address', host === null ? 'is missing' : 'is there beside s3Address');
  if (address !== null) {
    const keyId = kept(body.s3KeyId, before.bucket?.keyId) ?? '';
    const s3Secret = keptSecret(body.s3Secret, known.s3Secret);
    if (bucketLocation(address, { id: '', secret: '' }) === null)
      missing('s3Address', 's3://bucket/prefix?region=us-east-1', 'is no address of a bucket');
    if (keyId === '') missing('s3KeyId', 'the id of a key');
    if (s3Secret === null) missing('s3Secret', 'the secret of the key');
    faults.push(...keysWithoutServer(body, 'usernamePassword, with s3Address'));
    return { sftp: null, bucket: { address, keyId }, secrets: { s3Secret }, faults };
  }
  const username = kept(body.sftpUsername, before.sftp?.username) ?? '';
  const { access, secrets, faults: accessFaults } = completeSftpAccess(before.sftp, known, body, 'a password');
  if (username === '') missing('sftpUsername', 'a user name');
  const server = { host: host ?? '', username, cdDir: kept(body.sftpCdDir, before.sftp?.cdDir), ...access };
  return {
    sftp: { ...server, ...keptHostKey('sftpHostKey', body.sftpHostKey, before.sftp) },
    bucket: null,
    secrets,
    faults: [...faults, ...accessFaults],
  };
}
