import Checkbox from '@mui/material/Checkbox';
import FormControlLabel from '@mui/material/FormControlLabel';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { readApart } from '../../../shared/files/preview-kind';
import { DialogForm, FormDialog } from '../../../shared/forms/form-dialog';
import { useForm } from '../../../shared/forms/use-form';
import { useErrorText } from '../../../shared/hooks/use-error-text';
import { toast } from '../../../shared/toast/toast-store';
import type { StoredFile } from '../entries';
import { useRights } from './use-rights';

interface Props {
  file: StoredFile | null;
  onClose: () => void;
}

/** Asks what members may do with a file, and says what that prevents and what it does not. */
export function RightsDialog({ file, onClose }: Props) {
  return (
    <FormDialog open={file !== null} onClose={onClose}>
      {file && <RightsForm file={file} onClose={onClose} />}
    </FormDialog>
  );
}

function RightsForm({ file, onClose }: { file: StoredFile; onClose: () => void }) {
  const { t } = useTranslation('files');
  const errorText = useErrorText();
  const change = useRights(file);
  const form = useForm({
    initial: { allowDownload: file.allowDownload, allowText: file.allowText },
    submit: async (values) => {
      await change.mutateAsync(values);
      onClose();
    },
    onFailure: (error) => toast.error(t('downloading.changeFailed'), errorText(error)),
  });
  const { allowDownload, allowText } = form.values;
  const way = readApart(file);
  // Who is only asked for a password reads its pages with it.
  const failure = way === 'pages' && file.document?.failure !== 'locked' ? (file.document?.failure ?? null) : null;
  const off = failure === null ? t(`rights.downloadOff.${way}`) : t(`notDrawn.${failure}`);
  return (
    <DialogForm title={t('rights.title')} form={form} submit={t('rights.save')} disabled={!form.changed}>
      <Typography sx={{ overflowWrap: 'anywhere' }}>{file.originalName}</Typography>
      <Stack spacing={3}>
        <Right
          title={t('rights.download')}
          text={allowDownload ? t('rights.downloadOn') : off}
          on={allowDownload}
          onChange={(on) => form.set('allowDownload', on)}
        />
        {!allowDownload && way === 'pages' && (
          <Right
            title={t('rights.text')}
            text={t(allowText ? 'rights.textOn' : 'rights.textOff')}
            on={allowText}
            onChange={(on) => form.set('allowText', on)}
          />
        )}
      </Stack>
      {!allowDownload && way !== 'none' && (
        <Typography variant="body2" color="textSecondary">
          {t('rights.limits')}
        </Typography>
      )}
    </DialogForm>
  );
}

interface RightProps {
  title: string;
  /** What the present state means. */
  text: string;
  on: boolean;
  onChange: (on: boolean) => void;
}

function Right({ title, text, on, onChange }: RightProps) {
  return (
    <FormControlLabel
      control={<Checkbox checked={on} onChange={(event) => onChange(event.target.checked)} />}
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
