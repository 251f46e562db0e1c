import Box from '@mui/material/Box';
import Stack from '@mui/material/Stack';
import type { Theme } from '@mui/material/styles';
import useMediaQuery from '@mui/material/useMediaQuery';
import { useTranslation } from 'react-i18next';
import { useErrorText } from '../../../shared/hooks/use-error-text';
import { DialogForm, FormDialog } from '../../../shared/forms/form-dialog';
import { useForm } from '../../../shared/forms/use-form';
import { toast } from '../../../shared/toast/toast-store';
import { FormField } from '../../../shared/ui/fields/form-field';
import { ContentEditor } from '../composer/editor/content-editor';
import { DraftPreview } from '../composer/mail-preview';
import { isBlank, mergeFault } from '../composer/editor/merge-fields';
import { useSaveMailSettings, type MailSettings } from './use-mail-settings';

interface Props {
  zoneId: number;
  settings: MailSettings;
  onClose: () => void;
}

/** Writes the welcome mail of a zone. */
export function WelcomeDialog({ open, ...props }: Props & { open: boolean }) {
  const narrow = useMediaQuery((theme: Theme) => theme.breakpoints.down('md'));
  return (
    <FormDialog open={open} onClose={props.onClose} maxWidth="lg" fullScreen={narrow}>
      <WelcomeForm {...props} />
    </FormDialog>
  );
}

function WelcomeForm({ zoneId, settings, onClose }: Props) {
  const { t } = useTranslation('campaigns');
  const errorText = useErrorText();
  const faultOf = useFaultOf();
  const save = useSaveMailSettings(zoneId);
  const form = useForm({
    keep: { as: `zone.${zoneId}.welcome`, fields: ['welcomeSubject', 'welcomeHtmlContent'], overSaved: true },
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
    <DialogForm title={t('welcome.title')} form={form} submit={t('welcome.save')}>
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
    </DialogForm>
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
