import { type Cents, ZERO } from '../../../engine/index.js';
import type { CompanyState } from '../state.js';
import { type CardConnection, cardView, changedCard, type PaymentType, paymentTypesOf } from './card-connection.js';
import { type Declaration, recordsOf, type ResourceHost, type ResourceRecord } from '../../kernel/resources/index.js';
import { amount, centsOf } from '../../wire.js';
import { keptHostKey, keptSecret, MASK } from '../campaigns/sftp.js';
import { changedSftpAccess, type SftpAccess, sftpAccessView } from '../sftp-access.js';
import { fundingInstrumentsOf } from './funding-instrument.js';
import { checkedProcessor, mayBecome, refuseProcessorFaults, refuseUnsupported } from './processor-rules.js';
import {
  isSameSecrets,
  openProcessorSecrets,
  type ProcessorSecrets,
  type SealedProcessorSecrets,
  sealedProcessorSecrets,
} from './secrets.js';
import type { PaymentProcessorCreateBody, PaymentProcessorQuery, PaymentProcessorUpdateBody, ProcessorStatus, SecCode } from './wire.js';

/**
 * A bank of the lender, where NACHA files go up by SFTP and confirmations and returns come down; or a processor of cards, which is called
 * over HTTP.
 */
export interface PaymentProcessor {
  readonly externalId: string | null;
  readonly processorName: string;
  readonly status: ProcessorStatus;
  readonly isDefault: boolean;
  /** Null: the company's. */
  readonly timezone: string | null;
  /** Seconds of the day in the processor's zone. */
  readonly cutoffSeconds: number;
  /** Null: it takes no same-day files. */
  readonly sameDayCutoffSeconds: number | null;
  readonly file: AchFileFields;
  readonly fee: { readonly type: 'gross' | 'net'; readonly cents: Cents; readonly sameDayCents: Cents };
  readonly secCode: SecCode | null;
  /** Absent: new accounts get none. */
  readonly prenotes?: ProcessorPrenotes;
  readonly sftp: ProcessorSftp;
  /** Absent: files leave and come in clear. */
  readonly pgp?: ProcessorPgp;
  readonly secrets: SealedProcessorSecrets | null;
  /** Of a processor of cards; absent: it moves money by files. */
  readonly card?: CardConnection;
}

/** Entries of zero by which the bank of a new account checks it. */
interface ProcessorPrenotes {
  /** Whether new accounts get one. */
  readonly isOn: boolean;
  /** Banking days between its settlement and the first entry that moves money. */
  readonly waitDays: number;
}

/** "As soon as the third Banking Day following the Settlement Date of the Prenotification Entry" (Nacha Operating Rules, 2.6.2). */
const NO_PRENOTES: ProcessorPrenotes = { isOn: false, waitDays: 3 };

export const prenotesOf = ({ prenotes }: Pick<PaymentProcessor, 'prenotes'>): ProcessorPrenotes => prenotes ?? NO_PRENOTES;

/** Those that move money by files. */
export const isByFiles = ({ card }: Pick<PaymentProcessor, 'card'>): boolean => card === undefined;

/** What the headers of files and batches say; null where it is not known yet. */
interface AchFileFields {
  readonly immediateDestination: string | null;
  readonly immediateOrigin: string | null;
  readonly destinationName: string | null;
  readonly originName: string | null;
  readonly companyName: string | null;
  readonly companyId: string | null;
  readonly odfi: string | null;
}

export interface ProcessorSftp extends Required<SftpAccess> {
  /** `name` or `name:port`. */
  readonly host: string | null;
  readonly username: string | null;
  /** By kind, as the SSH library names them. */
  readonly disabledAlgorithms: Readonly<Record<string, readonly string[]>>;
  readonly outbox: string | null;
  readonly inbox: string | null;
  readonly confirmationPattern: string | null;
  readonly returnPattern: string | null;
  /** SHA-256 of the server's key in base64; absent: the recorded key counts. */
  readonly hostKey?: string;
}

/** How files are encrypted and signed. */
export interface ProcessorPgp {
  readonly encryptsOutgoing: boolean;
  readonly signsOutgoing: boolean;
  readonly decryptsIncoming: boolean;
  /** Armored, both: the bank's, and that of the pair that the service has made. */
  readonly bankKey: string | null;
  readonly publicKey: string | null;
}

const NO_PGP: ProcessorPgp = { encryptsOutgoing: false, signsOutgoing: false, decryptsIncoming: false, bankKey: null, publicKey: null };

