import Box from '@mui/material/Box';
import Stack from '@mui/material/Stack';
import { useTranslation } from 'react-i18next';
import { NewPasswordField } from '../../../shared/account/new-password-field';
import { ownerOf } from '../../../shared/account/strength/owner';
import { useUsernameCheck } from '../../../shared/account/use-username-check';
import { UsernameField } from '../../../shared/account/username-field';
import { useErrorText } from '../../../shared/hooks/use-error-text';
import { useForm } from '../../../shared/forms/use-form';
import { toast } from '../../../shared/toast/toast-store';
import { FormField } from '../../../shared/ui/fields/form-field';
import { SubmitButton } from '../../../shared/ui/submit-button';
import { Agreement } from './agreement';
import {
  canAskFor,
  checkEmail,
  checkFirstName,
  checkLastName,
  checkNewPassword,
  checkUsername,
  type AuthErrorKey,
} from '../validation';

export type Details = { firstName: string; lastName: string; username: string; email: string; password: string };

export const emptyDetails: Details = { firstName: '', lastName: '', username: '', email: '', password: '' };

interface Props {
  initial: Details;
  /** What the server did not accept when these details were sent with the code. */
  rejected: Record<string, string[]>;
  onSubmit: (details: Details) => Promise<void>;
}

/** The first step of registration. */
export function DetailsStep({ initial, rejected, onSubmit }: Props) {
  const { t } = useTranslation('auth');
  const errorText = useErrorText();
  const say = (key: AuthErrorKey | undefined) => key && t(key);
  const form = useForm({
    initial,
    rejected,
    validate: (values) => ({
      firstName: say(checkFirstName(values.firstName)),
      lastName: say(checkLastName(values.lastName)),
      username: say(checkUsername(values.username)) ?? (check.state === 'unavailable' ? check.message : undefined),
      email: say(checkEmail(values.email)),
      password: say(checkNewPassword(values.password)),
    }),
    submit: (values) => onSubmit(trimmed(values)),
    onFailure: (error) => toast.error(t('register.sendFailed'), errorText(error)),
  });
  const check = useUsernameCheck(form.values.username, canAskFor(form.values.username));
  return (
    <Stack component="form" spacing={4} {...form.formProps}>
      <Box sx={{ display: 'grid', gap: 4, gridTemplateColumns: { xs: '1fr', sm: '1fr 1fr' } }}>
        <FormField {...form.field('firstName')} label={t('fields.firstName')} autoComplete="given-name" />
        <FormField {...form.field('lastName')} label={t('fields.lastName')} autoComplete="family-name" />
      </Box>
      <UsernameField {...form.field('username')} check={check} />
      <FormField {...form.field('email')} label={t('fields.email')} type="email" autoComplete="email" />
      <NewPasswordField {...form.field('password')} label={t('fields.password')} owner={ownerOf(form.values)} />
      <SubmitButton sending={form.sending} fullWidth>
        {t('register.next')}
      </SubmitButton>
      <Agreement />
    </Stack>
  );
}

function trimmed(values: Details): Details {
  const { firstName, lastName, email, ...rest } = values;
  return { ...rest, firstName: firstName.trim(), lastName: lastName.trim(), email: email.trim() };
}
