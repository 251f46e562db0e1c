import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import Checkbox from '@mui/material/Checkbox';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import FormControlLabel from '@mui/material/FormControlLabel';
import FormLabel from '@mui/material/FormLabel';
import Radio from '@mui/material/Radio';
import RadioGroup from '@mui/material/RadioGroup';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useId, useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { FileField } from './file-field';
import type { ImportRequest } from './use-import';

export type ImportOptions = Omit<ImportRequest, 'dryRun'>;

interface Props {
  /** The previous choice, after going back. */
  initialOptions: ImportOptions | null;
  isBusy: boolean;
  errorMessage: string;
  onCheck: (options: ImportOptions) => void;
  onClose: () => void;
}

/** Asks for the file and for how to add the people in it. */
export function ImportForm({ initialOptions, isBusy, errorMessage, onCheck, onClose }: Props) {
  const { t } = useTranslation('members');
  const { t: common } = useTranslation();
  const id = useId();
  const [file, setFile] = useState<File | null>(initialOptions?.file ?? null);
  const [mode, setMode] = useState<ImportRequest['mode']>(initialOptions?.mode ?? 'invite');
  const [consentConfirmed, setConsent] = useState(initialOptions?.consentConfirmed ?? false);
  const [shouldNotify, setShouldNotify] = useState(initialOptions?.tell ?? false);
  const [missingField, setMissingField] = useState<'file' | 'consent' | null>(null);
  const check = (event: FormEvent) => {
    event.preventDefault();
    if (!file) return setMissingField('file');
    if (mode === 'add' && !consentConfirmed) return setMissingField('consent');
    setMissingField(null);
    onCheck({ file, mode, consentConfirmed, tell: mode === 'add' && shouldNotify });
  };
  const message = missingField ? t(`import.missing.${missingField}`) : errorMessage;
  return (
    <form onSubmit={check} noValidate>
      <DialogContent>
        <Stack spacing={4}>
          <Typography color="textSecondary">{t('import.text')}</Typography>
          <FileField label={t('import.file')} file={file} onChoose={setFile} />
          <div>
            <FormLabel id={`${id}-mode`}>{t('import.mode')}</FormLabel>
            <RadioGroup
              aria-labelledby={`${id}-mode`}
              value={mode}
              onChange={(event) => setMode(event.target.value as ImportRequest['mode'])}
            >
              <FormControlLabel value="invite" control={<Radio />} label={t('import.invite')} />
              <FormControlLabel value="add" control={<Radio />} label={t('import.add')} />
            </RadioGroup>
          </div>
          {mode === 'add' && (
            <div>
              <FormControlLabel
                control={<Checkbox checked={consentConfirmed} onChange={(_, checked) => setConsent(checked)} />}
                label={t('import.consent')}
              />
              <FormControlLabel
                control={<Checkbox checked={shouldNotify} onChange={(_, checked) => setShouldNotify(checked)} />}
                label={t('import.notify')}
              />
            </div>
          )}
          {message && <Alert severity="error">{message}</Alert>}
        </Stack>
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose} disabled={isBusy}>
          {common('actions.cancel')}
        </Button>
        <Button type="submit" variant="contained" color="primary" loading={isBusy} loadingPosition="start">
          {t('import.check')}
        </Button>
      </DialogActions>
    </form>
  );
}
