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
import { ImportResultRows } from './import-result-rows';
import type { ImportResult } from './use-import';

interface Props {
  result: ImportResult;
  isBusy: boolean;
  errorMessage: string;
  onBack: () => void;
  onImport: () => void;
  onClose: () => void;
}

/** The result of each row, or its preview. */
export function ImportReport({ result, isBusy, errorMessage, onBack, onImport, onClose }: Props) {
  const { t } = useTranslation('members');
  const { t: common } = useTranslation();
  const format = useFormat();
  const { dryRun, mode, succeeded, total, planLimit } = result;
  const areInvitationsUnsent = useEmailDelivery() === 'none' && !dryRun && mode === 'invite' && succeeded > 0;
  const closeButtonRef = useRef<HTMLButtonElement>(null);
  // The import removes the focused button, so the focus moves to Close.
  useEffect(() => {
    if (!dryRun) closeButtonRef.current?.focus();
  }, [dryRun]);
  const countOptions = { count: succeeded, formatted: format.number(succeeded), total: format.number(total) };
  return (
    <>
      <DialogContent>
        <Stack spacing={4}>
          <Typography role="status">{t(`import.${dryRun ? 'would' : 'did'}.${mode}`, countOptions)}</Typography>
          {areInvitationsUnsent && <Alert severity="warning">{t('import.onHold')}</Alert>}
          {planLimit && (
            <Alert severity="warning">
              {t('import.planLimit', {
                used: format.number(planLimit.used),
                allowed: format.number(planLimit.allowed),
              })}
            </Alert>
          )}
          <ResultCounts counts={result.counts} />
          <ImportResultRows rows={result.results} />
          {result.mail && <NotificationPreview notification={result.mail} />}
          {errorMessage && <Alert severity="error">{errorMessage}</Alert>}
        </Stack>
      </DialogContent>
      <DialogActions>
        {dryRun ? (
          <>
            <Button onClick={onBack} disabled={isBusy}>
              {t('import.back')}
            </Button>
            <Button
              variant="contained"
              color="primary"
              disabled={succeeded === 0}
              loading={isBusy}
              loadingPosition="start"
              onClick={onImport}
            >
              {t(`import.do.${mode}`, countOptions)}
            </Button>
          </>
        ) : (
          <Button ref={closeButtonRef} variant="contained" color="primary" onClick={onClose}>
            {common('actions.close')}
          </Button>
        )}
      </DialogActions>
    </>
  );
}

/** Preview of the email that tells people they were added. */
function NotificationPreview({ notification }: { notification: NonNullable<ImportResult['mail']> }) {
  const { t } = useTranslation('members');
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <Typography id={id} component="h3" variant="subtitle2">
        {t('import.notificationPreview')}
      </Typography>
      <Box sx={{ border: 1, borderColor: 'divider', borderRadius: 1, p: 3, mt: 2, overflowWrap: 'anywhere' }}>
        <Typography sx={{ fontWeight: 600 }}>{notification.subject}</Typography>
        <Typography variant="body2" color="textSecondary" sx={{ whiteSpace: 'pre-wrap', mt: 2 }}>
          {notification.text}
        </Typography>
      </Box>
    </section>
  );
}

const successStatuses: ReadonlySet<string> = new Set(['ADDED', 'INVITED']);

function ResultCounts({ counts }: { counts: ImportResult['counts'] }) {
  const { t } = useTranslation('members');
  const format = useFormat();
  const statuses = Object.keys(counts) as (keyof typeof labels)[];
  const labels = t('import.counts', { returnObjects: true });
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 2 }}>
      {statuses.map((status) => (
        <Badge key={status} tone={successStatuses.has(status) ? 'success' : 'neutral'}>
          {labels[status]}: {format.number(counts[status] ?? 0)}
        </Badge>
      ))}
    </Box>
  );
}
