/**
 * The release that this is. Its day stands in the place of today where a check must say the same whenever it runs: whether what rules of
 * law were read from is too old, and whether one of them is about to change. Whoever makes a release sets both.
 */
export const RELEASE = { version: '0.1.0', date: '2026-11-23' } as const;