export type ProcessorRecord = ResourceRecord<PaymentProcessor>;

const PROCESSOR_TYPE = 'paymentProcessor';

export const processorsOf = (host: ResourceHost): ReadonlyMap<string, ProcessorRecord> => recordsOf<PaymentProcessor>(host, PROCESSOR_TYPE);

/** Settings of a loan type that name its processor. */
interface NamesProcessor {
  readonly processors: Readonly<Record<string, unknown>>;
}

/**
 * The processor by which payments of a type are made: that of the loan type, else the company's default. Null: none is active. The
 * settlement port then moves the money of bank accounts, and nobody that of cards.
 */
export function processorFor(company: CompanyState, loanType: NamesProcessor | null, paymentType: PaymentType): string | null {
  const processors = processorsOf(company);
  if (processors.size === 0) return null;
  const isUsable = (stored: PaymentProcessor): boolean => stored.status === 'active' && paymentTypesOf(stored).includes(paymentType);
  const named = loanType?.processors[paymentType];
  const ofLoanType = typeof named === 'string' ? processors.get(named) : undefined;
  if (ofLoanType !== undefined && isUsable(ofLoanType.stored)) return ofLoanType.id;
  for (const { id, stored } of processors.values()) if (stored.isDefault && isUsable(stored)) return id;
  return null;
}

/** Whether accounts that are added now get a prenote: a processor that moves money by files asks for it. */
export const ordersPrenotes = (company: CompanyState): boolean =>
  [...processorsOf(company).values()].some(({ stored }) => stored.status === 'active' && isByFiles(stored) && prenotesOf(stored).isOn);

/** Which processor verifies cards: the default, else the first that takes such payments for a loan type. Null: none does. */
export function verifyingProcessor(company: CompanyState, paymentType: PaymentType): string | null {
  const isUsable = ({ stored }: ProcessorRecord): boolean => stored.status === 'active' && paymentTypesOf(stored).includes(paymentType);
  const others = [...processorsOf(company).values()].find(isUsable);
  return processorFor(company, null, paymentType) ?? others?.id ?? null;
}

/** Two that can both make payments of one type. */
const isOfSameTypes = (a: PaymentProcessor, b: PaymentProcessor): boolean =>
  paymentTypesOf(a).some((type) => paymentTypesOf(b).includes(type));

