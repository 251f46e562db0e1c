import Stack from '@mui/material/Stack';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useSaveProfile } from '../../../../shared/account/use-save-profile';
import { useUsernameCheck } from '../../../../shared/account/use-username-check';
import { UsernameField } from '../../../../shared/account/username-field';
import { ApiError, hasCode } from '../../../../shared/api/api-error';
import type { CurrentUser } from '../../../../shared/api/current-user';
import { useErrorText } from '../../../../shared/hooks/use-error-text';
import { useUnsaved } from '../../../../shared/forms/unsaved';
import { useForm } from '../../../../shared/forms/use-form';
import { toast } from '../../../../shared/toast/toast-store';
import { FormField } from '../../../../shared/ui/fields/form-field';
import { cleanUsername, joinName, splitName } from '../../names';
import { SaveButton } from '../save-button';
import { SectionBody, SectionFoot } from '../section';

const nameLimit = 50;
const usernameLength = { min: 3, max: 30 };

/** Name and username. Each is sent only when it was changed: a name of before may be one that is refused today. */
export function ProfileForm({ user, children }: { user: CurrentUser; children: ReactNode }) {
  const { t } = useTranslation('settings');
  const errorText = useErrorText();
  const save = useSaveProfile();
  const own = user.username ?? '';
  const form = useForm({
    initial: { name: joinName(user), username: own },
    validate: ({ name, username }) => {
      if (check.state === 'unavailable') toast.error(t('errors.usernameTaken'), check.message);
      return { name: nameError(name), username: usernameError(username) };
    },
    submit: async ({ name, username }) => {
      const saved = await save.mutateAsync({
        ...(name !== joinName(user) && splitName(name)),
        ...(username !== own && { username }),
      });
      toast.success(t('profile.saved'));
      return { name: joinName(saved), username };
    },
    onFailure: (error) => {
      const names = error instanceof ApiError ? (error.errors.firstName ?? error.errors.lastName) : undefined;
      if (names) form.fail({ name: names.join(' ') });
      else if (hasCode(error, 'USERNAME_TAKEN', 'USERNAME_CHANGE_LIMIT')) form.fail({ username: error.message });
      else toast.error(t('profile.failed'), errorText(error));
    },
  });
  useUnsaved(form.isUnsaved);
  const { name, username } = form.values;
  const check = useUsernameCheck(username, username.length >= usernameLength.min && username !== own);
  const nameError = (typed: string) => {
    const { firstName, lastName } = splitName(typed);
    if (!firstName) return t('errors.nameRequired');
    return Math.max(firstName.length, lastName.length) > nameLimit ? t('errors.nameLong') : undefined;
  };
  const usernameError = (typed: string) => {
    if (typed === own) return undefined;
    if (typed.length < usernameLength.min) return t('errors.usernameShort');
    if (typed.length > usernameLength.max) return t('errors.usernameLong');
    return check.state === 'unavailable' ? check.message : undefined;
  };
  return (
    <form {...form.formProps}>
      <SectionBody>
        <Stack spacing={5}>
          <FormField {...form.field('name')} label={t('profile.name')} autoComplete="name" maxLength={120} />
          <UsernameField
            {...form.field('username')}
            check={check}
            help={t('profile.usernameHelp')}
            onChange={(event) => form.set('username', cleanUsername(event.target.value))}
          />
          {children}
        </Stack>
      </SectionBody>
      <SectionFoot>
        <SaveButton changed={name !== joinName(user) || username !== own} sending={form.sending}>
          {t('save')}
        </SaveButton>
      </SectionFoot>
    </form>
  );
}
