import { useTranslation } from 'react-i18next';

/** The server's queues. */
export const queueNames = [
  'default',
  'mail',
  'clock',
  'uploads',
  'images',
  'documents',
  'office',
  'maintenance',
  'long',
] as const;

/** Returns a queue's label; its code if the page doesn't know it. */
export function useQueueLabel(): (queue: string) => string {
  const { t } = useTranslation('admin');
  return (queue) => {
    const knownQueue = queueNames.find((name) => name === queue);
    return knownQueue ? t(`jobs.queues.${knownQueue}`) : queue;
  };
}
