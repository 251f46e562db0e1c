import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import MuiLink from '@mui/material/Link';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError, hasCode } from '../../../shared/api/api-error';
import { api } from '../../../shared/api/client';
import { inZone } from '../../../shared/api/use-zone';
import { useErrorText } from '../../../shared/hooks/use-error-text';
import { useForm } from '../../../shared/hooks/use-form';
import { toast } from '../../../shared/toast/toast-store';
import { FormField } from '../../../shared/ui/form-field';
import type { SharedZone } from '../sort-shared-zones';

const reasonLength = 500;
/** What shows the zones that the person is in. */
const touched = ['/api/shared-zones', '/api/zones/{id}', '/api/search'] as const;

interface Props {
  /** null closes the dialog. */
  zone: SharedZone | null;
  onClose: () => void;
}

/** Asks why, if the person likes, and leaves the zone and its emails. */
export function LeaveZoneDialog({ zone, onClose }: Props) {
  const id = useId();
  return (
    <Dialog open={zone !== null} onClose={onClose} aria-labelledby={`${id}-title`} fullWidth>
      {zone && <LeaveForm id={id} zone={zone} onClose={onClose} />}
    </Dialog>
  );
}

function LeaveForm({ id, zone, onClose }: { id: string; zone: SharedZone; onClose: () => void }) {
  const { t } = useTranslation('sharedZones');
  const { t: common } = useTranslation();
  const errorText = useErrorText();
  const queries = useQueryClient();
  const [limit, setLimit] = useState<ApiError | null>(null);
  const form = useForm({
    initial: { reason: '' },
    submit: async ({ reason }) => {
      const body = reason.trim() === '' ? {} : { reason: reason.trim() };
      await api.POST('/api/zones/{id}/leave', { params: { path: inZone(zone.id) }, body });
      await Promise.all(touched.map((path) => queries.invalidateQueries({ queryKey: ['get', path] })));
      toast.success(t('leave.done'), t('leave.doneText', { name: zone.name }));
      onClose();
    },
    onFailure: (error) => {
      if (hasCode(error, 'LEAVE_LIMIT')) setLimit(error);
      else toast.error(t('leave.failed'), errorText(error) || t('leave.failedText'));
    },
  });
  return (
    <form {...form.formProps}>
      <DialogTitle id={`${id}-title`}>{t('leave.title', { name: zone.name })}</DialogTitle>
      <DialogContent>
        <Stack spacing={4}>
          <Typography color="textSecondary">
            {zone.isPrivate ? t('leave.textPrivate') : t('leave.textPublic')}
          </Typography>
          {limit && (
            <Alert severity="warning">
              <Linked text={limit.message} />
            </Alert>
          )}
          <FormField
            {...form.field('reason')}
            label={t('leave.reason')}
            help={t('leave.reasonHelp')}
            optional
            rows={3}
            maxLength={reasonLength}
          />
        </Stack>
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose} disabled={form.sending}>
          {common('actions.cancel')}
        </Button>
        <Button
          type="submit"
          variant="contained"
          color="error"
          disabled={limit !== null}
          loading={form.sending}
          loadingPosition="start"
        >
          {t('leave.action')}
        </Button>
      </DialogActions>
    </form>
  );
}

/** A sentence whose address can be followed. */
function Linked({ text }: { text: string }) {
  const { t } = useTranslation('sharedZones');
  const address = /https?:\/\/\S+/.exec(text)?.[0];
  if (!address) return text;
  const path = new URL(address).pathname;
  return (
    <>
      {text.replace(address, '').trim()} <MuiLink href={path}>{t('leave.unsubscribe')}</MuiLink>
    </>
  );
}
