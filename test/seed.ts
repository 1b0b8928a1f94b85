/** The seed of all random values of this run; TENOR_SEED repeats a run. A whole number from 0 to below 2^31. */
export const SEED = Number(process.env['TENOR_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
