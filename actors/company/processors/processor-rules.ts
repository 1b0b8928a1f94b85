import { type ErrorType, type Fault, Refusal } from '../../errors.js';
import { isZone } from '../../../engine/index.js';
import { keyFault } from '../pgp.js';
import { typeFaults } from './card-connection.js';
import type { PaymentProcessor } from './processor.js';
import type { PaymentProcessorUpdateBody, ProcessorStatus, ProcessorType } from './wire.js';

export function refuseProcessorFaults(type: ErrorType, errors: readonly Fault[]): never {
  throw new Refusal(type, 'The payment processor cannot be stored so: see `errors`.', { errors });
}

/** draft ─► active ◄─► deprecated. */
const NEXT: { readonly [Status in ProcessorStatus]: readonly ProcessorStatus[] } = {
  draft: ['draft', 'active'],
  active: ['active', 'deprecated'],
  deprecated: ['deprecated', 'active'],
};

export const mayBecome = (before: ProcessorStatus, after: ProcessorStatus): boolean => NEXT[before].includes(after);

/** What the service does not do is refused, not stored in vain; so is a key or an address that cannot be used. */
export function refuseUnsupported(body: PaymentProcessorUpdateBody, type: ProcessorType): void {
  const { thirdPartyPublicKeyFault: keyOfBank, cardApiUrlFault } = body;
  const faults: Fault[] = typeFaults(body, type);
  if (body.isFileNameDefaultConvention === false)
    faults.push({ path: 'isFileNameDefaultConvention', expected: 'true', message: 'is not supported yet' });
  if (keyOfBank !== undefined) faults.push(keyFault('thirdPartyPublicKey', keyOfBank));
  if (cardApiUrlFault !== undefined)
    faults.push({ path: 'cardApiUrl', expected: 'an address that the service may call', message: cardApiUrlFault });
  if (faults.length > 0) refuseProcessorFaults('validationError', faults);
}

/** Unbounded repetitions in a pattern, each of which can make a match slower by the length of a file name. */
const MOST_REPETITIONS = 4;

/** Kinds of algorithms that the SSH library can leave out. */
const ALGORITHM_KINDS = ['kex', 'cipher', 'hmac', 'serverHostKey', 'compress'];

/** A processor whose fields go together; refuses it with every fault. */
export function checkedProcessor(processor: PaymentProcessor): PaymentProcessor {
  const { timezone, sftp, status, isDefault, pgp } = processor;
  const faults: Fault[] = [];
  if (timezone !== null && !isZone(timezone))
    faults.push({ path: 'timezone', expected: 'an IANA time zone such as America/New_York', message: 'is no time zone' });
  faults.push(
    ...patternFaults('sftpAchConfirmationFileNameRegex', sftp.confirmationPattern),
    ...patternFaults('sftpAchReturnFileNameRegex', sftp.returnPattern),
    ...Object.keys(sftp.disabledAlgorithms)
      .filter((kind) => !ALGORITHM_KINDS.includes(kind))
      .map(
        (kind): Fault => ({
          path: `sftpSSHDisabledAlgorithms.${kind}`,
          expected: ALGORITHM_KINDS.join(', '),
          message: 'is no kind of algorithm',
        }),
      ),
  );
  if (pgp?.encryptsOutgoing === true && pgp.bankKey === null) faults.push(keyFault('thirdPartyPublicKey', 'is missing'));
  if (status === 'active') faults.push(...missingFields(processor));
  if (isDefault && status !== 'active')
    faults.push({ path: 'isDefault', expected: 'false, or an active processor', message: `the processor is ${status}` });
  if (faults.length > 0) refuseProcessorFaults('validationError', faults);
  return processor;
}

function missingFields({ file, sftp, secrets, card }: PaymentProcessor): readonly Fault[] {
  const isKept = (name: 'sftpPassword' | 'cardApiKey' | 'cardWebhookSecret'): boolean => secrets?.holds.includes(name) === true;
  const missing = (path: string): Fault => ({ path, expected: 'a value, for an active processor', message: 'is missing' });
  if (card !== undefined) {
    const secretsOfCards = (['cardApiKey', 'cardWebhookSecret'] as const).filter((name) => !isKept(name)).map(missing);
    return [...(card.apiUrl === null ? [missing('cardApiUrl')] : []), ...secretsOfCards];
  }
  const needed: readonly (readonly [string, string | null])[] = [
    ['achFileHeaderImmediateDestination', file.immediateDestination],
    ['achFileHeaderImmediateOrigin', file.immediateOrigin],
    ['achFileHeaderImmediateDestinationName', file.destinationName],
    ['achFileHeaderImmediateOriginName', file.originName],
    ['achBatchHeaderCompanyName', file.companyName],
    ['achBatchHeaderCompanyId', file.companyId],
    ['achBatchHeaderOriginatingDFIId', file.odfi],
    ['sftpHostname', sftp.host],
    ['sftpUsername', sftp.username],
  ];
  const faults = needed.filter(([, value]) => value === null || value === '').map(([path]) => missing(path));
  if (sftp.accessMethod === 'usernamePassword' && !isKept('sftpPassword')) faults.push(missing('sftpPassword'));
  return faults;
}

/**
 * Patterns run over names that a bank chooses: no repetition stands in a repetition, so that few names make them run long. The comparison
 * has a limit of time besides.
 */
function patternFaults(path: string, pattern: string | null): readonly Fault[] {
  if (pattern === null) return [];
  const expected = 'a regular expression of literals, classes, groups without repetition, and at most four * or +';
  const isSafe = !/\)[*+?{]/.test(pattern) && !/\\[1-9k]/.test(pattern) && (pattern.match(/[*+}]/g)?.length ?? 0) <= MOST_REPETITIONS;
  return isSafe && compiles(pattern) ? [] : [{ path, expected, message: 'cannot be used as a pattern' }];
}

function compiles(pattern: string): boolean {
  try {
    return new RegExp(pattern, 'u') instanceof RegExp;
  } catch {
    return false;
  }
}
