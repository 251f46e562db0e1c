import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useId, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { DiscardChangesDialog } from '../../../shared/forms/form-dialog';
import { unsavedChanges, useUnsavedChanges } from '../../../shared/forms/unsaved-changes';
import { useForm } from '../../../shared/forms/use-form';
import { useErrorText } from '../../../shared/hooks/use-error-text';
import { DnsRecords } from '../../../shared/installation/mail-server/dns-records';
import { MailServerForm } from '../../../shared/installation/mail-server/mail-server-form';
import { SettingField } from '../../../shared/installation/setting-field';
import {
  toInstallationChanges,
  toFormValues,
  type Setting,
  type InstallationValues,
} from '../../../shared/installation/settings';
import { useSaveInstallation } from '../../../shared/installation/use-installation';
import { toast } from '../../../shared/toast/toast-store';
import { SubmitButton } from '../../../shared/ui/submit-button';
import type { InstallationStepProps } from './purpose-step';
import { SetupCard } from './setup-card';

/** Configures how emails are sent. Can be skipped. */
export function EmailStep({
  installation: { settings, mail, needsStart },
  stepNumber,
  stepCount,
}: InstallationStepProps) {
  const { t } = useTranslation('setup');
  const { t: tInstallation } = useTranslation('installation');
  const isLeft = mail.source === 'default';
  return (
    <SetupCard title={t('mail.title')} text={t('mail.text')} stepNumber={stepNumber} stepCount={stepCount}>
      <Stack spacing={6}>
        {isLeft && (
          <Box>
            <FinishButton variant="outlined">{t('later')}</FinishButton>
            <Typography variant="body2" color="textSecondary" sx={{ mt: 2 }}>
              {t('mail.later')}
            </Typography>
          </Box>
        )}
        {needsStart && <Alert severity="info">{tInstallation('needsStart')}</Alert>}
        <Section title={t('mail.sender')}>
          <SenderForm settings={settings} />
        </Section>
        <Section title={tInstallation('mail.title')}>
          <MailServerForm mail={mail} />
        </Section>
        <Section title={tInstallation('dns.title')} text={tInstallation('dns.text')}>
          <DnsRecords />
        </Section>
        <Box>
          <FinishButton variant="contained">{t('finish')}</FinishButton>
        </Box>
      </Stack>
    </SetupCard>
  );
}

function Section({ title, text, children }: { title: string; text?: string; children: ReactNode }) {
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

/** The sender address: the DNS records belong to its domain, and the test email is sent from it. */
function SenderForm({ settings }: { settings: Setting[] }) {
  const { t } = useTranslation('setup');
  const errorText = useErrorText();
  const save = useSaveInstallation();
  const sender = settings.find(({ key }) => key === 'mailFrom')!;
  const form = useForm<InstallationValues>({
    initial: toFormValues(settings),
    submit: async (values) => {
      const saved = await save.mutateAsync(toInstallationChanges(settings, values));
      toast.success(t('mail.senderSaved'));
      return toFormValues(saved.settings);
    },
    onFailure: (error) => toast.error(t('failed'), errorText(error)),
  });
  useUnsavedChanges(form.hasUnsavedChanges);
  return (
    <Stack component="form" spacing={4} {...form.formProps}>
      <SettingField setting={sender} form={form} />
      {sender.source !== 'variable' && (
        <Box>
          <SubmitButton isSubmitting={form.isSubmitting} disabled={!form.hasChanges}>
            {t('mail.saveSender')}
          </SubmitButton>
        </Box>
      )}
    </Stack>
  );
}

/** Ends the step, and asks for confirmation before unsaved changes are lost. */
function FinishButton({ variant, children }: { variant: 'outlined' | 'contained'; children: string }) {
  const { t } = useTranslation('setup');
  const errorText = useErrorText();
  const save = useSaveInstallation();
  const [isDialogOpen, setIsDialogOpen] = useState(false);
  const finish = () =>
    save.mutate({ finishedStep: 'mail' }, { onError: (error) => toast.error(t('failed'), errorText(error)) });
  const discard = () => {
    setIsDialogOpen(false);
    finish();
  };
  return (
    <>
      <Button
        variant={variant}
        color="primary"
        loading={save.isPending}
        onClick={() => (unsavedChanges.hasAny() ? setIsDialogOpen(true) : finish())}
      >
        {children}
      </Button>
      <DiscardChangesDialog open={isDialogOpen} onDiscard={discard} onKeepEditing={() => setIsDialogOpen(false)} />
    </>
  );
}
