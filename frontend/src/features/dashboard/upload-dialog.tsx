import AttachFileRounded from '@mui/icons-material/AttachFileRounded';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useAddUploads } from '../../shared/api/add-uploads';
import { $api } from '../../shared/api/client';
import { useFormat } from '../../shared/hooks/use-format';
import { toast } from '../../shared/toast/toast-store';
import { ErrorState } from '../../shared/ui/error-state';
import { RowsSkeleton } from '../../shared/ui/skeletons';
import { ZoneSelect } from '../../shared/ui/fields/zone-select';

/** Asks for files and the zone to which they go; from there on the upload tray tells how they fare. */
export function UploadDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const id = useId();
  return (
    <Dialog open={open} onClose={onClose} aria-labelledby={id} maxWidth="sm">
      {open && <UploadForm titleId={id} onClose={onClose} />}
    </Dialog>
  );
}

function UploadForm({ titleId, onClose }: { titleId: string; onClose: () => void }) {
  const { t } = useTranslation('dashboard');
  const { t: common } = useTranslation();
  const id = useId();
  const { data: zones, error, refetch } = $api.useQuery('get', '/api/zones');
  const [files, setFiles] = useState<readonly File[]>([]);
  const [zoneId, setZoneId] = useState('');
  const addUploads = useAddUploads();
  const upload = () => {
    if (files.length === 0) return toast.error(t('upload.noFiles'), t('upload.noFilesText'));
    if (!zoneId) return toast.error(t('upload.noZone'), t('upload.noZoneText'));
    addUploads(Number(zoneId), files);
    onClose();
  };
  return (
    <>
      <DialogTitle id={titleId}>{t('upload.title')}</DialogTitle>
      <DialogContent>
        <Stack spacing={5}>
          <ChosenFiles files={files} onChoose={setFiles} />
          {error && !zones && <ErrorState title={t('errors.zones')} error={error} onRetry={refetch} />}
          {!zones && !error && <RowsSkeleton rows={1} />}
          {zones && (
            <ZoneSelect
              id={`${id}-zone`}
              name="zoneId"
              label={t('upload.zone')}
              help={zones.length === 0 ? t('upload.noZones') : t('upload.zoneHelp')}
              none={t('upload.zoneNone')}
              zones={zones}
              value={zoneId}
              onChange={setZoneId}
            />
          )}
        </Stack>
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose}>{common('actions.cancel')}</Button>
        <Button variant="contained" color="primary" onClick={upload}>
          {t('upload.submit')}
        </Button>
      </DialogActions>
    </>
  );
}

function ChosenFiles({ files, onChoose }: { files: readonly File[]; onChoose: (files: readonly File[]) => void }) {
  const { t } = useTranslation('dashboard');
  const format = useFormat();
  const input = useRef<HTMLInputElement>(null);
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  return (
    <Box sx={{ display: 'grid', justifyItems: 'start', gap: 2 }}>
      <Button startIcon={<AttachFileRounded />} onClick={() => input.current?.click()}>
        {t('upload.choose')}
      </Button>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label={t('upload.choose')}
        onChange={({ target }) => onChoose([...(target.files ?? [])])}
      />
      <Typography variant="body2" color="textSecondary" role="status">
        {files.length === 0
          ? t('upload.limits')
          : t('upload.chosen', {
              count: files.length,
              formatted: format.number(files.length),
              size: format.size(bytes),
            })}
      </Typography>
    </Box>
  );
}
