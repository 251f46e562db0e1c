import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { $api, api } from '../../api/client';
import { currentUserKey } from '../../api/current-user';
import { useUnsaved } from '../../forms/unsaved';
import { useForm } from '../../forms/use-form';
import { useErrorText } from '../../hooks/use-error-text';
import { askSiteAnew } from '../../site/use-site';
import { toast } from '../../toast/toast-store';
import { SubmitButton } from '../../ui/submit-button';
import { MailFields } from './mail-fields';
import { mailServerOf, mailValuesOf, type MailServer, type MailSetting, type MailValues } from './mail-values';
import { TestMail } from './test-mail';

/** Sets the server, or forgets it by null, and keeps what the server of the page says after it. */
function useSetMail() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (body: MailServer | null) => {
      const path = '/api/admin/installation/mail';
      const { data } = body ? await api.PUT(path, { body }) : await api.DELETE(path);
      return data!;
    },
    onSuccess: (state) => {
      queries.setQueryData($api.queryOptions('get', '/api/admin/installation', {}).queryKey, state);
      // What is to stand there names the server.
      void queries.invalidateQueries($api.queryOptions('get', '/api/admin/installation/dns', {}));
      // Whether emails reach people is said above every page.
      void queries.invalidateQueries({ queryKey: currentUserKey });
      void askSiteAnew(queries);
    },
  });
}

/** The mail server as a form of its own, with a test of what stands in it; what a variable says is only shown. */
export function MailServerForm({ mail }: { mail: MailSetting }) {
  const { t } = useTranslation('installation');
  const errorText = useErrorText();
  const set = useSetMail();
  const onFailure = (error: unknown) => toast.error(t('saveFailed'), errorText(error));
  const form = useForm<MailValues>({
    initial: mailValuesOf(mail),
    submit: async (values) => {
      const saved = await set.mutateAsync(mailServerOf(values));
      toast.success(t('mail.saved'));
      return mailValuesOf(saved.mail);
    },
    onFailure,
  });
  useUnsaved(form.isUnsaved);
  const forget = () =>
    set.mutate(null, { onSuccess: (saved) => form.reset(mailValuesOf(saved.mail)), onError: onFailure });
  if (mail.source === 'variable') return <MailByVariable mail={mail} />;
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
        <MailFields form={form} password={mail.password} />
        <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 3 }}>
          <SubmitButton sending={form.sending} disabled={!form.changed}>
            {t('mail.save')}
          </SubmitButton>
          {mail.source === 'setting' && (
            <Button onClick={forget} loading={set.isPending && !form.sending}>
              {t('mail.forget')}
            </Button>
          )}
        </Box>
      </Box>
      <TestMail server={form.changed ? mailServerOf(form.values) : undefined} onFault={form.fail} />
    </Box>
  );
}

function MailByVariable({ mail: { host, port, user, variable } }: { mail: MailSetting }) {
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
      <TestMail />
    </Box>
  );
}
