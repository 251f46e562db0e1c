import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Chip from '@mui/material/Chip';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import Typography from '@mui/material/Typography';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useForm } from '../../../shared/hooks/use-form';
import { FormField } from '../../../shared/ui/form-field';
import { SubmitButton } from '../../../shared/ui/submit-button';
import { mergeFields, type MergeField } from '../../../shared/format/merge-fields';
import { mayBeUnknown } from './merge-fields';

interface Props {
  onInsert: (field: MergeField, fallback: string) => void;
}

/** Buttons that put in what differs for each reader. What may be unknown is asked a fall-back for. */
export function MergeChips({ onInsert }: Props) {
  const { t } = useTranslation('campaigns');
  const id = useId();
  const [asked, setAsked] = useState<MergeField | null>(null);
  return (
    <Box role="group" aria-labelledby={id}>
      <Typography id={id} variant="body2" color="textSecondary" sx={{ mb: 2 }}>
        {t('merge.insert')}
      </Typography>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 2 }}>
        {mergeFields.map((field) => (
          <Chip
            key={field}
            size="small"
            variant="outlined"
            label={t(`merge.${field}`)}
            onClick={() => (mayBeUnknown(field) ? setAsked(field) : onInsert(field, ''))}
          />
        ))}
      </Box>
      <Dialog
        open={asked !== null}
        onClose={() => setAsked(null)}
        aria-labelledby={`${id}-title`}
        maxWidth="xs"
        fullWidth
        disableRestoreFocus
      >
        {asked && (
          <FallbackForm
            titleId={`${id}-title`}
            field={asked}
            onInsert={(fallback) => onInsert(asked, fallback)}
            onClose={() => setAsked(null)}
          />
        )}
      </Dialog>
    </Box>
  );
}

interface FormProps {
  titleId: string;
  field: MergeField;
  onInsert: (fallback: string) => void;
  onClose: () => void;
}

function FallbackForm({ titleId, field, onInsert, onClose }: FormProps) {
  const { t } = useTranslation('campaigns');
  const { t: common } = useTranslation();
  const form = useForm({
    initial: { fallback: '' },
    submit: ({ fallback }) => {
      onClose();
      onInsert(fallback);
      return Promise.resolve();
    },
  });
  return (
    <form {...form.formProps}>
      <DialogTitle id={titleId}>{t('merge.title', { field: t(`merge.${field}`) })}</DialogTitle>
      <DialogContent>
        <FormField
          {...form.field('fallback')}
          label={t('merge.fallback')}
          help={t('merge.fallbackHelp')}
          autoComplete="off"
          maxLength={60}
          optional
          autoFocus
        />
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose}>{common('actions.cancel')}</Button>
        <SubmitButton sending={form.sending}>{t('merge.add')}</SubmitButton>
      </DialogActions>
    </form>
  );
}
