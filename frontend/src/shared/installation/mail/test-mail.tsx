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
import type { MailServer, MailValues } from './mail-values';

type Result = Schema<'MailServerTrialDto'>;

interface Props {
  /** What is not saved yet; without it the server in use is tried. */
  server?: MailServer;
  /** Told what is wrong with the fields of the server. */
  onFault?: (errors: FormErrors<MailValues>) => void;
}

const AT_SERVER = 'server.';

/** What the server did not accept of the fields above. */
function faultsOf(error: unknown): FormErrors<MailValues> {
  const errors = error instanceof ApiError ? Object.entries(error.errors) : [];
  const ofServer = errors.filter(([field]) => field.startsWith(AT_SERVER));
  return Object.fromEntries(ofServer.map(([field, said]) => [field.slice(AT_SERVER.length), said.join(' ')]));
}

/** Sends one mail and says how far it came, and what to do. */
export function TestMail({ server, onFault }: Props) {
  const { t } = useTranslation('installation');
  const errorText = useErrorText();
  const email = useCurrentUser().data?.email ?? '';
  const queries = useQueryClient();
  const [result, setResult] = useState<Result | null>(null);
  const form = useForm({
    initial: { to: email },
    submit: async ({ to }) => {
      setResult(null);
      const { data } = await api.POST('/api/admin/installation/test-mail', { body: { to, server } });
      setResult(data!);
      if (data!.ok) void queries.invalidateQueries({ queryKey: currentUserKey });
    },
    onFailure: (error) => {
      const faults = faultsOf(error);
      if (onFault && Object.keys(faults).length > 0) onFault(faults);
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
        <SubmitButton sending={form.sending}>{t('mail.test')}</SubmitButton>
      </Box>
      <Box role="status">{result && <TestResult result={result} />}</Box>
    </Box>
  );
}

function TestResult({ result: { ok, stage, sentence, said } }: { result: Result }) {
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
