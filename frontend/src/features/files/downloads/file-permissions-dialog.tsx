import Checkbox from '@mui/material/Checkbox';
import FormControlLabel from '@mui/material/FormControlLabel';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { getReadMode } from '../../../shared/files/preview-kind';
import { DialogForm, FormDialog } from '../../../shared/forms/form-dialog';
import { useForm } from '../../../shared/forms/use-form';
import { useErrorText } from '../../../shared/hooks/use-error-text';
import { toast } from '../../../shared/toast/toast-store';
import type { StoredFile } from '../entries';
import { useUpdatePermissions } from './use-update-permissions';

interface Props {
  file: StoredFile | null;
  onClose: () => void;
}

/** Edits what members can do with a file, and explains what each restriction does and doesn't prevent. */
export function FilePermissionsDialog({ file, onClose }: Props) {
  return (
    <FormDialog open={file !== null} onClose={onClose}>
      {file && <FilePermissionsForm file={file} onClose={onClose} />}
    </FormDialog>
  );
}

function FilePermissionsForm({ file, onClose }: { file: StoredFile; onClose: () => void }) {
  const { t } = useTranslation('files');
  const errorText = useErrorText();
  const updatePermissions = useUpdatePermissions(file);
  const form = useForm({
    initial: { allowDownload: file.allowDownload, allowText: file.allowText },
    submit: async (values) => {
      await updatePermissions.mutateAsync(values);
      onClose();
    },
    onFailure: (error) => toast.error(t('downloading.changeFailed'), errorText(error)),
  });
  const { allowDownload, allowText } = form.values;
  const readMode = getReadMode(file);
  // Password-protected documents can be read page by page with the password.
  const failure = readMode === 'pages' && file.document?.failure !== 'locked' ? (file.document?.failure ?? null) : null;
  const downloadOffText = failure === null ? t(`rights.downloadOff.${readMode}`) : t(`notDrawn.${failure}`);
  return (
    <DialogForm title={t('rights.title')} form={form} submitLabel={t('rights.save')} disabled={!form.hasChanges}>
      <Typography sx={{ overflowWrap: 'anywhere' }}>{file.originalName}</Typography>
      <Stack spacing={3}>
        <PermissionCheckbox
          title={t('rights.download')}
          text={allowDownload ? t('rights.downloadOn') : downloadOffText}
          checked={allowDownload}
          onChange={(checked) => form.set('allowDownload', checked)}
        />
        {!allowDownload && readMode === 'pages' && (
          <PermissionCheckbox
            title={t('rights.text')}
            text={t(allowText ? 'rights.textOn' : 'rights.textOff')}
            checked={allowText}
            onChange={(checked) => form.set('allowText', checked)}
          />
        )}
      </Stack>
      {!allowDownload && readMode !== 'none' && (
        <Typography variant="body2" color="textSecondary">
          {t('rights.limits')}
        </Typography>
      )}
    </DialogForm>
  );
}

interface PermissionCheckboxProps {
  title: string;
  /** Explains the current state. */
  text: string;
  checked: boolean;
  onChange: (checked: boolean) => void;
}

function PermissionCheckbox({ title, text, checked, onChange }: PermissionCheckboxProps) {
  return (
    <FormControlLabel
      control={<Checkbox checked={checked} onChange={(event) => onChange(event.target.checked)} />}
      label={
        <Stack sx={{ pt: 1.5 }}>
          <Typography variant="subtitle2">{title}</Typography>
          <Typography variant="body2" color="textSecondary">
            {text}
          </Typography>
        </Stack>
      }
      sx={{ display: 'flex', mr: 0, alignItems: 'flex-start' }}
    />
  );
}