export const PAYMENT_PROCESSOR: Declaration<PaymentProcessorCreateBody, PaymentProcessorUpdateBody, PaymentProcessor> = {
  type: PROCESSOR_TYPE,
  prefix: 'PX',
  param: 'paymentProcessorId',
  unique: [{ name: 'externalId', of: ({ externalId }) => externalId }],
  create(body, { id, env }) {
    refuseUnsupported(body, body.processorType);
    return checkedProcessor(changedBy(NEW, body, { secrets: {}, seal: (secrets) => sealedProcessorSecrets(env, id, secrets) }));
  },
  change(before, body, { id, env }) {
    refuseUnsupported(body, before.card === undefined ? 'achDirectUS' : 'cardHTTP');
    if (body.status !== undefined && !mayBecome(before.status, body.status))
      refuseProcessorFaults('invalidState', [
        {
          path: 'status',
          expected: `a status after ${before.status}`,
          message: `a processor that is ${before.status} cannot become ${body.status}`,
        },
      ]);
    const secrets = openProcessorSecrets(env, id, before.secrets);
    return checkedProcessor(changedBy(before, body, { secrets, seal: (changed) => sealedProcessorSecrets(env, id, changed) }));
  },
  assertRemovable({ status }, { id }) {
    if (status === 'draft') return;
    refuseProcessorFaults('invalidState', [
      { path: 'status', expected: 'draft', message: `the processor ${id} is ${status}. Set its status to deprecated instead` },
    ]);
  },
  /** There is one default of a payment type: a new one replaces it. */
  consequences(_before, after, { id, host }) {
    if (after?.isDefault !== true) return [];
    return [...processorsOf(host).values()].flatMap((other) =>
      other.id === id || !other.stored.isDefault || !isOfSameTypes(other.stored, after)
        ? []
        : [
            {
              type: 'ResourceChanged',
              body: { resource: PROCESSOR_TYPE, id: other.id, parentId: null, stored: { ...other.stored, isDefault: false } },
            },
          ],
    );
  },
  matches({ stored }, { status }: PaymentProcessorQuery) {
    return status === undefined || stored.status === status;
  },
  view: ({ file, fee, sftp, secrets, card, pgp = NO_PGP, ...stored }, { id }, host) => ({
    externalId: stored.externalId,
    ...cardView(card, secrets),
    processorName: stored.processorName,
    status: stored.status,
    isDefault: stored.isDefault,
    timezone: stored.timezone,
    achCutoff: clockText(stored.cutoffSeconds),
    achSameDayCutoff: stored.sameDayCutoffSeconds === null ? null : clockText(stored.sameDayCutoffSeconds),
    achFileHeaderImmediateDestination: file.immediateDestination,
    achFileHeaderImmediateOrigin: file.immediateOrigin,
    achFileHeaderImmediateDestinationName: file.destinationName,
    achFileHeaderImmediateOriginName: file.originName,
    achBatchHeaderCompanyName: file.companyName,
    achBatchHeaderCompanyId: file.companyId,
    achBatchHeaderOriginatingDFIId: file.odfi,
    achFeeType: fee.type,
    achFeeAmount: amount(fee.cents),
    achSameDayFeeAmount: amount(fee.sameDayCents),
    achSECCode: stored.secCode,
    achPrenotes: prenotesOf(stored).isOn,
    achPrenoteWaitDays: prenotesOf(stored).waitDays,
    sftpHostname: sftp.host,
    sftpHostKey: sftp.hostKey ?? null,
    ...sftpAccessView(sftp),
    sftpUsername: sftp.username,
    sftpPassword: secrets?.holds.includes('sftpPassword') === true ? MASK : null,
    sftpSSHDisabledAlgorithms: sftp.disabledAlgorithms,
    sftpCdDirOutbox: sftp.outbox,
    sftpCdDirInbox: sftp.inbox,
    sftpAchConfirmationFileNameRegex: sftp.confirmationPattern,
    sftpAchReturnFileNameRegex: sftp.returnPattern,
    isFileNameDefaultConvention: true,
    signOutgoing: pgp.signsOutgoing,
    encryptionMethodOutgoing: pgp.encryptsOutgoing ? 'GPG' : null,
    encryptionMethodIncoming: pgp.decryptsIncoming ? 'GPG' : null,
    thirdPartyPublicKey: pgp.bankKey,
    gpgServicePublicKey: pgp.publicKey,
    fundingInstruments: fundingInstrumentsOf(host, id).map(({ id: instrumentId, stored: { status } }) => ({ id: instrumentId, status })),
  }),
};

/** 17:00: after the last window of the operator for settlement on the next day has long been open. */
const DEFAULT_CUTOFF_SECONDS = 61_200;

const NEW: PaymentProcessor = {
  externalId: null,
  processorName: '',
  status: 'draft',
  isDefault: false,
  timezone: null,
  cutoffSeconds: DEFAULT_CUTOFF_SECONDS,
  sameDayCutoffSeconds: null,
  file: {
    immediateDestination: null,
    immediateOrigin: null,
    destinationName: null,
    originName: null,
    companyName: null,
    companyId: null,
    odfi: null,
  },
  fee: { type: 'gross', cents: ZERO, sameDayCents: ZERO },
  secCode: null,
  sftp: {
    host: null,
    accessMethod: 'usernamePassword',
    username: null,
    publicKey: null,
    disabledAlgorithms: {},
    outbox: null,
    inbox: null,
    confirmationPattern: null,
    returnPattern: null,
  },
  secrets: null,
};

const given = <Value>(sent: Value | undefined, before: Value): Value => (sent === undefined ? before : sent);

interface Sealing {
  readonly secrets: ProcessorSecrets;
  readonly seal: (secrets: ProcessorSecrets) => SealedProcessorSecrets | null;
}

