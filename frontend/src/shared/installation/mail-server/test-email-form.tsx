import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api, type Schema } from '../../api/client';
import { ApiError } from '../../api/api-error';
import { currentUserKey, useCurrentUser } from '../../api/current-user';
import { useForm, type FormErrors } from '../../forms/use-form';
import { useErrorText } from '../../hooks/use-error-text';
import { toast } from '../../toast/toast-store';
import { FormField } from '../../ui/fields/form-field';
import { SubmitButton } from '../../ui/submit-button';
import type { MailServer, MailServerValues } from './mail-server-values';

type TestResponse = Schema<'MailServerTrialDto'>;

interface Props {
  /** Unsaved values to test; without them, the server in use is tested. */
  server?: MailServer;
  /** Called with errors in the server's fields. */
  onServerErrors?: (errors: FormErrors<MailServerValues>) => void;
}

const SERVER_FIELD_PREFIX = 'server.';

/** Extracts the errors that belong to the server's fields. */
function serverErrorsOf(error: unknown): FormErrors<MailServerValues> {
  const errors = error instanceof ApiError ? Object.entries(error.errors) : [];
  const serverErrors = errors.filter(([field]) => field.startsWith(SERVER_FIELD_PREFIX));
  return Object.fromEntries(
    serverErrors.map(([field, messages]) => [field.slice(SERVER_FIELD_PREFIX.length), messages.join(' ')]),
  );
}

/** Sends a test email and shows how far it got and what to do. */
export function TestEmailForm({ server, onServerErrors }: Props) {
  const { t } = useTranslation('installation');
  const errorText = useErrorText();
  const email = useCurrentUser().data?.email ?? '';
  const queryClient = useQueryClient();
  const [result, setResult] = useState<TestResponse | null>(null);
  const form = useForm({
    initial: { to: email },
    submit: async ({ to }) => {
      setResult(null);
      const { data } = await api.POST('/api/admin/installation/test-mail', { body: { to, server } });
      setResult(data!);
      if (data!.ok) void queryClient.invalidateQueries({ queryKey: currentUserKey });
    },
    onFailure: (error) => {
      const serverErrors = serverErrorsOf(error);
      if (onServerErrors && Object.keys(serverErrors).length > 0) onServerErrors(serverErrors);
      else toast.error(t('mail.testFailed'), errorText(error));
    },
  });
  return (
    <Box component="form" {...form.formProps} sx={{ display: 'grid', gap: 4 }}>
      <FormField
        {...form.field('to')}
        label={t('mail.testTo')}
        help={t(server ? 'mail.testUnsaved' : 'mail.testInUse')}
        inputMode="email"
        autoComplete="email"
      />
      <Box>
        <SubmitButton isSubmitting={form.isSubmitting}>{t('mail.test')}</SubmitButton>
      </Box>
      <Box role="status">{result && <TestResult result={result} />}</Box>
    </Box>
  );
}

function TestResult({ result: { ok, stage, sentence, said } }: { result: TestResponse }) {
  const { t } = useTranslation('installation');
  return (
    <Alert severity={ok ? 'success' : 'error'} role="none">
      {stage && <Typography variant="subtitle2">{t(`mail.stages.${stage}`)}</Typography>}
      <Typography variant="body2">{sentence}</Typography>
      {said && (
        <Typography variant="body2" sx={{ mt: 2, overflowWrap: 'anywhere' }}>
          {t('mail.said', { said })}
        </Typography>
      )}
    </Alert>
  );
}
