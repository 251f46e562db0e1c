/** The queues of the service and how many of their jobs one worker runs at a time. */
export const queues = {
  default: { concurrency: 4 },
  mail: { concurrency: 5 },
  /** Pictures are held in memory while smaller ones are made of them. */
  images: { concurrency: 1 },
  maintenance: { concurrency: 1 },
} satisfies Record<string, { concurrency: number }>;

export type QueueName = keyof typeof queues;
