import Dialog from '@mui/material/Dialog';
import DialogTitle from '@mui/material/DialogTitle';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schema } from '../../../shared/api/client';
import { useErrorText } from '../../../shared/hooks/use-error-text';
import { ImportForm, type ImportOptions } from './import-form';
import { ImportReport } from './import-report';
import { useImport, type ImportResult } from './use-import';

interface Props {
  zone: Schema<'ZoneDto'>;
  open: boolean;
  onClose: () => void;
}

/** Imports the people of a file into a zone: choose the file, preview the result, import, see the result. */
export function ImportDialog({ zone, open, onClose }: Props) {
  const id = useId();
  const [isBusy, setIsBusy] = useState(false);
  return (
    <Dialog open={open} onClose={isBusy ? undefined : onClose} aria-labelledby={`${id}-title`} fullWidth maxWidth="md">
      {open && <ImportSteps titleId={`${id}-title`} zone={zone} onBusyChange={setIsBusy} onClose={onClose} />}
    </Dialog>
  );
}

interface ImportStepsProps extends Omit<Props, 'open'> {
  titleId: string;
  onBusyChange: (isBusy: boolean) => void;
}

function ImportSteps({ titleId, zone, onBusyChange, onClose }: ImportStepsProps) {
  const { t } = useTranslation('members');
  const errorText = useErrorText();
  const { mutate, isPending } = useImport(zone.id);
  const [options, setOptions] = useState<ImportOptions | null>(null);
  const [result, setResult] = useState<ImportResult | null>(null);
  const [errorMessage, setErrorMessage] = useState('');
  const runImport = (newOptions: ImportOptions, dryRun: boolean) => {
    setOptions(newOptions);
    setErrorMessage('');
    onBusyChange(true);
    mutate(
      { ...newOptions, dryRun },
      {
        onSuccess: setResult,
        onError: (error) => setErrorMessage(fieldErrorsText(error) || errorText(error)),
        onSettled: () => onBusyChange(false),
      },
    );
  };
  return (
    <>
      <DialogTitle id={titleId}>{t('import.title', { zone: zone.name })}</DialogTitle>
      {result && options ? (
        <ImportReport
          result={result}
          isBusy={isPending}
          errorMessage={errorMessage}
          onBack={() => setResult(null)}
          onImport={() => runImport(options, false)}
          onClose={onClose}
        />
      ) : (
        <ImportForm
          initialOptions={options}
          isBusy={isPending}
          errorMessage={errorMessage}
          onCheck={(options) => runImport(options, true)}
          onClose={onClose}
        />
      )}
    </>
  );
}

/** Returns the server's field errors as text, because there are no fields to show them at. */
function fieldErrorsText(error: unknown): string {
  const errors = (error as { errors?: Record<string, string[]> }).errors ?? {};
  return Object.values(errors).flat().join(' ');
}
