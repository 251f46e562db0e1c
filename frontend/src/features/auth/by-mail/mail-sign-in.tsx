import Button from '@mui/material/Button';
import Box from '@mui/material/Box';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router';
import { hasCode } from '../../../shared/api/api-error';
import { api } from '../../../shared/api/client';
import { currentUserQuery, type SignedInUser } from '../../../shared/api/current-user';
import { useErrorText } from '../../../shared/hooks/use-error-text';
import { useForm } from '../../../shared/forms/use-form';
import { CodeField } from '../../../shared/identity/code-field';
import { EmailsNotSent, usePublicEmailToast, useSendsEmail } from '../../../shared/site/emails-not-sent';
import { toast } from '../../../shared/toast/toast-store';
import { FormField } from '../../../shared/ui/fields/form-field';
import { SubmitButton } from '../../../shared/ui/submit-button';
import { AuthCard } from '../components/auth-card';
import type { Factor } from '../components/second-step';
import { checkEmail } from '../validation';
import { mailedTo } from './mailed-to';

/** How often a window that waits and is seen looks whether its browser has been signed in, in milliseconds. */
const LOOK_EVERY = 4000;

interface Props {
  email: string;
  /** Page of ours to which the mailed link leads on; where the person is now when left out. */
  next?: string;
  onSignedIn: (user: SignedInUser) => Promise<void>;
  onFactors: (factors: readonly Factor[]) => void;
  onBack: () => void;
}

/** Signing in by a mail: asks to which address, then for its code. The link of the mail does the same on its own. */
export function MailSignIn({ email, next, onSignedIn, onFactors, onBack }: Props) {
  const [sentTo, setSentTo] = useState(mailedTo.get);
  const ask = useAsk(next, setSentTo);
  const back = () => {
    mailedTo.forget();
    onBack();
  };
  if (sentTo === null) return <AskForMail email={email} onAsk={ask} onBack={back} />;
  const other = () => {
    mailedTo.forget();
    setSentTo(null);
  };
  const enter = async (user: SignedInUser) => {
    mailedTo.forget();
    await onSignedIn(user);
  };
  return (
    <TypeCode
      email={sentTo}
      onAgain={() => ask(sentTo)}
      onOther={other}
      onSignedIn={enter}
      onFactors={onFactors}
      onBack={back}
    />
  );
}

/** Has the mail sent, and remembers in this tab to whom; failures are the caller's. */
function useAsk(next: string | undefined, onSent: (email: string) => void) {
  const { pathname, search } = useLocation();
  const page = next ?? pathname + search;
  return async (email: string) => {
    await api.POST('/api/sign-in-mails', { body: { email, ...(page !== '/' && { next: page }) } });
    mailedTo.keep(email);
    onSent(email);
  };
}

interface AskProps {
  email: string;
  onAsk: (email: string) => Promise<void>;
  onBack: () => void;
}

function AskForMail({ email, onAsk, onBack }: AskProps) {
  const { t } = useTranslation('auth');
  const errorText = useErrorText();
  const form = useForm({
    initial: { email },
    validate: (values) => ({ email: checkEmail(values.email) && t('errors.emailAddress') }),
    submit: (values) => onAsk(values.email.trim()),
    onFailure: (error) => toast.error(t('byMail.failed'), errorText(error)),
  });
  return (
    <AuthCard title={t('byMail.title')} text={t('byMail.text')}>
      <Stack component="form" spacing={4} {...form.formProps}>
        <FormField {...form.field('email')} label={t('fields.email')} type="email" autoComplete="email" autoFocus />
        <SubmitButton sending={form.sending} fullWidth>
          {t('byMail.submit')}
        </SubmitButton>
        <Button variant="text" onClick={onBack}>
          {t('backToLogin')}
        </Button>
      </Stack>
    </AuthCard>
  );
}

interface CodeProps extends Pick<Props, 'onSignedIn' | 'onFactors' | 'onBack'> {
  email: string;
  onAgain: () => Promise<void>;
  onOther: () => void;
}

function TypeCode({ email, onAgain, onOther, onSignedIn, onFactors, onBack }: CodeProps) {
  const { t } = useTranslation('auth');
  const errorText = useErrorText();
  const [sending, setSending] = useState(false);
  // Opened in another tab, the link signs in this one as well; whoever shows the page sees that there is somebody now.
  useQuery({ ...currentUserQuery, refetchInterval: LOOK_EVERY, refetchOnWindowFocus: 'always' });
  const form = useForm({
    initial: { code: '' },
    sendsOnce: true,
    validate: ({ code }) => ({ code: /^\d{6}$/.test(code) ? undefined : t('errors.codeDigits') }),
    submit: async ({ code }) => {
      const { data } = await api.POST('/api/sign-in-codes', { body: { email, code } });
      if (!data) return;
      if ('requiresFactor' in data) onFactors(data.factors);
      else await onSignedIn(data);
    },
    onFailure: (error) => {
      if (hasCode(error, 'CODE_INVALID')) form.fail({ code: error.message });
      else toast.error(t('login.failed'), errorText(error));
    },
  });
  const emailToast = usePublicEmailToast();
  const sendsEmail = useSendsEmail();
  const again = async () => {
    setSending(true);
    try {
      await onAgain();
      emailToast(t('byMail.sentAgain'));
    } catch (error) {
      toast.error(t('byMail.failed'), errorText(error));
    }
    setSending(false);
  };
  return (
    <AuthCard title={t('byMail.sentTitle')} text={sendsEmail && t('byMail.sentText', { email })}>
      <Stack component="form" spacing={4} {...form.formProps}>
        <EmailsNotSent />
        <CodeField form={form} help={t('byMail.codeHelp')} sendWhenComplete />
        <SubmitButton sending={form.sending} fullWidth>
          {t('login.submit')}
        </SubmitButton>
        <Typography variant="body2" color="textSecondary">
          {t('byMail.hint')}
        </Typography>
        <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, mx: -2 }}>
          <Button variant="text" loading={sending} onClick={() => void again()}>
            {t('byMail.again')}
          </Button>
          <Button variant="text" onClick={onOther}>
            {t('byMail.other')}
          </Button>
          <Button variant="text" onClick={onBack}>
            {t('backToLogin')}
          </Button>
        </Box>
      </Stack>
    </AuthCard>
  );
}
