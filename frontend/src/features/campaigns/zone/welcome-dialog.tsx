import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import Stack from '@mui/material/Stack';
import type { Theme } from '@mui/material/styles';
import useMediaQuery from '@mui/material/useMediaQuery';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { useErrorText } from '../../../shared/hooks/use-error-text';
import { useForm } from '../../../shared/hooks/use-form';
import { toast } from '../../../shared/toast/toast-store';
import { FormField } from '../../../shared/ui/form-field';
import { SubmitButton } from '../../../shared/ui/submit-button';
import { ContentEditor } from '../composer/content-editor';
import { DraftPreview } from '../composer/mail-preview';
import { isBlank, mergeFault } from '../composer/merge-fields';
import { useSaveMailSettings, type MailSettings } from './use-mail-settings';

interface Props {
  zoneId: number;
  settings: MailSettings;
  onClose: () => void;
}

/** Writes the welcome mail of a zone. */
export function WelcomeDialog({ open, ...props }: Props & { open: boolean }) {
  const id = useId();
  const narrow = useMediaQuery((theme: Theme) => theme.breakpoints.down('md'));
  return (
    // A click beside it must not lose what was written.
    <Dialog
      open={open}
      onClose={(_, reason) => reason === 'escapeKeyDown' && props.onClose()}
      aria-labelledby={id}
      maxWidth="lg"
      fullWidth
      fullScreen={narrow}
    >
      {open && <WelcomeForm titleId={id} {...props} />}
    </Dialog>
  );
}

function WelcomeForm({ titleId, zoneId, settings, onClose }: Props & { titleId: string }) {
  const { t } = useTranslation('campaigns');
  const { t: common } = useTranslation();
  const errorText = useErrorText();
  const faultOf = useFaultOf();
  const save = useSaveMailSettings(zoneId);
  const form = useForm({
    initial: { welcomeSubject: settings.welcomeSubject, welcomeHtmlContent: settings.welcomeHtmlContent },
    validate: ({ welcomeSubject, welcomeHtmlContent }) => ({
      welcomeSubject: welcomeSubject.trim() ? faultOf(welcomeSubject) : t('invalid.subject'),
      welcomeHtmlContent: isBlank(welcomeHtmlContent) ? t('invalid.content') : faultOf(welcomeHtmlContent),
    }),
    submit: async ({ welcomeSubject, welcomeHtmlContent }) => {
      await save.mutateAsync({ welcomeSubject: welcomeSubject.trim(), welcomeHtmlContent });
      toast.success(t('welcome.saved'));
      onClose();
    },
    onFailure: (error) => toast.error(t('welcome.failed'), errorText(error)),
  });
  const { welcomeSubject: subject, welcomeHtmlContent: htmlContent } = form.values;
  return (
    <form {...form.formProps} style={{ display: 'contents' }}>
      <DialogTitle id={titleId}>{t('welcome.title')}</DialogTitle>
      <DialogContent>
        <Box sx={{ display: 'grid', gap: 6, gridTemplateColumns: columns }}>
          <Stack spacing={5}>
            <FormField
              {...form.field('welcomeSubject')}
              label={t('compose.subject')}
              maxLength={255}
              autoComplete="off"
            />
            <ContentEditor
              value={htmlContent}
              error={form.errors.welcomeHtmlContent}
              onChange={(html) => form.set('welcomeHtmlContent', html)}
            />
          </Stack>
          <DraftPreview wording={{ zoneId: String(zoneId), subject, htmlContent }} />
        </Box>
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose}>{common('actions.cancel')}</Button>
        <SubmitButton sending={form.sending}>{t('welcome.save')}</SubmitButton>
      </DialogActions>
    </form>
  );
}

const columns = { xs: 'minmax(0, 1fr)', md: 'repeat(2, minmax(0, 1fr))' };

function useFaultOf() {
  const { t } = useTranslation('campaigns');
  return (text: string): string | undefined => {
    const fault = mergeFault(text);
    if (!fault) return undefined;
    return fault === 'broken' ? t('invalid.broken') : t('invalid.field', { field: fault.unknown });
  };
}
