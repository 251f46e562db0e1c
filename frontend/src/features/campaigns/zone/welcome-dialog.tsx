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
import { DraftPreview } from '../composer/email-preview';
import { EXAMPLE_MERGE_FIELD, findMergeFieldError, isBlankHtml } from '../composer/editor/merge-fields';
import { useSaveEmailSettings, type EmailSettings } from './use-email-settings';

interface Props {
  zoneId: number;
  settings: EmailSettings;
  onClose: () => void;
}

/** Edits a zone's welcome email. */
export function WelcomeEmailDialog({ open, ...props }: Props & { open: boolean }) {
  const isMobile = useMediaQuery((theme: Theme) => theme.breakpoints.down('md'));
  return (
    <FormDialog open={open} onClose={props.onClose} maxWidth="lg" fullScreen={isMobile}>
      <WelcomeForm {...props} />
    </FormDialog>
  );
}

function WelcomeForm({ zoneId, settings, onClose }: Props) {
  const { t } = useTranslation('campaigns');
  const errorText = useErrorText();
  const getMergeFieldError = useMergeFieldError();
  const save = useSaveEmailSettings(zoneId);
  const form = useForm({
    draft: { key: `zone.${zoneId}.welcome`, fields: ['welcomeSubject', 'welcomeHtmlContent'], replacesSaved: true },
    initial: { welcomeSubject: settings.welcomeSubject, welcomeHtmlContent: settings.welcomeHtmlContent },
    validate: ({ welcomeSubject, welcomeHtmlContent }) => ({
      welcomeSubject: welcomeSubject.trim() ? getMergeFieldError(welcomeSubject) : t('invalid.subject'),
      welcomeHtmlContent: isBlankHtml(welcomeHtmlContent)
        ? t('invalid.content')
        : getMergeFieldError(welcomeHtmlContent),
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
    <DialogForm title={t('welcome.title')} form={form} submitLabel={t('welcome.save')}>
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
        <DraftPreview content={{ zoneId: String(zoneId), subject, htmlContent }} />
      </Box>
    </DialogForm>
  );
}

const columns = { xs: 'minmax(0, 1fr)', md: 'repeat(2, minmax(0, 1fr))' };

function useMergeFieldError() {
  const { t } = useTranslation('campaigns');
  return (text: string): string | undefined => {
    const mergeFieldError = findMergeFieldError(text);
    if (!mergeFieldError) return undefined;
    return mergeFieldError === 'broken'
      ? t('invalid.broken', { example: EXAMPLE_MERGE_FIELD })
      : t('invalid.field', { field: mergeFieldError.unknown });
  };
}
