import type { tags } from 'typia';
import type { PageQuery } from '../../list-order.js';
import type { HostKey } from '../campaigns/sftp.js';
import type { PgpPublicKey } from '../pgp.js';
import type { SftpAccessBody, SftpAccessView, WithServiceKeyPair } from '../sftp-access.js';
import type { PaymentType } from './card-connection.js';
import type { Amount, DateTimeText, ExternalId, ShortText, Whole } from '../../wire.js';

export type ProcessorStatus = 'draft' | 'active' | 'deprecated';
export type ProcessorType = 'achDirectUS' | 'cardHTTP';
export type SecCode = 'CCD' | 'PPD' | 'WEB' | 'TEL';

/** By the processor's clock. A trailing Z, as other services write it, has no meaning. */
type Clock = string & tags.Pattern<'^(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\dZ?$'>;

type Ascii<Most extends number> = string & tags.Pattern<'^[ -~]+$'> & tags.MaxLength<Most>;
type WebAddress = string & tags.Pattern<'^https?://[^\\s?#]+$'> & tags.MaxLength<500>;
type Host = string & tags.Pattern<'^[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?(:\\d{1,5})?$'> & tags.MaxLength<260>;
type Folder = string & tags.MaxLength<500>;
type FilePattern = string & tags.MinLength<1> & tags.MaxLength<200>;
type Secret = string & tags.MinLength<1> & tags.MaxLength<2000>;
type Algorithms = readonly (string & tags.MinLength<1> & tags.MaxLength<100>)[] & tags.MaxItems<50>;

interface PaymentProcessorBody extends SftpAccessBody {
  readonly externalId?: ExternalId | null;
  readonly isDefault?: boolean;
  readonly timezone?: ShortText | null;
  readonly achCutoff?: Clock | null;
  readonly achSameDayCutoff?: Clock | null;
  readonly achFileHeaderImmediateDestination?: Ascii<10> | null;
  readonly achFileHeaderImmediateOrigin?: Ascii<10> | null;
  readonly achFileHeaderImmediateDestinationName?: Ascii<23> | null;
  readonly achFileHeaderImmediateOriginName?: Ascii<23> | null;
  readonly achBatchHeaderCompanyName?: Ascii<16> | null;
  readonly achBatchHeaderCompanyId?: Ascii<10> | null;
  readonly achBatchHeaderOriginatingDFIId?: (string & tags.Pattern<'^\\d{8}$'>) | null;
  /** Recorded with each payment: `gross` fees are billed apart, `net` fees are kept from the proceeds. */
  readonly achFeeType?: 'gross' | 'net';
  readonly achFeeAmount?: Amount;
  readonly achSameDayFeeAmount?: Amount;
  /** The class of debits of persons; accounts of businesses are always CCD. */
  readonly achSECCode?: SecCode | null;
  /** A bank account that is added from now on gets a prenote: an entry of zero by which its bank checks it before money moves. */
  readonly achPrenotes?: boolean;
  /** Banking days after the settlement of a prenote before which no entry goes to its account. The rules of ACH ask for three. */
  readonly achPrenoteWaitDays?: Whole & tags.Minimum<3> & tags.Maximum<30>;
  readonly sftpHostname?: Host | null;
  readonly sftpUsername?: (string & tags.MinLength<1> & tags.MaxLength<200>) | null;
  /** Write only. The mask that answers show leaves it as it is. */
  readonly sftpPassword?: Secret | null;
  /** By kind: `kex`, `cipher`, `hmac`, `serverHostKey`, `compress`. */
  readonly sftpSSHDisabledAlgorithms?: Readonly<Record<string, Algorithms>>;
  /** The fingerprint of the server's key: the service speaks to no other server. Left out in a change it stays; null removes it. */
  readonly sftpHostKey?: HostKey | null;
  readonly sftpCdDirOutbox?: Folder | null;
  readonly sftpCdDirInbox?: Folder | null;
  readonly sftpAchConfirmationFileNameRegex?: FilePattern | null;
  readonly sftpAchReturnFileNameRegex?: FilePattern | null;
  /** Only true is supported yet. */
  readonly isFileNameDefaultConvention?: boolean;
  /** With the key pair that the service makes; the answer has the public one. */
  readonly signOutgoing?: boolean;
  /** `GPG`: files are encrypted with `thirdPartyPublicKey` before they leave. */
  readonly encryptionMethodOutgoing?: 'GPG' | null;
  /** `GPG`: files from the bank are decrypted with the key pair of the service. */
  readonly encryptionMethodIncoming?: 'GPG' | null;
  /** The bank's OpenPGP key, armored. */
  readonly thirdPartyPublicKey?: PgpPublicKey | null;
  /** Of a processor of cards: what its calls begin with. */
  readonly cardApiUrl?: WebAddress | null;
  /** Write only: the service calls the processor with it. The mask that answers show leaves it as it is. */
  readonly cardApiKey?: Secret | null;
  /** Write only: the processor signs its callbacks with it. */
  readonly cardWebhookSecret?: Secret | null;
}

