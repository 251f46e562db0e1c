import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Checkbox from '@mui/material/Checkbox';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import FormControlLabel from '@mui/material/FormControlLabel';
import Stack from '@mui/material/Stack';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { FormField } from '../../../shared/ui/form-field';
import { PasswordField } from '../../../shared/ui/password-field';
import { SubmitButton } from '../../../shared/ui/submit-button';
import type { LinkItem } from '../api/use-links';
import { useLinkForm } from '../use-link-form';
import { EndFields } from './end-fields';

interface Props {
  zoneId: number;
  open: boolean;
  /** The link to be changed; none for a new one. */
  link: LinkItem | undefined;
  onClose: () => void;
}

/** Asks for the name, the end and the limits of a temporary link. */
export function LinkDialog({ open, ...rest }: Props) {
  const id = useId();
  return (
    <Dialog open={open} onClose={rest.onClose} aria-labelledby={id} maxWidth="sm">
      {open && <LinkForm titleId={id} {...rest} />}
    </Dialog>
  );
}

function LinkForm({ titleId, zoneId, link, onClose }: Omit<Props, 'open'> & { titleId: string }) {
  const { t } = useTranslation('links');
  const { t: common } = useTranslation();
  const form = useLinkForm(zoneId, link, onClose);
  return (
    <form {...form.formProps}>
      <DialogTitle id={titleId}>{t(link ? 'form.editTitle' : 'form.createTitle')}</DialogTitle>
      <DialogContent>
        <Stack spacing={5}>
          <FormField
            {...form.field('name')}
            label={t('form.name')}
            help={t('form.nameHelp')}
            maxLength={255}
            autoComplete="off"
            autoFocus
          />
          <EndFields form={form} link={link} />
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
        </Stack>
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose}>{common('actions.cancel')}</Button>
        <SubmitButton sending={form.sending}>{t(link ? 'form.save' : 'form.submit')}</SubmitButton>
      </DialogActions>
    </form>
  );
}
