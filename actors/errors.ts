interface ErrorRow {
  readonly status: number;
  readonly title: string;
}

/**
 * The table of all refusals. Statuses follow one rule: 400 = the request alone is wrong, 409 = wrong state or duplicate,
 * 422 = stored configuration or amounts do not allow it.
 */
export const ERRORS = {
  badRequest: { status: 400, title: 'The request is malformed' },
  validationError: { status: 400, title: 'A value of the request is missing or wrong' },
  missingOutcome: { status: 400, title: 'A completed case needs an outcome' },
  triggerRequired: { status: 400, title: 'A trigger needs a status or an outcome' },
  addressInvalid: { status: 400, title: 'The address is not valid' },
  migrationValidation: { status: 400, title: 'The history to migrate is inconsistent' },

  unauthenticated: { status: 401, title: 'No valid credential' },
  tokenExpired: { status: 401, title: 'The token has expired' },
  tokenRevoked: { status: 401, title: 'The token was revoked' },
  secondFactorRequired: { status: 401, title: 'A second factor is required' },

  permissionDenied: { status: 403, title: 'A permission is missing' },
  ipNotAllowed: { status: 403, title: 'The address is not allowed' },
  modeMismatch: { status: 403, title: 'The key is for the other mode' },

  notFound: { status: 404, title: 'There is no such object' },
  methodNotAllowed: { status: 405, title: 'The path does not support the method' },
  syncTimeout: { status: 408, title: 'The operation takes longer than the request waits' },

  duplicate: { status: 409, title: 'The same object already exists' },
  conflict: { status: 409, title: 'Another change came first' },
  invalidState: { status: 409, title: 'The state of the object does not allow this' },
  invalidTransition: { status: 409, title: 'The status cannot change like this' },
  invalidCaseTransition: { status: 409, title: 'The status of the case cannot change like this' },
  identityPrimaryImmutable: { status: 409, title: 'The primary identity cannot be changed' },
  activePlanExists: { status: 409, title: 'A plan is already active' },
  feeNotCharged: { status: 409, title: 'The fee is not charged' },
  caseClosed: { status: 409, title: 'The case is closed' },
  activeCollectionCaseExists: { status: 409, title: 'A collection case is already active' },
  doNotInteractExists: { status: 409, title: 'The case already has a block' },
  escalationExists: { status: 409, title: 'The case is already escalated' },
  idempotencyConflict: { status: 409, title: 'The idempotency key was used with another body' },
  idempotencyInProgress: { status: 409, title: 'The first request with this key is still running' },

  operationFailed: { status: 412, title: 'The operation failed' },
  payloadTooLarge: { status: 413, title: 'The body is too large' },
  unsupportedMediaType: { status: 415, title: 'The content type is not supported' },

  ruleViolation: { status: 422, title: 'A rule does not allow this' },
  businessValidation: { status: 422, title: 'A business rule does not allow this' },
  rateOutOfRange: { status: 422, title: 'The rate is outside of the range of the loan type' },
  amountExceedsEligible: { status: 422, title: 'The amount is above the allowed amount' },
  creditLimitExceeded: { status: 422, title: 'The credit limit is exceeded' },
  caseRequired: { status: 422, title: 'An open case is required' },
  verificationNotPossible: { status: 422, title: 'There is not enough data for a verification' },
  confirmationCodeInvalid: { status: 422, title: 'The confirmation code is wrong' },

  loanLocked: { status: 423, title: 'The ledger is locked by another operation' },
  accountLocked: { status: 423, title: 'The login is locked for a while' },
  upgradeRequired: { status: 426, title: 'A WebSocket upgrade is required' },
  rateLimited: { status: 429, title: 'Too many requests' },
  verificationThrottled: { status: 429, title: 'Too many verifications' },
  headersTooLarge: { status: 431, title: 'The header fields are too large' },

  internalError: { status: 500, title: 'The service failed' },
  unavailable: { status: 503, title: 'The service is not available at the moment' },
} as const satisfies Readonly<Record<string, ErrorRow>>;

export type ErrorType = keyof typeof ERRORS;

/** One fault of a request: where it is, what is expected there, and what is wrong. */
export interface Fault {
  /** Such as `atOrigination.fees[0].amount`, or the name of a query parameter or header. */
  readonly path: string;
  readonly expected: string;
  readonly message: string;
}

export interface RefusalDetails {
  readonly errors?: readonly Fault[];
  /** Further properties of the error body. */
  readonly extra?: Readonly<Record<string, unknown>>;
  /** Sent as `Retry-After`. */
  readonly retryAfterSeconds?: number;
  readonly cause?: unknown;
}

/**
 * The one error for callers. Nothing has been changed when it is thrown. The message goes to the caller and says what is wrong, where, and
 * what to do. It may contain ids and amounts, never personal data.
 */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly errors: readonly Fault[];
  readonly extra: Readonly<Record<string, unknown>>;
  readonly retryAfterSeconds: number | undefined;

  constructor(
    readonly errorType: ErrorType,
    message: string,
    details: RefusalDetails = {},
  ) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.errors = details.errors ?? [];
    this.extra = details.extra ?? {};
    this.retryAfterSeconds = details.retryAfterSeconds;
  }

  get statusCode(): number {
    return ERRORS[this.errorType].status;
  }

  get title(): string {
    return ERRORS[this.errorType].title;
  }
}

/** Throws a `Refusal`. */
export function refuse(errorType: ErrorType, message: string, details: RefusalDetails = {}): never {
  throw new Refusal(errorType, message, details);
}

/** Throws the refusal of a wrong property of a body, or a wrong parameter. */
export function refuseProperty(path: string, expected: string, message: string): never {
  throw new Refusal('validationError', message, { errors: [{ path, expected, message }] });
}

/** Runs checks of values that are independent of each other, and refuses once, with the faults that all of them have found. */
export function checkAll(checks: readonly (() => unknown)[]): void {
  const found: Refusal[] = [];
  for (const check of checks) {
    try {
      check();
    } catch (cause) {
      if (!(cause instanceof Refusal) || cause.statusCode !== 400 || cause.errors.length === 0) throw cause;
      found.push(cause);
    }
  }
  const [first] = found;
  if (first === undefined) return;
  if (found.length === 1) throw first;
  const errors = found.flatMap(({ errors: faults }) => faults);
  throw new Refusal('validationError', 'Several values of the request are wrong: see `errors`.', { errors, cause: first });
}

/** The text for the log: with the stack of the error and of its causes. */
export function traceOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  return cause.cause === undefined ? String(cause.stack) : `${String(cause.stack)}\nfrom ${traceOf(cause.cause)}`;
}
