import AddRounded from '@mui/icons-material/AddRounded';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useParams } from 'react-router';
import { $api } from '../../shared/api/client';
import { parseId } from '../../shared/api/use-zone';
import { toast } from '../../shared/toast/toast-store';
import { useAnnounceOutcome } from '../../shared/toast/use-announce-outcome';
import { ErrorState } from '../../shared/ui/error-state';
import { SectionCard } from '../../shared/ui/section-card';
import { RowsSkeleton } from '../../shared/ui/skeletons';
import { useCreateMirror, useDeleteMirror, useMirrors, type Mirror } from './api/use-mirrors';
import { CreateMirrorDialog } from './components/create-mirror-dialog';
import { MirrorRow } from './components/mirror-row';

/** The mirrors of the zone in the URL: its folders shown elsewhere, and folders of other zones shown in it. */
export function MirrorPanel() {
  const { t } = useTranslation('mirrors');
  const zoneId = parseId(useParams().zoneId);
  const [isCreating, setIsCreating] = useState(false);
  const { data: mirrors, error, refetch } = useMirrors(zoneId);
  const { data: zones } = $api.useQuery('get', '/api/zones');
  const targets = zones?.filter(({ id }) => id !== zoneId) ?? [];
  const remove = useRemoveMirror();
  return (
    <SectionCard
      title={t('title')}
      text={t('text')}
      action={
        targets.length > 0 && (
          <Button startIcon={<AddRounded />} onClick={() => setIsCreating(true)}>
            {t('create')}
          </Button>
        )
      }
    >
      {error && !mirrors && <ErrorState title={t('failed')} error={error} onRetry={refetch} />}
      {!mirrors && !error && <RowsSkeleton rows={2} />}
      {mirrors?.length === 0 && (
        <Typography color="textSecondary">{zones && targets.length === 0 ? t('noTarget') : t('empty')}</Typography>
      )}
      {mirrors && mirrors.length > 0 && (
        <Box component="ul" aria-label={t('title')} sx={{ m: 0, p: 0, listStyle: 'none' }}>
          {mirrors.map((mirror) => (
            <MirrorRow key={mirror.id} mirror={mirror} zoneId={zoneId} onDelete={() => remove(mirror)} />
          ))}
        </Box>
      )}
      <CreateMirrorDialog zoneId={zoneId} targets={targets} open={isCreating} onClose={() => setIsCreating(false)} />
    </SectionCard>
  );
}

/** Deletes a mirror immediately; it can be recreated with the same settings. */
function useRemoveMirror() {
  const { t } = useTranslation('mirrors');
  const announce = useAnnounceOutcome();
  const remove = useDeleteMirror();
  const create = useCreateMirror();
  const restore = ({ sourceZoneId: zoneId, sourceFolderId, targetZoneId, targetFolderName, isActive }: Mirror) =>
    announce(create.mutateAsync({ zoneId, sourceFolderId, targetZoneId, targetFolderName, isActive }), {
      onSuccess: () => toast.success(t('restored')),
      failureTitle: t('createFailed'),
    });
  return (mirror: Mirror) =>
    void announce(remove.mutateAsync(mirror.id), {
      onSuccess: () => toast.show({ tone: 'success', title: t('deleted'), undo: () => void restore(mirror) }),
      failureTitle: t('deleteFailed'),
    });
}
