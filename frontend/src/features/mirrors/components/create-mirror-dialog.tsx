import Checkbox from '@mui/material/Checkbox';
import FormControlLabel from '@mui/material/FormControlLabel';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { hasCode } from '../../../shared/api/api-error';
import type { Schema } from '../../../shared/api/client';
import { useErrorText } from '../../../shared/hooks/use-error-text';
import { DialogForm, FormDialog } from '../../../shared/forms/form-dialog';
import { useForm } from '../../../shared/forms/use-form';
import { toast } from '../../../shared/toast/toast-store';
import { FormField } from '../../../shared/ui/fields/form-field';
import { ZoneSelect } from '../../../shared/ui/fields/zone-select';
import { useCreateMirror, type Folder } from '../api/use-mirrors';
import { FolderPicker } from './folder-picker';

interface Props {
  zoneId: number;
  /** The zones in which a folder can be mirrored. */
  targets: readonly Schema<'ZoneDto'>[];
  open: boolean;
  onClose: () => void;
}

/** Asks for the folder to mirror, the target zone, and the name there. */
export function CreateMirrorDialog({ open, ...rest }: Props) {
  return (
    <FormDialog open={open} onClose={rest.onClose}>
      <CreateMirrorForm {...rest} />
    </FormDialog>
  );
}

function CreateMirrorForm({ zoneId, targets, onClose }: Omit<Props, 'open'>) {
  const { t } = useTranslation('mirrors');
  const { form, folder, selectFolder } = useMirrorForm(zoneId, onClose);
  const { sameName } = form.values;
  return (
    <DialogForm title={t('form.title')} form={form} submitLabel={t('form.submit')}>
      <FolderPicker
        zoneId={zoneId}
        selectedFolder={folder}
        error={form.errors.sourceFolderId}
        onSelect={selectFolder}
      />
      <ZoneSelect
        {...form.field('targetZoneId')}
        label={t('form.target')}
        help={t('form.targetHelp')}
        emptyLabel={t('form.targetNone')}
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
    </DialogForm>
  );
}

function useMirrorForm(zoneId: number, onCreated: () => void) {
  const { t } = useTranslation('mirrors');
  const errorText = useErrorText();
  const create = useCreateMirror();
  const [folder, setFolder] = useState<Folder | null>(null);
  const form = useForm({
    // The folder isn't part of the stored draft, because the form has only its ID; it must be chosen again.
    draft: { key: `zone.${zoneId}.mirror`, fields: ['targetZoneId', 'sameName', 'targetFolderName'] },
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
      onCreated();
    },
    onFailure: (error) => {
      if (!hasCode(error, 'DUPLICATE_NAMES', 'INVALID_NAME')) return toast.error(t('createFailed'), errorText(error));
      // The source's name can't be used there, so another one is requested.
      if (form.values.sameName) form.set('targetFolderName', folder?.name ?? '');
      form.set('sameName', false);
      form.showErrors({ targetFolderName: errorText(error) });
    },
  });
  const selectFolder = (next: Folder) => {
    setFolder(next);
    form.set('sourceFolderId', String(next.id));
  };
  return { form, folder, selectFolder };
}
