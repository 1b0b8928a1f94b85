/** What waits for the receivers of webhooks. */
export interface Backlog {
  /** Messages in memory that are not delivered; later events wait in the log. */
  readonly waiting: number;
  /** Since the oldest message was made that is not settled, in seconds; 0 when none is open. */
  readonly oldestSeconds: number;
  /** Webhooks whose last try has failed. */
  readonly failing: number;
}

export const NO_BACKLOG: Backlog = { waiting: 0, oldestSeconds: 0, failing: 0 };

/** What deliveries tell to be counted. */
export interface DeliveryMeasure {
  tried(isDelivered: boolean): void;
  /** They are made in this process from now on; null = no more. */
  delivering(backlog: (() => Backlog) | null): void;
}
