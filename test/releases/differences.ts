/** A difference between the answers of an earlier release and of the present code. */
export interface Difference {
  /** The path of the request. */
  readonly path: string;
  /** The position in the answer: `data[0].status`. */
  readonly at: string;
  readonly before: unknown;
  readonly now: unknown;
}

/** Fields that differ with every request. */
const OF_THE_REQUEST: ReadonlySet<string> = new Set(['requestId']);

/** Each value that is missing or different. Fields may be new; elements of lists may not. */
export function differencesOf(path: string, before: unknown, now: unknown, at = ''): readonly Difference[] {
  if (Array.isArray(before)) {
    if (!Array.isArray(now) || now.length !== before.length) return [{ path, at, before, now }];
    return before.flatMap((item, index) => differencesOf(path, item, now[index], `${at}[${index}]`));
  }
  if (typeof before === 'object' && before !== null) {
    if (typeof now !== 'object' || now === null) return [{ path, at, before, now }];
    return Object.entries(before)
      .filter(([name]) => !OF_THE_REQUEST.has(name))
      .flatMap(([name, value]) => differencesOf(path, value, (now as Record<string, unknown>)[name], at === '' ? name : `${at}.${name}`));
  }
  return withoutPort(before) === withoutPort(now) ? [] : [{ path, at, before, now }];
}

/** Links to further pages contain the address of the request. */
const withoutPort = (value: unknown): unknown => (typeof value === 'string' ? value.replace(/^http:\/\/127\.0\.0\.1:\d+/, '') : value);
