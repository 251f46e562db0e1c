import Box from '@mui/material/Box';
import Checkbox from '@mui/material/Checkbox';
import FormControlLabel from '@mui/material/FormControlLabel';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { FormField } from '../../../shared/ui/fields/form-field';
import { PasswordField } from '../../../shared/ui/fields/password-field';
import type { EditableLink, LinkFieldsForm } from '../link-fields';
import { ExpiryFields } from './expiry-fields';

interface Props {
  form: LinkFieldsForm;
  /** The link to edit; undefined for a new one. */
  link: EditableLink | undefined;
  /** Offers links that never expire. */
  canBeEndless?: boolean;
  maxUsesHelp: string;
  passwordHelp: string;
  /** A field beside the maximum of uses. */
  children?: ReactNode;
}

/** The fields of links of every kind: name, expiry, limit of uses and password. */
export function LinkFormFields({ form, link, canBeEndless = false, maxUsesHelp, passwordHelp, children }: Props) {
  const { t } = useTranslation('links');
  return (
    <>
      <FormField
        {...form.field('name')}
        label={t('form.name')}
        help={t('form.nameHelp')}
        maxLength={255}
        autoComplete="off"
        autoFocus
      />
      <ExpiryFields form={form} link={link} canBeEndless={canBeEndless} />
      <Box sx={{ display: 'grid', gap: 5, gridTemplateColumns: { xs: '1fr', sm: children ? '1fr 1fr' : '1fr' } }}>
        <FormField
          {...form.field('maxUses')}
          label={t('form.maxUses')}
          help={maxUsesHelp}
          inputMode="numeric"
          autoComplete="off"
          optional
        />
        {children}
      </Box>
      {!form.values.removePassword && (
        <PasswordField
          {...form.field('password')}
          label={t('form.password')}
          help={link?.hasPassword ? t('form.passwordKeep') : passwordHelp}
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
    </>
  );
}
