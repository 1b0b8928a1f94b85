/** Ids and times of recording are each loan's own. */
export function bare(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(bare);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !/(^|[a-z])Id$|^id$|^timestamps$|At$|^createdDate$/.test(key))
      .map(([key, part]) => [key, bare(part)]),
  );
}
