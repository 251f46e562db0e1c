import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useEffect, useId, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../shared/hooks/use-format';
import { useEmailDelivery } from '../../../shared/site/email-delivery';
import { Badge } from '../../../shared/ui/badge';
import { ResultRows } from './result-rows';
import type { ImportResult } from './use-import';

interface Props {
  result: ImportResult;
  busy: boolean;
  failure: string;
  onBack: () => void;
  onImport: () => void;
  onClose: () => void;
}

/** What would become, or became, of each row. */
export function ImportReport({ result, busy, failure, onBack, onImport, onClose }: Props) {
  const { t } = useTranslation('members');
  const { t: common } = useTranslation();
  const format = useFormat();
  const { dryRun, mode, succeeded, total, planLimit } = result;
  const isKept = useEmailDelivery() === 'none' && !dryRun && mode === 'invite' && succeeded > 0;
  const close = useRef<HTMLButtonElement>(null);
  // The button that had the focus is gone then, and with it would be the keyboard.
  useEffect(() => {
    if (!dryRun) close.current?.focus();
  }, [dryRun]);
  const figures = { count: succeeded, formatted: format.number(succeeded), total: format.number(total) };
  return (
    <>
      <DialogContent>
        <Stack spacing={4}>
          <Typography role="status">{t(`import.${dryRun ? 'would' : 'did'}.${mode}`, figures)}</Typography>
          {isKept && <Alert severity="warning">{t('import.kept')}</Alert>}
          {planLimit && (
            <Alert severity="warning">
              {t('import.planLimit', {
                used: format.number(planLimit.used),
                allowed: format.number(planLimit.allowed),
              })}
            </Alert>
          )}
          <Counts counts={result.counts} />
          <ResultRows rows={result.results} />
          {result.mail && <MailPreview mail={result.mail} />}
          {failure && <Alert severity="error">{failure}</Alert>}
        </Stack>
      </DialogContent>
      <DialogActions>
        {dryRun ? (
          <>
            <Button onClick={onBack} disabled={busy}>
              {t('import.back')}
            </Button>
            <Button
              variant="contained"
              color="primary"
              disabled={succeeded === 0}
              loading={busy}
              loadingPosition="start"
              onClick={onImport}
            >
              {t(`import.do.${mode}`, figures)}
            </Button>
          </>
        ) : (
          <Button ref={close} variant="contained" color="primary" onClick={onClose}>
            {common('actions.close')}
          </Button>
        )}
      </DialogActions>
    </>
  );
}

/** What those who are added would read, before anything is sent. */
function MailPreview({ mail }: { mail: NonNullable<ImportResult['mail']> }) {
  const { t } = useTranslation('members');
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <Typography id={id} component="h3" variant="subtitle2">
        {t('import.mail')}
      </Typography>
      <Box sx={{ border: 1, borderColor: 'divider', borderRadius: 1, p: 3, mt: 2, overflowWrap: 'anywhere' }}>
        <Typography sx={{ fontWeight: 600 }}>{mail.subject}</Typography>
        <Typography variant="body2" color="textSecondary" sx={{ whiteSpace: 'pre-wrap', mt: 2 }}>
          {mail.text}
        </Typography>
      </Box>
    </section>
  );
}

const successes: ReadonlySet<string> = new Set(['ADDED', 'INVITED']);

function Counts({ counts }: { counts: ImportResult['counts'] }) {
  const { t } = useTranslation('members');
  const format = useFormat();
  const names = Object.keys(counts) as (keyof typeof texts)[];
  const texts = t('import.counts', { returnObjects: true });
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 2 }}>
      {names.map((name) => (
        <Badge key={name} tone={successes.has(name) ? 'success' : 'neutral'}>
          {texts[name]}: {format.number(counts[name] ?? 0)}
        </Badge>
      ))}
    </Box>
  );
}
