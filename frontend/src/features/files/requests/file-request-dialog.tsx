import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { DialogForm, FormDialog } from '../../../shared/forms/form-dialog';
import { useForm } from '../../../shared/forms/use-form';
import { useErrorText } from '../../../shared/hooks/use-error-text';
import { toast } from '../../../shared/toast/toast-store';
import { FormField } from '../../../shared/ui/fields/form-field';
import { SelectField } from '../../../shared/ui/fields/select-field';
import { findInvalidFields, toFields, toTerms } from './file-request-fields';
import { useSaveFileRequest, type RequestFolder } from './use-file-request';

interface Props {
  folder: RequestFolder | null;
  onClose: () => void;
}

/** Requests files in a folder from the members, or changes the request. */
export function FileRequestDialog({ folder, onClose }: Props) {
  return (
    <FormDialog open={folder !== null} onClose={onClose}>
      {folder && <FileRequestForm folder={folder} onClose={onClose} />}
    </FormDialog>
  );
}

function FileRequestForm({ folder, onClose }: { folder: RequestFolder; onClose: () => void }) {
  const { t } = useTranslation('files');
  const errorText = useErrorText();
  const save = useSaveFileRequest(folder.id);
  const isNew = !folder.fileRequest;
  const form = useForm({
    draft: {
      key: `folder.${folder.id}.request`,
      fields: ['instructions', 'visibility', 'date', 'time', 'maxFiles', 'maxMegabytes'],
      replacesSaved: !isNew,
    },
    initial: toFields(folder.fileRequest),
    validate: (values) => {
      const invalid = findInvalidFields(values);
      return {
        date: invalid.date ? t('request.badDate') : undefined,
        maxFiles: invalid.maxFiles ? t('request.badFiles') : undefined,
        maxMegabytes: invalid.maxMegabytes ? t('request.badSize') : undefined,
      };
    },
    submit: async (values) => {
      await save.mutateAsync(toTerms(values));
      toast.success(t(isNew ? 'request.created' : 'request.saved'));
      onClose();
    },
    onFailure: (error) => toast.error(t('request.saveFailed'), errorText(error)),
  });
  return (
    <DialogForm
      title={t(isNew ? 'request.title' : 'request.editTitle')}
      form={form}
      submitLabel={t(isNew ? 'request.submit' : 'request.save')}
    >
      <Typography sx={{ overflowWrap: 'anywhere' }}>{t('request.text', { name: folder.name })}</Typography>
      <FormField
        {...form.field('instructions')}
        label={t('request.instructions')}
        help={t('request.instructionsHelp')}
        maxLength={2000}
        rows={2}
        maxRows={8}
        optional
      />
      <SelectField
        {...form.field('visibility')}
        label={t('request.visibility')}
        help={t(`request.visibilityHelp.${form.values.visibility === 'private' ? 'private' : 'all'}`)}
        onChange={(visibility) => form.set('visibility', visibility)}
      >
        <option value="private">{t('request.private')}</option>
        <option value="all">{t('request.all')}</option>
      </SelectField>
      <Box sx={{ display: 'grid', gap: 4, gridTemplateColumns: { xs: '1fr', sm: '3fr 2fr' } }}>
        <FormField {...form.field('date')} label={t('request.date')} type="date" optional />
        <FormField {...form.field('time')} label={t('request.time')} type="time" disabled={!form.values.date} />
      </Box>
      <Box sx={{ display: 'grid', gap: 4, gridTemplateColumns: { xs: '1fr', sm: '1fr 1fr' } }}>
        <FormField
          {...form.field('maxFiles')}
          label={t('request.maxFiles')}
          inputMode="numeric"
          autoComplete="off"
          optional
        />
        <FormField
          {...form.field('maxMegabytes')}
          label={t('request.maxSize')}
          inputMode="numeric"
          autoComplete="off"
          optional
        />
      </Box>
    </DialogForm>
  );
}
