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
import { confirmation, useConfirmationAsked } from './confirmation';
import { wayForms } from './confirmation-ways';

type Way = Schema<'ConfirmationWaysDto'>['ways'][number];

/** Asks who it is before something dangerous goes on; stands once in the frame and opens by itself. */
export function ConfirmationDialog({ user }: { user: CurrentUser }) {
  const id = useId();
  const asked = useConfirmationAsked();
  return (
    <Dialog open={asked} onClose={() => confirmation.settle(false)} aria-labelledby={id} maxWidth="xs" fullWidth>
      {asked && <Content id={id} user={user} />}
    </Dialog>
  );
}

function Content({ id, user }: { id: string; user: CurrentUser }) {
  const { t } = useTranslation('identity');
  const { t: common } = useTranslation();
  const { data, error, refetch } = $api.useQuery('get', '/api/user/confirm', {}, { staleTime: 0, gcTime: 0 });
  const [chosen, choose] = useState<Way | null>(null);
  const way = chosen ?? data?.ways[0];
  const Form = way && wayForms[way];
  return (
    <>
      <DialogTitle id={id}>{t('confirm.title')}</DialogTitle>
      {Form ? (
        <Form user={user} onConfirmed={() => confirmation.settle(true)} onCancel={() => confirmation.settle(false)}>
          {data?.ways
            .filter((other) => other !== way)
            .map((other) => (
              <Button key={other} variant="text" onClick={() => choose(other)}>
                {t(`confirm.use.${other}`)}
              </Button>
            ))}
        </Form>
      ) : (
        <>
          <DialogContent>
            <Stack spacing={4} sx={{ alignItems: 'center' }}>
              {error ? (
                <ErrorState error={error} onRetry={() => void refetch()} />
              ) : (
                <>
                  <CircularProgress size={24} aria-label={common('loading')} />
                  <Typography color="textSecondary">{t('confirm.text')}</Typography>
                </>
              )}
            </Stack>
          </DialogContent>
          <DialogActions>
            <Button onClick={() => confirmation.settle(false)}>{common('actions.cancel')}</Button>
          </DialogActions>
        </>
      )}
    </>
  );
}
