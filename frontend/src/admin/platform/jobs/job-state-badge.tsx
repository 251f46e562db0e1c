import { useTranslation } from 'react-i18next';
import type { Schema } from '../../../shared/api/client';
import { Badge, type BadgeTone } from '../../../shared/ui/badge';

export type Job = Schema<'AdminJobDto'>;

const stateTones: Record<Job['state'], BadgeTone> = { queued: 'neutral', running: 'accent', dead: 'danger' };

/** Whether a job is waiting, running or failed. */
export function JobStateBadge({ state }: { state: Job['state'] }) {
  const { t } = useTranslation('admin');
  return <Badge tone={stateTones[state]}>{t(`jobs.states.${state}`)}</Badge>;
}