function changedBy(before: PaymentProcessor, body: PaymentProcessorUpdateBody, { secrets, seal }: Sealing): PaymentProcessor {
  const { file, fee, sftp } = before;
  const { access, secrets: accessSecrets, faults } = changedSftpAccess(sftp, secrets, body);
  if (faults.length > 0) refuseProcessorFaults('validationError', faults);
  const changed: ProcessorSecrets = {
    ...accessSecrets,
    gpgPrivateKey: body.gpgKeyPair?.privateKey ?? secrets.gpgPrivateKey ?? null,
    cardApiKey: keptSecret(body.cardApiKey, secrets.cardApiKey),
    cardWebhookSecret: keptSecret(body.cardWebhookSecret, secrets.cardWebhookSecret),
  };
  const card = changedCard(before.card, body);
  return {
    externalId: given(body.externalId, before.externalId),
    processorName: given(body.processorName, before.processorName),
    status: given(body.status, before.status),
    isDefault: given(body.isDefault, before.isDefault),
    timezone: given(body.timezone, before.timezone),
    cutoffSeconds: body.achCutoff == null ? before.cutoffSeconds : secondsOfClock(body.achCutoff),
    sameDayCutoffSeconds:
      body.achSameDayCutoff === undefined
        ? before.sameDayCutoffSeconds
        : body.achSameDayCutoff === null
          ? null
          : secondsOfClock(body.achSameDayCutoff),
    file: {
      immediateDestination: given(body.achFileHeaderImmediateDestination, file.immediateDestination),
      immediateOrigin: given(body.achFileHeaderImmediateOrigin, file.immediateOrigin),
      destinationName: given(body.achFileHeaderImmediateDestinationName, file.destinationName),
      originName: given(body.achFileHeaderImmediateOriginName, file.originName),
      companyName: given(body.achBatchHeaderCompanyName, file.companyName),
      companyId: given(body.achBatchHeaderCompanyId, file.companyId),
      odfi: given(body.achBatchHeaderOriginatingDFIId, file.odfi),
    },
    fee: {
      type: given(body.achFeeType, fee.type),
      cents: body.achFeeAmount === undefined ? fee.cents : centsOf(body.achFeeAmount),
      sameDayCents: body.achSameDayFeeAmount === undefined ? fee.sameDayCents : centsOf(body.achSameDayFeeAmount),
    },
    secCode: given(body.achSECCode, before.secCode),
    prenotes: {
      isOn: given(body.achPrenotes, prenotesOf(before).isOn),
      waitDays: given(body.achPrenoteWaitDays, prenotesOf(before).waitDays),
    },
    sftp: {
      host: given(body.sftpHostname, sftp.host),
      username: given(body.sftpUsername, sftp.username),
      ...access,
      disabledAlgorithms: body.sftpSSHDisabledAlgorithms ?? sftp.disabledAlgorithms,
      outbox: given(body.sftpCdDirOutbox, sftp.outbox),
      inbox: given(body.sftpCdDirInbox, sftp.inbox),
      confirmationPattern: given(body.sftpAchConfirmationFileNameRegex, sftp.confirmationPattern),
      returnPattern: given(body.sftpAchReturnFileNameRegex, sftp.returnPattern),
      ...keptHostKey('sftpHostKey', body.sftpHostKey, sftp),
    },
    pgp: changedPgp(before.pgp ?? NO_PGP, body),
    secrets: isSameSecrets(secrets, changed) ? before.secrets : seal(changed),
    ...(card === undefined ? {} : { card }),
  };
}

/** A key of the bank that nothing uses is not kept. */
function changedPgp(before: ProcessorPgp, body: PaymentProcessorUpdateBody): ProcessorPgp {
  const isOn = (sent: 'GPG' | null | undefined, was: boolean): boolean => (sent === undefined ? was : sent !== null);
  const encryptsOutgoing = isOn(body.encryptionMethodOutgoing, before.encryptsOutgoing);
  const decryptsIncoming = isOn(body.encryptionMethodIncoming, before.decryptsIncoming);
  const isKeyUsed = encryptsOutgoing || decryptsIncoming;
  if (!isKeyUsed && body.thirdPartyPublicKey != null)
    refuseProcessorFaults('validationError', [
      {
        path: 'thirdPartyPublicKey',
        expected: 'null, without encryptionMethodOutgoing or encryptionMethodIncoming',
        message: 'no file is encrypted',
      },
    ]);
  return {
    encryptsOutgoing,
    signsOutgoing: given(body.signOutgoing, before.signsOutgoing),
    decryptsIncoming,
    bankKey: isKeyUsed ? given(body.thirdPartyPublicKey, before.bankKey) : null,
    publicKey: body.gpgKeyPair?.publicKey ?? before.publicKey,
  };
}

function secondsOfClock(text: string): number {
  const [hours = 0, minutes = 0, seconds = 0] = text.replace('Z', '').split(':').map(Number);
  return hours * 3_600 + minutes * 60 + seconds;
}

const clockText = (seconds: number): string =>
  `${[Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, seconds % 60].map((part) => String(part).padStart(2, '0')).join(':')}Z`;
