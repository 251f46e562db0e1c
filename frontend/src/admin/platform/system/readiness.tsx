import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Badge } from '../../../shared/ui/badge';
import { ErrorState } from '../../../shared/ui/error-state';
import { SectionCard } from '../../../shared/ui/section-card';
import { RowsSkeleton } from '../../../shared/ui/skeletons';
import { DefinitionList } from '../../ui/definition-list';
import texts from '../locales/system-en';

const partTexts = texts.part;

interface ReadinessPart {
  status: string;
  /** For optional parts, without which requests are served as well. */
  answers?: boolean;
  /** For the storage, if it has a problem. */
  state?: string;
}

/** Fetches the readiness endpoint. A 503 lists the parts as well. */
async function fetchReadiness(signal: AbortSignal): Promise<Record<string, ReadinessPart>> {
  const response = await fetch('/readyz', { signal });
  const body = (await response.json()) as {
    details?: Record<string, ReadinessPart>;
    info?: Record<string, ReadinessPart>;
  };
  return body.details ?? body.info ?? {};
}

/** The dependencies of the service, and whether each works. */
export function ReadinessCard() {
  const { t } = useTranslation('admin');
  const { data, error, refetch } = useQuery({
    queryKey: ['readyz'],
    queryFn: ({ signal }) => fetchReadiness(signal),
    staleTime: 0,
  });
  return (
    <SectionCard title={t('system.parts')} text={t('system.partsText')}>
      {error && !data && <ErrorState title={t('system.failed')} error={error} onRetry={refetch} />}
      {!data && !error && <RowsSkeleton rows={2} />}
      {data && (
        <DefinitionList
          label={t('system.parts')}
          items={Object.entries(data).map(([name, { status, answers: isResponding = true, state }]) => {
            const isUp = status === 'up' && isResponding && state === undefined;
            return [
              name in partTexts ? t(`system.part.${name as keyof typeof partTexts}`) : name,
              <Badge key={name} tone={isUp ? 'success' : 'danger'}>
                {t(isUp ? 'system.up' : 'system.down')}
              </Badge>,
            ];
          })}
        />
      )}
    </SectionCard>
  );
}