export interface PaymentProcessorCreateRequest extends PaymentProcessorBody {
  /** `ach` of a bank, `debitCard` and `creditCard` of a processor of cards. */
  readonly paymentTypes: readonly PaymentType[] & tags.MinItems<1> & tags.MaxItems<3>;
  readonly processorType: ProcessorType;
  readonly processorName: ShortText & tags.MinLength<1>;
  readonly status: ProcessorStatus;
}

export interface PaymentProcessorUpdateRequest extends PaymentProcessorBody {
  readonly paymentTypes?: PaymentProcessorCreateRequest['paymentTypes'];
  /** Cannot be changed. */
  readonly processorType?: ProcessorType;
  readonly processorName?: ShortText & tags.MinLength<1>;
  readonly status?: ProcessorStatus;
}

/** Pairs of keys that the service made for this request, and what it has found wrong with the bank's key. */
interface WithKeyPair extends WithServiceKeyPair {
  readonly gpgKeyPair?: { readonly privateKey: string; readonly publicKey: string };
  readonly thirdPartyPublicKeyFault?: string;
  readonly cardApiUrlFault?: string;
}

export type PaymentProcessorCreateBody = PaymentProcessorCreateRequest & WithKeyPair;
export type PaymentProcessorUpdateBody = PaymentProcessorUpdateRequest & WithKeyPair;

export interface PaymentProcessorQuery extends PageQuery {
  readonly status?: ProcessorStatus;
}

export interface PaymentProcessorWriteQuery {
  /** Stores the processor without a test of its SFTP connection. */
  readonly skipConnectionTest?: boolean;
}

export interface PaymentProcessorView extends SftpAccessView {
  readonly id: string;
  readonly object: 'paymentProcessor';
  readonly companyId: string;
  readonly externalId: string | null;
  readonly paymentTypes: readonly PaymentType[];
  readonly processorType: ProcessorType;
  readonly processorName: string;
  readonly status: ProcessorStatus;
  readonly isDefault: boolean;
  readonly timezone: string | null;
  readonly achCutoff: string;
  readonly achSameDayCutoff: string | null;
  readonly achFileHeaderImmediateDestination: string | null;
  readonly achFileHeaderImmediateOrigin: string | null;
  readonly achFileHeaderImmediateDestinationName: string | null;
  readonly achFileHeaderImmediateOriginName: string | null;
  readonly achBatchHeaderCompanyName: string | null;
  readonly achBatchHeaderCompanyId: string | null;
  readonly achBatchHeaderOriginatingDFIId: string | null;
  readonly achFeeType: 'gross' | 'net';
  readonly achFeeAmount: Amount;
  readonly achSameDayFeeAmount: Amount;
  readonly achSECCode: SecCode | null;
  readonly achPrenotes: boolean;
  readonly achPrenoteWaitDays: Whole;
  readonly sftpHostname: string | null;
  readonly sftpUsername: string | null;
  readonly sftpPassword: string | null;
  readonly sftpSSHDisabledAlgorithms: Readonly<Record<string, readonly string[]>>;
  readonly sftpHostKey: string | null;
  readonly sftpCdDirOutbox: string | null;
  readonly sftpCdDirInbox: string | null;
  readonly sftpAchConfirmationFileNameRegex: string | null;
  readonly sftpAchReturnFileNameRegex: string | null;
  readonly isFileNameDefaultConvention: boolean;
  readonly signOutgoing: boolean;
  readonly encryptionMethodOutgoing: 'GPG' | null;
  readonly encryptionMethodIncoming: 'GPG' | null;
  readonly thirdPartyPublicKey: string | null;
  readonly cardApiUrl: string | null;
  readonly cardApiKey: string | null;
  readonly cardWebhookSecret: string | null;
  /** For the bank: it checks signatures with it, and encrypts what it sends. */
  readonly gpgServicePublicKey: string | null;
  readonly fundingInstruments: readonly { readonly id: string; readonly status: string }[];
  readonly createdAt: DateTimeText;
  readonly updatedAt: DateTimeText | null;
  readonly deletedAt: null;
}

/** The answer of a test of the connection. */
export interface ConnectionTestView {
  readonly object: 'connectionTest';
  readonly isConnected: true;
  /** Files in the inbox; null for a processor of cards. */
  readonly inboxFileCount: number | null;
}
