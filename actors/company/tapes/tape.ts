import type { tags } from 'typia';
import { type Fault, Refusal } from '../../errors.js';
import { type Change, type Declaration, recordsOf, type ResourceHost, type ResourceRecord } from '../../kernel/resources/index.js';
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
  type SftpAddress,
} from '../campaigns/sftp.js';
import { investorOf } from '../parties/investors.js';
import { changedReceiverKey, type EncryptionBody, encryptionView, type EncryptionView, type WithKeyFault } from '../pgp.js';
import { checkedFileName } from './file-name.js';
import { LOAN_TAPE_NAME, loanTapeTypeOf } from './tape-type.js';

/** Whose loans go where, as files of a tape type. */
export interface LoanTape {
  readonly loanTapeTypeId: string;
  /** Null: loans of all owners. */
  readonly investorId: string | null;
  readonly sftp: SftpAddress;
  /** Null: the name of the tape and the report date. */
  readonly customFileName: string | null;
  /** `paused`: files are made by hand alone. */
  readonly status: 'active' | 'paused';
  /** The receiver's, for which files are encrypted; absent or null: they leave in clear. */
  readonly publicKey?: string | null;
  readonly secrets: Sealed | null;
}

export type LoanTapeRecord = ResourceRecord<LoanTape>;

type Host = string & tags.Pattern<'^[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?(:\\d{1,5})?$'> & tags.MaxLength<260>;
type Login = string & tags.MinLength<1> & tags.MaxLength<200>;

interface LoanTapeBody extends EncryptionBody {
  /** Null: loans of all owners. */
  readonly investorId?: AnyId | null;
  readonly sftpAccessMethod?: 'usernamePassword' | 'keys';
  readonly sftpUsername?: Login | null;
  /** Write only. Left out in a change it stays; the mask that replies show leaves it, too. */
  readonly sftpPassword?: Secret | null;
  readonly sftpCdDir?: (string & tags.MaxLength<500>) | null;
  /** The fingerprint of the server's key: nothing goes to another server. Left out in a change it stays; null removes it. */
  readonly sftpHostKey?: HostKey | null;
  /** With `%Y`, `%y`, `%m`, `%d`, `%j`, `{{loanTapeId}}`, `{{loanTapeTypeId}}` and `{{tapeName}}`. */
  readonly customFileName?: (string & tags.MinLength<1> & tags.MaxLength<200>) | null;
  readonly status?: 'active' | 'paused';
}

export interface LoanTapeCreateBody extends LoanTapeBody {
  readonly loanTapeTypeId: AnyId;
  /** `name` or `name:port`; without a port it is 22. */
  readonly sftpHostname: Host;
}

export interface LoanTapeUpdateBody extends LoanTapeBody {
  readonly loanTapeTypeId?: AnyId;
  readonly sftpHostname?: Host;
}

export interface LoanTapeListQuery extends PageQuery {
  readonly investorId?: AnyId;
}

export interface LoanTapeView extends EncryptionView {
  readonly id: string;
  readonly object: 'loanTape';
  readonly companyId: string;
  readonly investorId: string | null;
  readonly loanTapeTypeId: string;
  readonly sftpAccessMethod: 'usernamePassword';
  readonly sftpHostname: string;
  readonly sftpUsername: string;
  readonly sftpPassword: string | null;
  readonly sftpCdDir: string | null;
  readonly sftpHostKey: string | null;
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
  view: ({ sftp, secrets, publicKey, ...stored }): Omit<LoanTapeView, CommonFields> => ({
    ...stored,
    sftpAccessMethod: 'usernamePassword',
    sftpHostname: sftp.host,
    sftpUsername: sftp.username,
    sftpPassword: secrets?.holds.includes('sftpPassword') === true ? MASK : null,
    sftpCdDir: sftp.cdDir,
    sftpHostKey: sftp.hostKey ?? null,
    ...encryptionView(publicKey),
  }),
};

const EMPTY: LoanTape = {
  loanTapeTypeId: '',
  investorId: null,
  sftp: { host: '', username: '', cdDir: null },
  customFileName: null,
  status: 'active',
  secrets: null,
};

function changedBy(before: LoanTape, body: LoanTapeUpdateBody & WithKeyFault, at: Change): LoanTape {
  const { sftpPassword: known } = openSecrets(at.env, at.id, before.secrets);
  const password = keptSecret(body.sftpPassword, known);
  const username = body.sftpUsername === undefined ? before.sftp.username : (body.sftpUsername ?? '');
  const investor = body.investorId == null ? undefined : investorOf(at.host, body.investorId);
  const loanTapeTypeId = body.loanTapeTypeId ?? before.loanTapeTypeId;
  const { publicKey, faults: keyFaults } = changedReceiverKey(before.publicKey, body);
  const faults: Fault[] = [...notOffered(body), ...keyFaults];
  const missing = (path: string, expected: string, message = 'is missing'): void => void faults.push({ path, expected, message });
  if (loanTapeTypeOf(at.host, loanTapeTypeId) === undefined)
    missing('loanTapeTypeId', 'the id of a loan tape type', `There is no loan tape type ${loanTapeTypeId}.`);
  if (body.investorId != null && investor === undefined) missing('investorId', 'an investor', `There is no investor ${body.investorId}.`);
  if (username === '') missing('sftpUsername', 'a user name');
  if (password === null) missing('sftpPassword', 'a password');
  if (faults.length > 0) throw new Refusal('validationError', 'No tape can be delivered like this.', { errors: faults });
  return {
    loanTapeTypeId,
    investorId: body.investorId === undefined ? before.investorId : (investor?.id ?? null),
    sftp: {
      host: body.sftpHostname ?? before.sftp.host,
      username,
      cdDir: body.sftpCdDir === undefined ? before.sftp.cdDir : body.sftpCdDir,
      ...keptHostKey('sftpHostKey', body.sftpHostKey, before.sftp),
    },
    customFileName: body.customFileName === undefined ? before.customFileName : body.customFileName && checkedFileName(body.customFileName),
    status: body.status ?? before.status,
    publicKey,
    secrets: sealedSecrets(at.env, at.id, { sftpPassword: password }),
  };
}

/** What the contract names and the service cannot honor: it is refused, so that no file leaves in another way than was asked for. */
function notOffered(body: LoanTapeBody): readonly Fault[] {
  if (body.sftpAccessMethod !== 'keys') return [];
  return [{ path: 'sftpAccessMethod', expected: 'usernamePassword', message: 'key pairs are not offered' }];
}
