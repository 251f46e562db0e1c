import { DialogForm, FormDialog } from '../../../shared/forms/form-dialog';
import Box from '@mui/material/Box';
import Checkbox from '@mui/material/Checkbox';
import FormControlLabel from '@mui/material/FormControlLabel';
import { useTranslation } from 'react-i18next';
import { FormField } from '../../../shared/ui/fields/form-field';
import { PasswordField } from '../../../shared/ui/fields/password-field';
import type { LinkItem } from '../api/use-links';
import { useLinkForm } from '../use-link-form';
import { ExpiryFields } from './expiry-fields';

interface Props {
  zoneId: number;
  open: boolean;
  /** The link to edit; undefined for a new one. */
  link: LinkItem | undefined;
  onClose: () => void;
  /** Called with the token of the new link, which is part of its URL. */
  onCreated: (token: string) => void;
}

/** Edits name, expiry and limits of a temporary link. */
export function LinkDialog({ open, ...rest }: Props) {
  return (
    <FormDialog open={open} onClose={rest.onClose}>
      <LinkForm {...rest} />
    </FormDialog>
  );
}

function LinkForm({ zoneId, link, onClose, onCreated }: Omit<Props, 'open'>) {
  const { t } = useTranslation('links');
  const form = useLinkForm(zoneId, link, (token) => (token === undefined ? onClose() : onCreated(token)));
  return (
    <DialogForm
      title={t(link ? 'form.editTitle' : 'form.createTitle')}
      form={form}
      submitLabel={t(link ? 'form.save' : 'form.submit')}
    >
      <FormField
        {...form.field('name')}
        label={t('form.name')}
        help={t('form.nameHelp')}
        maxLength={255}
        autoComplete="off"
        autoFocus
      />
      <ExpiryFields form={form} link={link} />
      <Box sx={{ display: 'grid', gap: 5, gridTemplateColumns: { xs: '1fr', sm: '1fr 1fr' } }}>
        <FormField
          {...form.field('maxUses')}
          label={t('form.maxUses')}
          help={t('form.maxUsesHelp')}
          inputMode="numeric"
          autoComplete="off"
          optional
        />
        <FormField
          {...form.field('membershipDays')}
          label={t('form.membershipDays')}
          help={t('form.membershipDaysHelp')}
          inputMode="numeric"
          autoComplete="off"
          optional
        />
      </Box>
      {!form.values.removePassword && (
        <PasswordField
          {...form.field('password')}
          label={t('form.password')}
          help={link?.hasPassword ? t('form.passwordKeep') : t('form.passwordHelp')}
          autoComplete="new-password"
          optional
        />
      )}
      {link?.hasPassword && (
        <FormControlLabel
          control={
            <Checkbox
              checked={form.values.removePassword}
              onChange={(event) => form.set('removePassword', event.target.checked)}
            />
          }
          label={t('form.removePassword')}
        />
      )}
    </DialogForm>
  );
}
