import Button from '@mui/material/Button';
import Checkbox from '@mui/material/Checkbox';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import FormControlLabel from '@mui/material/FormControlLabel';
import Stack from '@mui/material/Stack';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { hasCode } from '../../../shared/api/api-error';
import type { Schema } from '../../../shared/api/client';
import { useErrorText } from '../../../shared/hooks/use-error-text';
import { useForm } from '../../../shared/hooks/use-form';
import { toast } from '../../../shared/toast/toast-store';
import { FormField } from '../../../shared/ui/form-field';
import { SubmitButton } from '../../../shared/ui/submit-button';
import { ZoneSelect } from '../../../shared/ui/zone-select';
import { useCreateMirror, type Folder } from '../api/use-mirrors';
import { FolderPicker } from './folder-picker';

interface Props {
  zoneId: number;
  /** The zones in which a folder can be shown. */
  targets: readonly Schema<'ZoneDto'>[];
  open: boolean;
  onClose: () => void;
}

/** Asks which folder is to be shown, where, and under what name. */
export function CreateMirrorDialog({ open, ...rest }: Props) {
  const id = useId();
  return (
    <Dialog open={open} onClose={rest.onClose} aria-labelledby={id} maxWidth="sm">
      {open && <CreateMirrorForm titleId={id} {...rest} />}
    </Dialog>
  );
}

function CreateMirrorForm({ titleId, zoneId, targets, onClose }: Omit<Props, 'open'> & { titleId: string }) {
  const { t } = useTranslation('mirrors');
  const { t: common } = useTranslation();
  const { form, folder, choose } = useMirrorForm(zoneId, onClose);
  const { sameName } = form.values;
  return (
    <form {...form.formProps}>
      <DialogTitle id={titleId}>{t('form.title')}</DialogTitle>
      <DialogContent>
        <Stack spacing={5}>
          <FolderPicker zoneId={zoneId} chosen={folder} error={form.errors.sourceFolderId} onChoose={choose} />
          <ZoneSelect
            {...form.field('targetZoneId')}
            label={t('form.target')}
            help={t('form.targetHelp')}
            none={t('form.targetNone')}
            zones={targets}
            onChange={(zone) => form.set('targetZoneId', zone)}
          />
          <FormControlLabel
            control={<Checkbox checked={sameName} onChange={(event) => form.set('sameName', event.target.checked)} />}
            label={t('form.sameName')}
          />
          {!sameName && (
            <FormField
              {...form.field('targetFolderName')}
              label={t('form.name')}
              help={t('form.nameHelp')}
              maxLength={255}
              autoComplete="off"
            />
          )}
        </Stack>
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose}>{common('actions.cancel')}</Button>
        <SubmitButton sending={form.sending}>{t('form.submit')}</SubmitButton>
      </DialogActions>
    </form>
  );
}

function useMirrorForm(zoneId: number, onDone: () => void) {
  const { t } = useTranslation('mirrors');
  const errorText = useErrorText();
  const create = useCreateMirror();
  const [folder, setFolder] = useState<Folder | null>(null);
  const form = useForm({
    initial: { sourceFolderId: '', targetZoneId: '', sameName: true as boolean, targetFolderName: '' },
    validate: ({ sourceFolderId, targetZoneId, sameName, targetFolderName }) => ({
      sourceFolderId: sourceFolderId ? undefined : t('form.sourceRequired'),
      targetZoneId: targetZoneId ? undefined : t('form.targetRequired'),
      targetFolderName: sameName || targetFolderName.trim() ? undefined : t('form.nameRequired'),
    }),
    submit: async ({ sourceFolderId, targetZoneId, sameName, targetFolderName }) => {
      await create.mutateAsync({
        zoneId,
        sourceFolderId: Number(sourceFolderId),
        targetZoneId: Number(targetZoneId),
        targetFolderName: sameName ? (folder?.name ?? '') : targetFolderName.trim(),
        mirrorType: 'one_way',
        isActive: true,
      });
      toast.success(t('created'));
      onDone();
    },
    onFailure: (error) => {
      if (!hasCode(error, 'DUPLICATE_NAMES', 'INVALID_NAME')) return toast.error(t('createFailed'), errorText(error));
      // The name of the source does not do there, so another one is asked for.
      if (form.values.sameName) form.set('targetFolderName', folder?.name ?? '');
      form.set('sameName', false);
      form.fail({ targetFolderName: errorText(error) });
    },
  });
  const choose = (next: Folder) => {
    setFolder(next);
    form.set('sourceFolderId', String(next.id));
  };
  return { form, folder, choose };
}
