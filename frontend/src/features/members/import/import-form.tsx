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

export type ImportChoice = Omit<ImportRequest, 'dryRun'>;

interface Props {
  /** What was chosen before, when somebody came back. */
  before: ImportChoice | null;
  busy: boolean;
  failure: string;
  onCheck: (choice: ImportChoice) => void;
  onClose: () => void;
}

/** Which file, and what is to become of the people in it. */
export function ImportForm({ before, busy, failure, onCheck, onClose }: Props) {
  const { t } = useTranslation('members');
  const { t: common } = useTranslation();
  const id = useId();
  const [file, setFile] = useState<File | null>(before?.file ?? null);
  const [mode, setMode] = useState<ImportRequest['mode']>(before?.mode ?? 'invite');
  const [consentConfirmed, setConsent] = useState(before?.consentConfirmed ?? false);
  const [tell, setTell] = useState(before?.tell ?? false);
  const [missing, setMissing] = useState<'file' | 'consent' | null>(null);
  const check = (event: FormEvent) => {
    event.preventDefault();
    if (!file) return setMissing('file');
    if (mode === 'add' && !consentConfirmed) return setMissing('consent');
    setMissing(null);
    onCheck({ file, mode, consentConfirmed, tell: mode === 'add' && tell });
  };
  const trouble = missing ? t(`import.missing.${missing}`) : failure;
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
                control={<Checkbox checked={tell} onChange={(_, checked) => setTell(checked)} />}
                label={t('import.tell')}
              />
            </div>
          )}
          {trouble && <Alert severity="error">{trouble}</Alert>}
        </Stack>
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose} disabled={busy}>
          {common('actions.cancel')}
        </Button>
        <Button type="submit" variant="contained" color="primary" loading={busy} loadingPosition="start">
          {t('import.check')}
        </Button>
      </DialogActions>
    </form>
  );
}
