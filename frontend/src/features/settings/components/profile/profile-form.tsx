import Stack from '@mui/material/Stack';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useSaveProfile } from '../../../../shared/account/use-save-profile';
import { useUsernameCheck } from '../../../../shared/account/use-username-check';
import { UsernameField } from '../../../../shared/account/username-field';
import { ApiError, hasCode } from '../../../../shared/api/api-error';
import type { CurrentUser } from '../../../../shared/api/current-user';
import { useErrorText } from '../../../../shared/hooks/use-error-text';
import { useUnsavedChanges } from '../../../../shared/forms/unsaved-changes';
import { useForm } from '../../../../shared/forms/use-form';
import { toast } from '../../../../shared/toast/toast-store';
import { FormField } from '../../../../shared/ui/fields/form-field';
import { sanitiseUsername, joinName, splitName } from '../../names';
import { SaveButton } from '../save-button';
import { SectionBody, SectionFooter } from '../section';

const MAX_NAME_LENGTH = 50;
const USERNAME_LENGTH = { min: 3, max: 30 };

/** Name and username. Each is sent only if it was changed: an older name may not meet today's rules. */
export function ProfileForm({ user, children }: { user: CurrentUser; children: ReactNode }) {
  const { t } = useTranslation('settings');
  const errorText = useErrorText();
  const saveProfile = useSaveProfile();
  const savedUsername = user.username ?? '';
  const form = useForm({
    initial: { name: joinName(user), username: savedUsername },
    validate: ({ name, username }) => {
      if (usernameCheck.state === 'unavailable') toast.error(t('errors.usernameTaken'), usernameCheck.message);
      return { name: validateName(name), username: validateUsername(username) };
    },
    submit: async ({ name, username }) => {
      const saved = await saveProfile.mutateAsync({
        ...(name !== joinName(user) && splitName(name)),
        ...(username !== savedUsername && { username }),
      });
      toast.success(t('profile.saved'));
      return { name: joinName(saved), username };
    },
    onFailure: (error) => {
      const nameErrors = error instanceof ApiError ? (error.errors.firstName ?? error.errors.lastName) : undefined;
      if (nameErrors) form.showErrors({ name: nameErrors.join(' ') });
      else if (hasCode(error, 'USERNAME_TAKEN', 'USERNAME_RESERVED', 'USERNAME_CHANGE_LIMIT'))
        form.showErrors({ username: error.message });
      else toast.error(t('profile.failed'), errorText(error));
    },
  });
  useUnsavedChanges(form.hasUnsavedChanges);
  const { name, username } = form.values;
  const usernameCheck = useUsernameCheck(
    username,
    username.length >= USERNAME_LENGTH.min && username !== savedUsername,
  );
  const validateName = (input: string) => {
    const { firstName, lastName } = splitName(input);
    if (!firstName) return t('errors.nameRequired');
    return Math.max(firstName.length, lastName.length) > MAX_NAME_LENGTH ? t('errors.nameLong') : undefined;
  };
  const validateUsername = (input: string) => {
    if (input === savedUsername) return undefined;
    if (input.length < USERNAME_LENGTH.min) return t('errors.usernameShort');
    if (input.length > USERNAME_LENGTH.max) return t('errors.usernameLong');
    return usernameCheck.state === 'unavailable' ? usernameCheck.message : undefined;
  };
  return (
    <form {...form.formProps}>
      <SectionBody>
        <Stack spacing={5}>
          <FormField {...form.field('name')} label={t('profile.name')} autoComplete="name" maxLength={120} />
          <UsernameField
            Field={FormField}
            {...form.field('username')}
            usernameCheck={usernameCheck}
            help={t('profile.usernameHelp')}
            onChange={(event) => form.set('username', sanitiseUsername(event.target.value))}
          />
          {children}
        </Stack>
      </SectionBody>
      <SectionFooter>
        <SaveButton hasChanges={name !== joinName(user) || username !== savedUsername} isSubmitting={form.isSubmitting}>
          {t('save')}
        </SaveButton>
      </SectionFooter>
    </form>
  );
}
