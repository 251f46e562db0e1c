import { useTranslation } from 'react-i18next';

/** The queues of the server. */
export const queueNames = ['default', 'mail', 'clock', 'images', 'documents', 'office', 'maintenance', 'long'] as const;

/** What a queue is called; one that the page does not know keeps its code. */
export function useQueueLabel(): (queue: string) => string {
  const { t } = useTranslation('admin');
  return (queue) => {
    const knownQueue = queueNames.find((name) => name === queue);
    return knownQueue ? t(`jobs.queues.${knownQueue}`) : queue;
  };
}
