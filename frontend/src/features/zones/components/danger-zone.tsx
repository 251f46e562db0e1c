import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { hasCode } from '../../../shared/api/api-error';
import { useErrorText } from '../../../shared/hooks/use-error-text';
import { toast } from '../../../shared/toast/toast-store';
import { ConfirmDialog } from '../../../shared/ui/confirm-dialog';
import { useDeleteZone } from '../api/use-zone-mutations';
import type { Zone } from '../sort-zones';
import { SectionCard } from '../../../shared/ui/section-card';
import { useZoneCounts } from './use-zone-counts';

/** Permanently deletes a zone, after its name has been typed as confirmation. */
export function DangerZone({ zone }: { zone: Zone }) {
  const { t } = useTranslation('zones');
  const [open, setOpen] = useState(false);
  const [warning, setWarning] = useState<string | null>(null);
  const navigate = useNavigate();
  const errorText = useErrorText();
  const deleteZone = useDeleteZone(zone.id);
  const counts = useZoneCounts(zone);
  const confirm = () =>
    deleteZone.mutate(warning !== null, {
      onSuccess: () => {
        toast.success(t('delete.done', { name: zone.name }));
        void navigate('/zones', { replace: true });
      },
      onError: (error) => {
        if (hasCode(error, 'ZONE_IN_USE')) setWarning(error.message);
        else toast.error(t('delete.failed'), errorText(error));
      },
    });
  const close = () => {
    setOpen(false);
    setWarning(null);
  };
  return (
    <SectionCard
      title={t('delete.section')}
      text={t('delete.sectionText')}
      action={
        <Button color="error" onClick={() => setOpen(true)}>
          {t('delete.action')}
        </Button>
      }
    >
      <ConfirmDialog
        open={open}
        title={t('delete.title', { name: zone.name })}
        confirmLabel={t(warning === null ? 'delete.action' : 'delete.anyway')}
        typeToConfirm={zone.name}
        isPending={deleteZone.isPending}
        onConfirm={confirm}
        onClose={close}
      >
        {warning !== null && (
          <Alert severity="warning" role="alert" sx={{ mb: 3 }}>
            {warning}
          </Alert>
        )}
        {t('delete.text')}
        <Box component="ul" sx={{ mt: 2, mb: 0, pl: 5 }}>
          {[...counts, t('delete.link'), t('delete.people'), t('delete.campaigns'), t('delete.purchases')].map(
            (item) => (
              <li key={item}>{item}</li>
            ),
          )}
        </Box>
        <Box component="p" sx={{ mt: 3, mb: 0 }}>
          {t('delete.stays')}
        </Box>
      </ConfirmDialog>
    </SectionCard>
  );
}
