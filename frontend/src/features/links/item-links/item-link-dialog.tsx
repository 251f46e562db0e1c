import Checkbox from '@mui/material/Checkbox';
import FormControlLabel from '@mui/material/FormControlLabel';
import FormHelperText from '@mui/material/FormHelperText';
import Box from '@mui/material/Box';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import type { LinkedItem } from '../../../shared/files/linked-item';
import { DialogForm, FormDialog } from '../../../shared/forms/form-dialog';
import { useForm } from '../../../shared/forms/use-form';
import { useErrorText } from '../../../shared/hooks/use-error-text';
import { toast } from '../../../shared/toast/toast-store';
import { useCreateItemLink, useUpdateItemLink, type ItemLink } from '../api/use-item-links';
import { LinkFormFields } from '../components/link-form-fields';
import {
  initialFieldsOf,
  NO_EXPIRY,
  persistedFields,
  toLinkChanges,
  toNewLink,
  useFieldsValidation,
} from '../link-fields';

interface Props {
  item: LinkedItem;
  open: boolean;
  /** The link to edit; undefined for a new one. */
  link: ItemLink | undefined;
  onClose: () => void;
  /** Called with the token of the new link, which is part of its URL. */
  onCreated: (token: string) => void;
}

/** Creates a link to a file or folder, or edits its name, expiry and limits. */
export function ItemLinkDialog({ open, ...rest }: Props) {
  return (
    <FormDialog open={open} onClose={rest.onClose}>
      <ItemLinkForm {...rest} />
    </FormDialog>
  );
}

function ItemLinkForm({ item, link, onClose, onCreated }: Omit<Props, 'open'>) {
  const { t } = useTranslation('links');
  const form = useItemLinkForm(item, link, (token) => (token === undefined ? onClose() : onCreated(token)));
  return (
    <DialogForm
      title={t(link ? 'form.editTitle' : 'item.createTitle')}
      form={form}
      submitLabel={t(link ? 'form.save' : 'form.submit')}
    >
      <LinkFormFields
        form={form}
        link={link}
        canBeEndless
        maxUsesHelp={t('item.maxUsesHelp')}
        passwordHelp={t('item.passwordHelp')}
      />
      <Choice
        label={t('item.needsEmail')}
        help={t('item.needsEmailHelp')}
        checked={form.values.needsEmail || form.values.allowUploads}
        disabled={form.values.allowUploads}
        onChange={(checked) => form.set('needsEmail', checked)}
      />
      <Choice
        label={t('item.allowDownload')}
        help={t('item.allowDownloadHelp')}
        checked={form.values.allowDownload}
        onChange={(checked) => form.set('allowDownload', checked)}
      />
      {(link ? link.isFolderRequesting : item.isRequesting) && (
        <Choice
          label={t('item.allowUploads')}
          help={t('item.allowUploadsHelp')}
          checked={form.values.allowUploads}
          onChange={(checked) => form.set('allowUploads', checked)}
        />
      )}
    </DialogForm>
  );
}

interface ChoiceProps {
  label: string;
  help: string;
  checked: boolean;
  disabled?: boolean;
  onChange: (checked: boolean) => void;
}

function Choice({ label, help, checked, disabled, onChange }: ChoiceProps) {
  const id = useId();
  return (
    <Box>
      <FormControlLabel
        control={
          <Checkbox
            checked={checked}
            disabled={disabled}
            onChange={(event) => onChange(event.target.checked)}
            slotProps={{ input: { 'aria-describedby': id } }}
          />
        }
        label={label}
      />
      <FormHelperText id={id} sx={{ mt: 0, ml: 8 }}>
        {help}
      </FormHelperText>
    </Box>
  );
}

/** @param onDone called with the token of a new link */
function useItemLinkForm(item: LinkedItem, link: ItemLink | undefined, onDone: (token?: string) => void) {
  const { t } = useTranslation('links');
  const errorText = useErrorText();
  const createLink = useCreateItemLink(item);
  const updateLink = useUpdateItemLink();
  const validate = useFieldsValidation();
  return useForm({
    initial: {
      ...initialFieldsOf(link, { name: item.name.slice(0, 255), duration: NO_EXPIRY }),
      needsEmail: (link?.needsEmail ?? false) as boolean,
      allowDownload: (link?.allowDownload ?? true) as boolean,
      allowUploads: (link?.allowUploads ?? false) as boolean,
    },
    draft: {
      key: link ? `item-link.${link.id}` : `${item.kind}.${item.id}.new-link`,
      fields: [...persistedFields, 'needsEmail', 'allowDownload', 'allowUploads'],
      replacesSaved: link !== undefined,
    },
    validate,
    submit: async (values) => {
      const { allowDownload, allowUploads } = values;
      const needsEmail = values.needsEmail || allowUploads;
      if (link) {
        await updateLink.mutateAsync({
          id: link.id,
          ...toLinkChanges(values, link),
          ...(values.duration === NO_EXPIRY && link.expiresAt !== null && { expiresAt: null }),
          ...(needsEmail !== link.needsEmail && { needsEmail }),
          ...(allowDownload !== link.allowDownload && { allowDownload }),
          ...(allowUploads !== link.allowUploads && { allowUploads }),
        });
        toast.success(t('saved'));
        return onDone();
      }
      const { token } = await createLink.mutateAsync({
        ...toNewLink(values),
        needsEmail,
        allowDownload,
        ...(allowUploads && { allowUploads }),
      });
      toast.success(t('item.created'));
      onDone(token);
    },
    onFailure: (error) => toast.error(t(link ? 'changeFailed' : 'item.createFailed'), errorText(error)),
  });
}
