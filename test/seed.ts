/** What this run draws at random follows from it: TENOR_SEED repeats a run. A whole number from 0 up to and without 2^31. */
export const SEED = Number(process.env['TENOR_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
