/** Every bound of the import, in one place. */
export const LIMITS = {
  /** Rows that are booked at the same time: enough to fill a flush, little enough to stop quickly. */
  rowsInFlight: 256,
  /** Longest row in bytes. */
  rowBytes: 1_000_000,
  /** Lines that a row with line breaks in quoted fields may take: a quote that is open longer was never closed. */
  rowLines: 100,
  /** Bytes that are read from the file at a time. */
  chunkBytes: 262_144,
  /** Largest mapping file in bytes. */
  mappingBytes: 1_000_000,
  /** Nesting of a template. */
  templateDepth: 20,
  /** Texts of dates that are kept with what they mean, a format. */
  keptDates: 10_000,
  /** Faults that one row reports. */
  faultsPerRow: 50,
  /** Differences that the summary names; the count is always whole. */
  namedDifferences: 20,
  /** How long a row waits for a service that cannot write at the moment, in milliseconds. */
  unavailableMs: 60_000,
  /** Milliseconds between two tries of such a row. */
  retryUnavailableMs: 100,
} as const;
