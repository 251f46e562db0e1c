import Dialog from '@mui/material/Dialog';
import DialogTitle from '@mui/material/DialogTitle';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schema } from '../../../shared/api/client';
import { useErrorText } from '../../../shared/hooks/use-error-text';
import { ImportForm, type ImportChoice } from './import-form';
import { ImportReport } from './import-report';
import { useImport, type ImportResult } from './use-import';

interface Props {
  zone: Schema<'ZoneDto'>;
  open: boolean;
  onClose: () => void;
}

/** Brings the people of a file into a zone: choose, see what would happen, do it, see what happened. */
export function ImportDialog({ zone, open, onClose }: Props) {
  const id = useId();
  const [busy, setBusy] = useState(false);
  return (
    <Dialog open={open} onClose={busy ? undefined : onClose} aria-labelledby={`${id}-title`} fullWidth maxWidth="md">
      {open && <ImportSteps titleId={`${id}-title`} zone={zone} onBusy={setBusy} onClose={onClose} />}
    </Dialog>
  );
}

interface StepsProps extends Omit<Props, 'open'> {
  titleId: string;
  onBusy: (busy: boolean) => void;
}

function ImportSteps({ titleId, zone, onBusy, onClose }: StepsProps) {
  const { t } = useTranslation('members');
  const errorText = useErrorText();
  const { mutate, isPending } = useImport(zone.id);
  const [choice, setChoice] = useState<ImportChoice | null>(null);
  const [result, setResult] = useState<ImportResult | null>(null);
  const [failure, setFailure] = useState('');
  const send = (choice: ImportChoice, dryRun: boolean) => {
    setChoice(choice);
    setFailure('');
    onBusy(true);
    mutate(
      { ...choice, dryRun },
      {
        onSuccess: setResult,
        onError: (error) => setFailure(sentencesOf(error) || errorText(error)),
        onSettled: () => onBusy(false),
      },
    );
  };
  return (
    <>
      <DialogTitle id={titleId}>{t('import.title', { zone: zone.name })}</DialogTitle>
      {result && choice ? (
        <ImportReport
          result={result}
          busy={isPending}
          failure={failure}
          onBack={() => setResult(null)}
          onImport={() => send(choice, false)}
          onClose={onClose}
        />
      ) : (
        <ImportForm
          before={choice}
          busy={isPending}
          failure={failure}
          onCheck={(choice) => send(choice, true)}
          onClose={onClose}
        />
      )}
    </>
  );
}

/** What the server says of single fields: they have no place of their own here. */
function sentencesOf(error: unknown): string {
  const errors = (error as { errors?: Record<string, string[]> }).errors ?? {};
  return Object.values(errors).flat().join(' ');
}
