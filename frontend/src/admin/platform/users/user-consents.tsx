import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { api, type Schema } from '../../../shared/api/client';
import { toPage, type ListPage } from '../../../shared/api/list-page';
import { useFormat } from '../../../shared/hooks/use-format';
import { ErrorState } from '../../../shared/ui/error-state';
import { RowsSkeleton } from '../../../shared/ui/skeletons';

type Consent = Schema<'ConsentProofDto'>;
const CONSENTS_PATH = '/api/admin/users/{id}/consents';
const PAGE_SIZE = 20;

/** Email consents of a user, the stored proof; newest first. */
export function UserConsents({ userId }: { userId: number }) {
  const { t } = useTranslation('admin');
  const titleId = useId();
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useConsents(userId);
  const consents = data?.pages.flatMap(({ items }) => items);
  return (
    <Box component="section" aria-labelledby={titleId}>
      <Typography id={titleId} variant="h3" sx={{ mb: 1 }}>
        {t('consents.title')}
      </Typography>
      <Typography color="textSecondary" sx={{ mb: 3 }}>
        {t('consents.text')}
      </Typography>
      {error && !consents && <ErrorState title={t('consents.failed')} error={error} onRetry={() => void refetch()} />}
      {!consents && !error && <RowsSkeleton rows={2} />}
      {consents?.length === 0 && <Typography color="textSecondary">{t('consents.none')}</Typography>}
      {consents && consents.length > 0 && (
        <Box component="ul" sx={{ listStyle: 'none', m: 0, p: 0, display: 'grid', gap: 3 }}>
          {consents.map((consent) => (
            <ConsentRow key={consent.id} consent={consent} />
          ))}
        </Box>
      )}
      {hasNextPage && (
        <Button loading={isFetchingNextPage} onClick={() => void fetchNextPage()} sx={{ mt: 3 }}>
          {t('consents.more')}
        </Button>
      )}
    </Box>
  );
}

function useConsents(userId: number) {
  return useInfiniteQuery({
    queryKey: ['get', CONSENTS_PATH, { userId }] as const,
    queryFn: async ({ pageParam: cursor, signal }): Promise<ListPage<Consent>> => {
      const params = { path: { id: userId }, query: { limit: PAGE_SIZE, cursor } };
      const { data, response } = await api.GET(CONSENTS_PATH, { params, signal });
      return toPage(data, response.headers);
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next ?? undefined,
  });
}

function ConsentRow({ consent }: { consent: Consent }) {
  const { t } = useTranslation('admin');
  const format = useFormat();
  const { zoneId, zoneName, zoneDeletedAt, consentedAt, ipAddress, method, text } = consent;
  const zoneLabel = zoneName ?? String(zoneId);
  const methodLabel = t(`consents.ways.${method as 'invite'}`, { defaultValue: method });
  return (
    <Box component="li" sx={{ overflowWrap: 'anywhere' }}>
      <Typography sx={{ fontWeight: 500 }}>
        {zoneDeletedAt ? t('consents.zoneDeleted', { zone: zoneLabel }) : zoneLabel}
      </Typography>
      <Typography variant="body2" color="textSecondary">
        {[t('consents.given', { when: format.dateTime(consentedAt), way: methodLabel }), ipAddress]
          .filter(Boolean)
          .join(' · ')}
      </Typography>
      <Typography variant="body2">{text}</Typography>
    </Box>
  );
}
