/** A figure that the contract defines differently, and the value that is shown. No other figure of the vector may differ. */
interface Decided {
  readonly why: string;
  readonly differences: readonly string[];
}

const OPEN_FIRST =
  'money above what is due meets the installment of the open period first, whatever `excess` says (the contract’s settled point 20)';

/** Vectors with figures that the contract defines differently. */
export const DECIDED_OTHERWISE: Readonly<Record<string, Decided>> = {
  'fin-e2e-w09': {
    why: OPEN_FIRST,
    differences: [
      'step 7 (expect): row 3 paid: 0.00 published, 50.00 shown',
      'step 7 (expect): row 3 outstanding: 100.00 published, 50.00 shown',
    ],
  },
  'fin-e2e-w10': {
    why: OPEN_FIRST,
    differences: [
      'step 7 (expect): row 2 paid: 0.00 published, 100.00 shown',
      'step 7 (expect): row 2 outstanding: 100.00 published, 0.00 shown',
    ],
  },
  'fin-e2e-w12': {
    why: OPEN_FIRST,
    differences: [
      'step 7 (expect): row 2 paid: 50.00 published, 100.00 shown',
      'step 7 (expect): row 2 outstanding: 50.00 published, 0.00 shown',
    ],
  },
  'fin-e2e-w13': {
    why: OPEN_FIRST,
    differences: [
      'step 10 (expect): row 3 paid: 80.00 published, 100.00 shown',
      'step 10 (expect): row 3 outstanding: 20.00 published, 0.00 shown',
    ],
  },
  'fin-e2e-w14': {
    why: OPEN_FIRST,
    differences: [
      'step 7 (expect): row 3 paid: 0.00 published, 50.00 shown',
      'step 7 (expect): row 3 outstanding: 100.00 published, 50.00 shown',
    ],
  },
};

/** Vectors that the service does not match yet, and why. The test fails if a vector of this list matches. */
export const NOT_MET_YET: Readonly<Record<string, string>> = {
  'fin-e2e-l23':
    'a charge-off makes everything due at once, and no setting lets the rows stand: chargeOff.behavior (conventions 7) is not built',
};
