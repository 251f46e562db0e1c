import Stack from '@mui/material/Stack';
import { Suspense, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Navigate, useParams } from 'react-router';
import { toId, useZone } from '../../shared/api/use-zone';
import { publicAddress } from '../../shared/format/public-address';
import { CopyField } from '../../shared/ui/copy-field';
import { RowsSkeleton } from '../../shared/ui/skeletons';
import { SectionCard } from '../../shared/ui/section-card';

/** /zones/{id}/share: how a zone and its folders are shown to others. For its owner; `mirrors` is that panel. */
export function ZoneSharePage({ mirrors }: { mirrors: ReactNode }) {
  const { t } = useTranslation('zones');
  const id = toId(useParams().zoneId);
  const { data: zone } = useZone(id);
  if (!zone) return <RowsSkeleton />;
  if (!zone.can.share) return <Navigate to={`/zones/${id}`} replace />;
  return (
    <Stack spacing={4} sx={{ maxWidth: 880 }}>
      {zone.publicLink ? (
        <SectionCard title={t('share.public')} text={zone.autoJoin ? t('share.publicText') : t('share.publicAskText')}>
          <CopyField label={t('link.label')} value={publicAddress(zone.publicLink)} failure={t('link.copyFailed')} />
        </SectionCard>
      ) : (
        <SectionCard title={t('share.private')} text={t('share.privateText')} />
      )}
      <Suspense fallback={<RowsSkeleton rows={2} />}>{mirrors}</Suspense>
    </Stack>
  );
}
