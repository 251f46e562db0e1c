import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useId, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { DiscardQuestion } from '../../../shared/forms/form-dialog';
import { unsaved, useUnsaved } from '../../../shared/forms/unsaved';
import { useForm } from '../../../shared/forms/use-form';
import { useErrorText } from '../../../shared/hooks/use-error-text';
import { DnsRecords } from '../../../shared/installation/mail/dns-records';
import { MailServerForm } from '../../../shared/installation/mail/mail-server';
import { SettingField } from '../../../shared/installation/setting-field';
import { changesOf, valuesOf, type Setting, type Values } from '../../../shared/installation/settings';
import { useSaveInstallation } from '../../../shared/installation/use-installation';
import { toast } from '../../../shared/toast/toast-store';
import { SubmitButton } from '../../../shared/ui/submit-button';
import type { InstallationStepProps } from './purpose-step';
import { SetupCard } from './setup-card';

/** How mails leave the installation. Nothing of it is needed to begin. */
export function MailStep({ installation: { settings, mail, needsStart }, at, count }: InstallationStepProps) {
  const { t } = useTranslation('setup');
  const { t: installation } = useTranslation('installation');
  return (
    <SetupCard title={t('mail.title')} text={t('mail.text')} at={at} count={count}>
      <Stack spacing={6}>
        {needsStart && <Alert severity="info">{installation('needsStart')}</Alert>}
        <Part title={t('mail.sender')}>
          <SenderForm settings={settings} />
        </Part>
        <Part title={installation('mail.title')}>
          <MailServerForm mail={mail} />
        </Part>
        <Part title={installation('dns.title')} text={installation('dns.text')}>
          <DnsRecords />
        </Part>
        <Finish isLeft={mail.source === 'default'} />
      </Stack>
    </SetupCard>
  );
}

function Part({ title, text, children }: { title: string; text?: string; children: ReactNode }) {
  const id = useId();
  return (
    <Box component="section" aria-labelledby={id}>
      <Typography id={id} variant="h3" component="h2" sx={{ mb: text ? 1 : 4 }}>
        {title}
      </Typography>
      {text && (
        <Typography color="textSecondary" sx={{ mb: 4 }}>
          {text}
        </Typography>
      )}
      {children}
    </Box>
  );
}

/** Who writes: the records of the DNS are of its domain, and a test is sent by it. */
function SenderForm({ settings }: { settings: Setting[] }) {
  const { t } = useTranslation('setup');
  const errorText = useErrorText();
  const save = useSaveInstallation();
  const sender = settings.find(({ key }) => key === 'mailFrom')!;
  const form = useForm<Values>({
    initial: valuesOf(settings),
    submit: async (values) => {
      const saved = await save.mutateAsync(changesOf(settings, values));
      toast.success(t('mail.senderSaved'));
      return valuesOf(saved.settings);
    },
    onFailure: (error) => toast.error(t('failed'), errorText(error)),
  });
  useUnsaved(form.isUnsaved);
  return (
    <Stack component="form" spacing={4} {...form.formProps}>
      <SettingField setting={sender} form={form} />
      {sender.source !== 'variable' && (
        <Box>
          <SubmitButton sending={form.sending} disabled={!form.changed}>
            {t('mail.saveSender')}
          </SubmitButton>
        </Box>
      )}
    </Stack>
  );
}

/** The way on, which asks before something that was written here and not saved is lost. */
function Finish({ isLeft }: { isLeft: boolean }) {
  const { t } = useTranslation('setup');
  const errorText = useErrorText();
  const save = useSaveInstallation();
  const [asked, setAsked] = useState(false);
  const finish = () =>
    save.mutate({ finishedStep: 'mail' }, { onError: (error) => toast.error(t('failed'), errorText(error)) });
  const discard = () => {
    setAsked(false);
    finish();
  };
  return (
    <Box>
      <Button
        variant={isLeft ? 'outlined' : 'contained'}
        color="primary"
        loading={save.isPending}
        onClick={() => (unsaved.any() ? setAsked(true) : finish())}
      >
        {t(isLeft ? 'later' : 'finish')}
      </Button>
      {isLeft && (
        <Typography variant="body2" color="textSecondary" sx={{ mt: 3 }}>
          {t('mail.later')}
        </Typography>
      )}
      <DiscardQuestion open={asked} onDiscard={discard} onStay={() => setAsked(false)} />
    </Box>
  );
}
