import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Badge } from '../../../shared/ui/badge';
import { ErrorState } from '../../../shared/ui/error-state';
import { SectionCard } from '../../../shared/ui/section-card';
import { RowsSkeleton } from '../../../shared/ui/skeletons';
import { Facts } from '../../ui/facts';
import texts from '../locales/system-en';

const parts = texts.part;

interface Part {
  status: string;
  /** Of a part without which requests are served as well. */
  answers?: boolean;
  /** Of the storage, when it is not as it should be. */
  state?: string;
}

/** What the server answers to those who ask whether to send it requests; a refusal tells of its parts as well. */
async function fetchParts(signal: AbortSignal): Promise<Record<string, Part>> {
  const answer = await fetch('/readyz', { signal });
  const body = (await answer.json()) as { details?: Record<string, Part>; info?: Record<string, Part> };
  return body.details ?? body.info ?? {};
}

/** The parts that the service needs, and whether each works. */
export function Readiness() {
  const { t } = useTranslation('admin');
  const { data, error, refetch } = useQuery({
    queryKey: ['readyz'],
    queryFn: ({ signal }) => fetchParts(signal),
    staleTime: 0,
  });
  return (
    <SectionCard title={t('system.parts')} text={t('system.partsText')}>
      {error && !data && <ErrorState title={t('system.failed')} error={error} onRetry={refetch} />}
      {!data && !error && <RowsSkeleton rows={2} />}
      {data && (
        <Facts
          label={t('system.parts')}
          facts={Object.entries(data).map(([name, { status, answers = true, state }]) => {
            const works = status === 'up' && answers && state === undefined;
            return [
              name in parts ? t(`system.part.${name as keyof typeof parts}`) : name,
              <Badge key={name} tone={works ? 'success' : 'danger'}>
                {t(works ? 'system.up' : 'system.down')}
              </Badge>,
            ];
          })}
        />
      )}
    </SectionCard>
  );
}
