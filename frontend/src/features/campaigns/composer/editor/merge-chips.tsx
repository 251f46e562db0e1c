import Box from '@mui/material/Box';
import Chip from '@mui/material/Chip';
import Typography from '@mui/material/Typography';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { DialogForm, FormDialog } from '../../../../shared/forms/form-dialog';
import { useForm } from '../../../../shared/forms/use-form';
import { FormField } from '../../../../shared/ui/fields/form-field';
import { mergeFields, type MergeField } from '../../../../shared/format/merge-fields';
import { mayBeMissing } from './merge-fields';

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
            onClick={() => (mayBeMissing(field) ? setAsked(field) : onInsert(field, ''))}
          />
        ))}
      </Box>
      <FormDialog open={asked !== null} onClose={() => setAsked(null)} maxWidth="xs" disableRestoreFocus>
        {asked && (
          <FallbackForm
            field={asked}
            onInsert={(fallback) => onInsert(asked, fallback)}
            onClose={() => setAsked(null)}
          />
        )}
      </FormDialog>
    </Box>
  );
}

interface FormProps {
  field: MergeField;
  onInsert: (fallback: string) => void;
  onClose: () => void;
}

function FallbackForm({ field, onInsert, onClose }: FormProps) {
  const { t } = useTranslation('campaigns');
  const form = useForm({
    initial: { fallback: '' },
    submit: ({ fallback }) => {
      onClose();
      onInsert(fallback);
      return Promise.resolve();
    },
  });
  return (
    <DialogForm title={t('merge.title', { field: t(`merge.${field}`) })} form={form} submit={t('merge.add')}>
      <FormField
        {...form.field('fallback')}
        label={t('merge.fallback')}
        help={t('merge.fallbackHelp')}
        autoComplete="off"
        maxLength={60}
        optional
        autoFocus
      />
    </DialogForm>
  );
}
