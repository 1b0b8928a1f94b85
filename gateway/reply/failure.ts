import { Refusal, toJsonText } from '../../actors/index.js';

/** The one error body, readable for clients of every known form. */
export function failureBody(refusal: Refusal, requestId: string): string {
  const { statusCode, errorType, message, title, errors, extra } = refusal;
  return toJsonText({
    statusCode,
    status: statusCode,
    errorType,
    message,
    title,
    detail: message,
    type: 'about:blank',
    requestId,
    errors,
    ...extra,
  });
}

export function failureHeaders(refusal: Refusal): Record<string, string> {
  const headers: Record<string, string> = {};
  if (refusal.retryAfterSeconds !== undefined) headers['Retry-After'] = String(refusal.retryAfterSeconds);
  if (refusal.statusCode === 401) headers['WWW-Authenticate'] = 'Bearer';
  return headers;
}

/** What the caller is told of a failure of the service itself: nothing that is inside of it. */
export function refusalOf(cause: unknown): Refusal {
  return cause instanceof Refusal
    ? cause
    : new Refusal('internalError', 'The service has failed; the request id leads to the cause.', { cause });
}
