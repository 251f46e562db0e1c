import Alert from '@mui/material/Alert';
import AlertTitle from '@mui/material/AlertTitle';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Link from '@mui/material/Link';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { Link as RouterLink } from 'react-router';
import { useErrorText } from '../../../shared/hooks/use-error-text';
import { useFormat } from '../../../shared/hooks/use-format';
import { useUnsavedChanges } from '../../../shared/forms/unsaved-changes';
import { useForm } from '../../../shared/forms/use-form';
import { useEmailToast } from '../../../shared/site/email-delivery';
import { toast } from '../../../shared/toast/toast-store';
import { ErrorState } from '../../../shared/ui/error-state';
import { FormField } from '../../../shared/ui/fields/form-field';
import { SectionCard } from '../../../shared/ui/section-card';
import { RowsSkeleton } from '../../../shared/ui/skeletons';
import { SubmitButton } from '../../../shared/ui/submit-button';
import { useSendPreview } from '../api/use-campaigns';
import {
  useSendReplyToConfirmation,
  useEmailSettings,
  useSaveEmailSettings,
  type EmailSettings,
} from './use-email-settings';

/** The sender name of a zone's emails and the reply-to address. */
export function SenderCard({ zoneId }: { zoneId: number }) {
  const { t } = useTranslation('campaigns');
  const { data: settings, error, refetch } = useEmailSettings(zoneId);
  return (
    <SectionCard title={t('zoneTab.sender')} text={t('zoneTab.senderText')}>
      {error && !settings && <ErrorState error={error} onRetry={refetch} />}
      {!settings && !error && <RowsSkeleton rows={2} />}
      {settings && <SenderForm zoneId={zoneId} settings={settings} />}
    </SectionCard>
  );
}

function SenderForm({ zoneId, settings }: { zoneId: number; settings: EmailSettings }) {
  const { t } = useTranslation('campaigns');
  const errorText = useErrorText();
  const save = useSaveEmailSettings(zoneId);
  const form = useForm({
    initial: { fromName: settings.fromName ?? '', replyTo: settings.replyTo ?? '' },
    submit: async (values) => {
      // Sends only changed fields, so that an outdated window doesn't overwrite the other one.
      const [fromName, replyTo] = [values.fromName.trim() || null, values.replyTo.trim() || null];
      await save.mutateAsync({
        ...(fromName !== settings.fromName && { fromName }),
        ...(replyTo !== settings.replyTo && { replyTo }),
      });
      toast.success(t('zoneTab.saved'));
    },
    onFailure: (error) => toast.error(t('zoneTab.saveFailed'), errorText(error)),
  });
  useUnsavedChanges(form.hasUnsavedChanges);
  return (
    <form {...form.formProps}>
      <Stack spacing={4}>
        <Box
          sx={{
            display: 'grid',
            gap: 4,
            gridTemplateColumns: { xs: 'minmax(0, 1fr)', sm: 'repeat(2, minmax(0, 1fr))' },
          }}
        >
          <FormField
            {...form.field('fromName')}
            label={t('zoneTab.fromName')}
            help={t('zoneTab.fromNameHelp')}
            maxLength={100}
            autoComplete="off"
          />
          <FormField
            {...form.field('replyTo')}
            label={t('replyTo.label')}
            help={t('replyTo.help')}
            inputMode="email"
            maxLength={255}
            autoComplete="off"
          />
        </Box>
        {settings.replyToWaiting && <PendingReplyToAlert zoneId={zoneId} settings={settings} />}
        <PostalAddressNote zoneId={zoneId} />
        <Box>
          <SubmitButton isSubmitting={form.isSubmitting}>{t('zoneTab.save')}</SubmitButton>
        </Box>
      </Stack>
    </form>
  );
}

/** Replies go to the owner until the reply-to address is confirmed. */
function PendingReplyToAlert({
  zoneId,
  settings: { replyTo, replyToAskedAt },
}: {
  zoneId: number;
  settings: EmailSettings;
}) {
  const { t } = useTranslation('campaigns');
  const format = useFormat();
  const errorText = useErrorText();
  const resendConfirmation = useSendReplyToConfirmation(zoneId);
  const showEmailToast = useEmailToast();
  const requestedAt = replyToAskedAt === null ? null : format.dateTime(replyToAskedAt);
  return (
    <Alert severity="info" role="note" sx={{ overflowWrap: 'anywhere' }}>
      <AlertTitle>{t('replyTo.waiting')}</AlertTitle>
      {requestedAt === null
        ? t('replyTo.unasked', { email: replyTo })
        : t('replyTo.asked', { email: replyTo, when: requestedAt })}
      <Box sx={{ mt: 2 }}>
        <Button
          size="small"
          disabled={resendConfirmation.isPending}
          onClick={() =>
            resendConfirmation.mutate(undefined, {
              onSuccess: () => showEmailToast(t('replyTo.sent', { email: replyTo })),
              onError: (error) => toast.error(t('replyTo.notSent'), errorText(error)),
            })
          }
        >
          {t(requestedAt === null ? 'replyTo.send' : 'replyTo.again')}
        </Button>
      </Box>
    </Alert>
  );
}

/** Whether emails contain a postal address, and where to change it. */
function PostalAddressNote({ zoneId }: { zoneId: number }) {
  const { t } = useTranslation('campaigns');
  const { data } = useSendPreview(zoneId, 'all');
  if (!data) return null;
  const { hasPostalAddress } = data;
  return (
    <Typography variant="body2" color={hasPostalAddress ? 'textSecondary' : 'warning'}>
      {t(hasPostalAddress ? 'zoneTab.postal' : 'line.noAddress')}{' '}
      <Link component={RouterLink} to="/settings#mails">
        {t(hasPostalAddress ? 'zoneTab.postalLink' : 'line.addAddress')}
      </Link>
    </Typography>
  );
}
