/** The queues of the service and how many of their jobs one worker runs at a time. */
export const queues = {
  default: { concurrency: 4 },
  mail: { concurrency: 5 },
  maintenance: { concurrency: 1 },
} satisfies Record<string, { concurrency: number }>;

export type QueueName = keyof typeof queues;
