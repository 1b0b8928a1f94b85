/** Something that an earlier release answered and the present code answers otherwise. */
export interface Difference {
  /** What was asked. */
  readonly path: string;
  /** Where in the answer: `data[0].status`. */
  readonly at: string;
  readonly before: unknown;
  readonly now: unknown;
}

/** Of each request its own. */
const OF_THE_REQUEST: ReadonlySet<string> = new Set(['requestId']);

/** Each value that was answered and is not any more, or is another one. Fields may be new; elements of lists may not. */
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

/** Links to further pages name the address that was asked. */
const withoutPort = (value: unknown): unknown => (typeof value === 'string' ? value.replace(/^http:\/\/127\.0\.0\.1:\d+/, '') : value);
