import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { $api, api } from '../../api/client';
import { currentUserKey } from '../../api/current-user';
import { useUnsavedChanges } from '../../forms/unsaved-changes';
import { useForm } from '../../forms/use-form';
import { useErrorText } from '../../hooks/use-error-text';
import { refetchSite } from '../../site/use-site';
import { toast } from '../../toast/toast-store';
import { SubmitButton } from '../../ui/submit-button';
import { MailServerFields } from './mail-server-fields';
import {
  toMailServer,
  toMailServerValues,
  type MailServer,
  type MailServerSetting,
  type MailServerValues,
} from './mail-server-values';
import { TestEmailForm } from './test-email-form';

/** Saves the mail server, or removes it with null, and caches the response. */
function useSaveMailServer() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (body: MailServer | null) => {
      const path = '/api/admin/installation/mail';
      const { data } = body ? await api.PUT(path, { body }) : await api.DELETE(path);
      return data!;
    },
    onSuccess: (state) => {
      queryClient.setQueryData($api.queryOptions('get', '/api/admin/installation', {}).queryKey, state);
      // The recommended records contain the mail server's name.
      void queryClient.invalidateQueries($api.queryOptions('get', '/api/admin/installation/dns', {}));
      // A banner on every page shows whether emails are delivered.
      void queryClient.invalidateQueries({ queryKey: currentUserKey });
      void refetchSite(queryClient);
    },
  });
}

/** The mail server form with a test of the entered values; values set by environment variables are read-only. */
export function MailServerForm({ mail }: { mail: MailServerSetting }) {
  const { t } = useTranslation('installation');
  const errorText = useErrorText();
  const saveMailServer = useSaveMailServer();
  const onFailure = (error: unknown) => toast.error(t('saveFailed'), errorText(error));
  const form = useForm<MailServerValues>({
    initial: toMailServerValues(mail),
    submit: async (values) => {
      const saved = await saveMailServer.mutateAsync(toMailServer(values));
      toast.success(t('mail.saved'));
      return toMailServerValues(saved.mail);
    },
    onFailure,
  });
  useUnsavedChanges(form.hasUnsavedChanges);
  const removeMailServer = () =>
    saveMailServer.mutate(null, {
      onSuccess: (saved) => form.reset(toMailServerValues(saved.mail)),
      onError: onFailure,
    });
  if (mail.source === 'variable') return <MailServerFromEnvironment mail={mail} />;
  return (
    <Box sx={{ display: 'grid', gap: 5 }}>
      <Box component="form" {...form.formProps} sx={{ display: 'grid', gap: 4 }}>
        {mail.source === 'default' && (
          <Alert severity="info" role="note">
            {t('mail.none')}
          </Alert>
        )}
        {mail.password === 'lost' && (
          <Alert severity="warning" role="note">
            {t('mail.lost')}
          </Alert>
        )}
        <MailServerFields form={form} password={mail.password} />
        <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 3 }}>
          <SubmitButton isSubmitting={form.isSubmitting} disabled={!form.hasChanges}>
            {t('mail.save')}
          </SubmitButton>
          {mail.source === 'setting' && (
            <Button onClick={removeMailServer} loading={saveMailServer.isPending && !form.isSubmitting}>
              {t('mail.forget')}
            </Button>
          )}
        </Box>
      </Box>
      <TestEmailForm
        server={form.hasChanges ? toMailServer(form.values) : undefined}
        onServerErrors={form.showErrors}
      />
    </Box>
  );
}

function MailServerFromEnvironment({ mail: { host, port, user, variable } }: { mail: MailServerSetting }) {
  const { t } = useTranslation('installation');
  return (
    <Box sx={{ display: 'grid', gap: 5 }}>
      <Box role="group" aria-label={t('mail.title')}>
        <Typography sx={{ overflowWrap: 'anywhere' }}>
          {user === null ? `${host}:${port}` : t('mail.serverAs', { server: `${host}:${port}`, user })}
        </Typography>
        <Typography variant="body2" color="textSecondary" sx={{ overflowWrap: 'anywhere' }}>
          {t('byVariable', { variable })}
        </Typography>
      </Box>
      <TestEmailForm />
    </Box>
  );
}
