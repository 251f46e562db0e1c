import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { useErrorText } from '../../../shared/hooks/use-error-text';
import { useForm } from '../../../shared/hooks/use-form';
import { toast } from '../../../shared/toast/toast-store';
import { FormField } from '../../../shared/ui/form-field';
import { SubmitButton } from '../../../shared/ui/submit-button';
import { useSaveTemplate } from '../api/use-templates';
import type { Wording } from './wording';

interface Props {
  open: boolean;
  wording: Wording;
  onClose: () => void;
}

/** Keeps subject and content for other campaigns. */
export function SaveTemplateDialog({ open, wording, onClose }: Props) {
  const id = useId();
  return (
    <Dialog open={open} onClose={onClose} aria-labelledby={id} maxWidth="xs" fullWidth>
      {open && <SaveForm titleId={id} wording={wording} onClose={onClose} />}
    </Dialog>
  );
}

function SaveForm({ titleId, wording, onClose }: { titleId: string; wording: Wording; onClose: () => void }) {
  const { t } = useTranslation('campaigns');
  const { t: common } = useTranslation();
  const errorText = useErrorText();
  const save = useSaveTemplate();
  const { subject, htmlContent } = wording;
  const form = useForm({
    initial: { name: wording.name },
    validate: ({ name }) => ({ name: name.trim() ? undefined : t('templates.nameRequired') }),
    submit: async ({ name }) => {
      await save.mutateAsync({ name: name.trim(), subject: subject.trim(), htmlContent });
      toast.success(t('templates.saved'));
      onClose();
    },
    onFailure: (error) => toast.error(t('templates.saveFailed'), errorText(error)),
  });
  return (
    <form {...form.formProps}>
      <DialogTitle id={titleId}>{t('templates.saveTitle')}</DialogTitle>
      <DialogContent>
        <FormField {...form.field('name')} label={t('templates.name')} maxLength={255} autoComplete="off" autoFocus />
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose}>{common('actions.cancel')}</Button>
        <SubmitButton sending={form.sending}>{t('templates.saveTitle')}</SubmitButton>
      </DialogActions>
    </form>
  );
}
