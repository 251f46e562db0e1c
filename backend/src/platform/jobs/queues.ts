interface QueueOptions {
  readonly concurrency: number;
  /**
   * Maximum number of waiting messages in Redis, and of delayed ones. A job enqueued later with a higher priority waits
   * behind them. The default is high for short jobs, so that workers don't wait for messages.
   */
  readonly maxMessages?: number;
}

/**
 * The job queues and their concurrency per worker. They are separated by how long jobs take, so that no job waits
 * behind one that takes much longer.
 */
export const queues = {
  default: { concurrency: 4 },
  mail: { concurrency: 5 },
  /** Frequent cron jobs that take seconds and that users wait for. */
  clock: { concurrency: 3 },
  /** Image processing holds whole images in memory. */
  images: { concurrency: 1 },
  /** Reading of uploads that browsers have sent to a bucket: up to minutes that users wait for. */
  uploads: { concurrency: 2 },
  /** Page rendering in a separate process; a page that never finishes times out after ten seconds. */
  documents: { concurrency: 1, maxMessages: 4 },
  /** Conversion of Office documents to PDF by LibreOffice, one at a time; times out after a minute. */
  office: { concurrency: 1, maxMessages: 4 },
  /** Cleanup and hourly checks that take seconds and that nobody waits for. */
  maintenance: { concurrency: 2 },
  /** Reconciliation with Stripe and storage, and scans of whole tables: minutes or hours that nobody waits for. */
  long: { concurrency: 2 },
} satisfies Record<string, QueueOptions>;

export type QueueName = keyof typeof queues;

const queueOptions: Readonly<Record<QueueName, QueueOptions>> = queues;
/** Maximum number of messages about jobs of a queue that may wait in Redis. */
export const maxMessagesOf = (queue: QueueName): number => queueOptions[queue].maxMessages ?? 200;
