import AttachFileRounded from '@mui/icons-material/AttachFileRounded';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useAddUploads } from '../../shared/api/add-uploads';
import { $api } from '../../shared/api/client';
import { DialogForm, FormDialog } from '../../shared/forms/form-dialog';
import { useForm } from '../../shared/forms/use-form';
import { useErrorText } from '../../shared/hooks/use-error-text';
import { useFormat } from '../../shared/hooks/use-format';
import { toast } from '../../shared/toast/toast-store';
import { ErrorState } from '../../shared/ui/error-state';
import { RowsSkeleton } from '../../shared/ui/skeletons';
import { ZoneSelect } from '../../shared/ui/fields/zone-select';
import { NewZoneFields } from '../../shared/zone/new-zone-fields';
import { useCreateFirstZone, useFirstZoneDefaults } from '../../shared/zone/use-create-first-zone';
import { takeSharedFiles } from './take-shared-files';

/** Asks for files and their zone; afterwards the upload tray shows the progress. */
export function UploadDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  return (
    <FormDialog open={open} onClose={onClose}>
      <UploadForm onDone={onClose} />
    </FormDialog>
  );
}

function UploadForm({ onDone }: { onDone: () => void }) {
  const { t } = useTranslation('dashboard');
  const { data: zones, error, refetch } = $api.useQuery('get', '/api/zones');
  const [files, setFiles] = useState<readonly File[]>([]);
  useEffect(() => {
    void takeSharedFiles().then((shared) => shared.length > 0 && setFiles(shared));
  }, []);
  const { form, needsFirstZone } = useUploadForm(zones, files, onDone);
  const maxFileBytes = (zones?.find(({ id }) => String(id) === form.values.zone) ?? zones?.[0])?.maxFileBytes ?? null;
  return (
    <DialogForm
      title={t('upload.title')}
      form={form}
      submitLabel={t(needsFirstZone ? 'upload.createAndSubmit' : 'upload.submit')}
    >
      <FilePicker files={files} maxFileBytes={maxFileBytes} onChange={setFiles} />
      {error && !zones && <ErrorState title={t('errors.zones')} error={error} onRetry={refetch} />}
      {!zones && !error && <RowsSkeleton rows={1} />}
      {needsFirstZone && (
        <NewZoneFields
          name={form.field('name')}
          type={form.values.type}
          onTypeChange={(type) => form.set('type', type)}
        />
      )}
      {zones && !needsFirstZone && (
        <ZoneSelect
          id={form.field('zone').id}
          name="zoneId"
          label={t('upload.zone')}
          help={t('upload.zoneHelp')}
          emptyLabel={t('upload.zoneNone')}
          zones={zones}
          value={form.values.zone}
          onChange={(zone) => form.set('zone', zone)}
        />
      )}
    </DialogForm>
  );
}

/** Creates a zone first if the user has none. */
function useUploadForm(zones: readonly { id: number }[] | undefined, files: readonly File[], onDone: () => void) {
  const { t } = useTranslation('dashboard');
  const { t: tNewZone } = useTranslation('newZone');
  const errorText = useErrorText();
  const addUploads = useAddUploads();
  const createFirstZone = useCreateFirstZone();
  const form = useForm({
    draft: { key: 'upload', fields: ['zone', 'name', 'type'] },
    initial: { zone: '', ...useFirstZoneDefaults() },
    validate: ({ name }) =>
      needsFirstZone && files.length > 0 && !name.trim() ? { name: tNewZone('nameRequired') } : {},
    submit: async ({ zone, name, type }) => {
      if (files.length === 0) return toast.error(t('upload.noFiles'), t('upload.noFilesText'));
      if (!needsFirstZone && !zone) return toast.error(t('upload.noZone'), t('upload.noZoneText'));
      addUploads(needsFirstZone ? (await createFirstZone({ name, type })).id : Number(zone), files);
      onDone();
    },
    onFailure: (failure) => toast.error(tNewZone('failed'), errorText(failure)),
  });
  const needsFirstZone: boolean = zones?.length === 0 && !form.values.zone;
  return { form, needsFirstZone };
}

interface FilePickerProps {
  files: readonly File[];
  /** Maximum size of a file in bytes, if known. */
  maxFileBytes: number | null;
  onChange: (files: readonly File[]) => void;
}

function FilePicker({ files, maxFileBytes, onChange }: FilePickerProps) {
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
        onChange={({ target }) => onChange([...(target.files ?? [])])}
      />
      <Typography variant="body2" color="textSecondary" role="status">
        {files.length === 0
          ? maxFileBytes !== null && t('upload.limits', { size: format.sizeLimit(maxFileBytes) })
          : t('upload.chosen', {
              count: files.length,
              formatted: format.number(files.length),
              size: format.size(bytes),
            })}
      </Typography>
      {files.length > 0 && (
        <Typography variant="body2" color="textSecondary" noWrap sx={{ maxWidth: '100%' }}>
          {files.map(({ name }) => name).join(', ')}
        </Typography>
      )}
    </Box>
  );
}
