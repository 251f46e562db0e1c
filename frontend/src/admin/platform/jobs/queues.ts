import { useTranslation } from 'react-i18next';

/** The queues of the server. */
export const queues = ['default', 'mail', 'clock', 'images', 'documents', 'office', 'maintenance', 'long'] as const;

/** What a queue is called; one that the page does not know keeps its code. */
export function useQueueName(): (queue: string) => string {
  const { t } = useTranslation('admin');
  return (queue) => {
    const known = queues.find((one) => one === queue);
    return known ? t(`jobs.queues.${known}`) : queue;
  };
}
