interface QueueOptions {
  readonly concurrency: number;
  /**
   * Messages that wait in Redis at most, and as many whose time is still to come: what is due later but more urgent waits
   * behind them. Many where jobs are short, so that workers do not wait for messages.
   */
  readonly maxMessages?: number;
}

/**
 * The queues of the service and how many of their jobs one worker runs at a time. They are apart by how long their jobs
 * take, so that no job waits behind one that takes much longer than itself.
 */
export const queues = {
  default: { concurrency: 4 },
  mail: { concurrency: 5 },
  /** What the clock has done every few minutes: seconds each, and somebody waits for it. */
  clock: { concurrency: 3 },
  /** Pictures are held in memory while smaller ones are made of them. */
  images: { concurrency: 1 },
  /** Pages of documents, drawn by one process apart; one that never ends takes its ten seconds. */
  documents: { concurrency: 1, maxMessages: 4 },
  /** PDF that LibreOffice makes of Office documents, one at a time: one that never ends takes its minute. */
  office: { concurrency: 1, maxMessages: 4 },
  /** Seconds each, and nobody waits for it: clearing up, and what is looked at once an hour. */
  maintenance: { concurrency: 2 },
  /** Minutes or hours each, and nobody waits for it: comparisons with Stripe and the storage, what goes through whole tables. */
  long: { concurrency: 2 },
} satisfies Record<string, QueueOptions>;

export type QueueName = keyof typeof queues;

const queueOptions: Readonly<Record<QueueName, QueueOptions>> = queues;
/** How many messages about jobs of a queue may wait in Redis. */
export const maxMessagesOf = (queue: QueueName): number => queueOptions[queue].maxMessages ?? 200;
