import Button from '@mui/material/Button';
import CircularProgress from '@mui/material/CircularProgress';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { $api, type Schema } from '../api/client';
import type { CurrentUser } from '../api/current-user';
import { ErrorState } from '../ui/error-state';
import { reauthentication, useIsReauthenticationRequested } from './reauthentication';
import { methodForms } from './reauthentication-methods';

type ReauthenticationMethod = Schema<'ConfirmationWaysDto'>['ways'][number];

/** Asks the user to confirm their identity before a sensitive action. Mounted once in the layout; opens on request. */
export function ReauthenticationDialog({ user }: { user: CurrentUser }) {
  const titleId = useId();
  const isOpen = useIsReauthenticationRequested();
  return (
    <Dialog
      open={isOpen}
      onClose={() => reauthentication.finish(false)}
      aria-labelledby={titleId}
      maxWidth="xs"
      fullWidth
    >
      {isOpen && <ReauthenticationContent titleId={titleId} user={user} />}
    </Dialog>
  );
}

function ReauthenticationContent({ titleId, user }: { titleId: string; user: CurrentUser }) {
  const { t } = useTranslation('verification');
  const { t: tCommon } = useTranslation();
  const { data, error, refetch } = $api.useQuery('get', '/api/user/confirm', {}, { staleTime: 0, gcTime: 0 });
  const [selectedMethod, setSelectedMethod] = useState<ReauthenticationMethod | null>(null);
  const method = selectedMethod ?? data?.ways[0];
  const MethodForm = method && methodForms[method];
  return (
    <>
      <DialogTitle id={titleId}>{t('confirm.title')}</DialogTitle>
      {MethodForm ? (
        <MethodForm
          user={user}
          onConfirmed={() => reauthentication.finish(true)}
          onCancel={() => reauthentication.finish(false)}
        >
          {data?.ways
            .filter((other) => other !== method)
            .map((other) => (
              <Button key={other} variant="text" onClick={() => setSelectedMethod(other)}>
                {t(`confirm.use.${other}`)}
              </Button>
            ))}
        </MethodForm>
      ) : (
        <>
          <DialogContent>
            <Stack spacing={4} sx={{ alignItems: 'center' }}>
              {error ? (
                <ErrorState error={error} onRetry={() => void refetch()} />
              ) : (
                <>
                  <CircularProgress size={24} aria-label={tCommon('loading')} />
                  <Typography color="textSecondary">{t('confirm.text')}</Typography>
                </>
              )}
            </Stack>
          </DialogContent>
          <DialogActions>
            <Button onClick={() => reauthentication.finish(false)}>{tCommon('actions.cancel')}</Button>
          </DialogActions>
        </>
      )}
    </>
  );
}
